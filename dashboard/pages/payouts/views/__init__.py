"""Views of the payouts."""
