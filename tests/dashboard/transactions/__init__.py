"""Vendors, against the real service."""
