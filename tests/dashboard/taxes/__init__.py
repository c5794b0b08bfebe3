"""Withholding taxes, against the real service."""
