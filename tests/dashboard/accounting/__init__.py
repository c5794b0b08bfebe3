"""Accounting periods and the books, against the real service."""
