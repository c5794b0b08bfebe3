"""Spend policies and approval workflows: what they say, what they would do, and changing them."""
