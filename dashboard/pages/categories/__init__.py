"""The chart of accounts: categories and their subcategories."""
