"""Payouts on the screen, on paper and in files."""
