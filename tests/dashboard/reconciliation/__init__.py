"""Reconciliation, against the real service."""
