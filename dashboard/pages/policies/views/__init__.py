"""Addresses of spend policies and workflows, by noun."""
