"""How transactions are shown: one of them, its documents, and the newest."""
