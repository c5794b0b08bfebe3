"""The command palette: any page, and any thing by name, reference or amount."""
