"""Statements of banks, read from files as banks write them."""
