"""Transactions, against the real service."""
