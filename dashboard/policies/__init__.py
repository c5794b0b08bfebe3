"""Spend policies and approval workflows: what they say in words, what they decide, and what a draft would have decided."""
