"""Spend policies and approval workflows, against the real service."""
