"""The forms of the vendors."""
