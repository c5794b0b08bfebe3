"""The chart of accounts, against the real service."""
