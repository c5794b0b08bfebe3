"""Quarterly access reviews."""
