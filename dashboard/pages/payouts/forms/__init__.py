"""The forms of the payouts."""
