"""Budgets, against the real service."""
