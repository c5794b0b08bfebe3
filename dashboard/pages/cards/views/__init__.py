"""The views of the cards: one file per intent."""
