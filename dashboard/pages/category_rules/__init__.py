"""Rules that categorise."""
