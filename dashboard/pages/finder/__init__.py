"""The command palette: any page, and any row by name, reference or amount."""
