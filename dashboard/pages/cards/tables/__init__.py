"""The lists of the cards, for the list engine."""
