"""Bills: what the business owes, entered, and paid with approval."""
