"""The forms of the cards."""
