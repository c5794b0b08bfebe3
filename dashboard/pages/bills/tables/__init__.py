"""The lists of bills, and what is done to several of them at once."""
