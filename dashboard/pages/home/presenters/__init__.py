"""How the widgets of the home page are shown: rows, cards and sentences."""
