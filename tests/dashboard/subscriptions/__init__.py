"""Subscriptions, against the real service."""
