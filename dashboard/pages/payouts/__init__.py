"""Payouts: batches of payments, single transfers, and asking a phone for money."""
