"""The forms of the bills."""
