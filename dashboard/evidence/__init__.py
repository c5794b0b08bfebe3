"""Evidence packs: what is known of one item, one person or one period, signed, for somebody who has never seen us."""
