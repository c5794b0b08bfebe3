"""How periods and books are shown."""
