"""How cards are shown: controls as sentences, balances, rows, and what the templates of a page need."""
