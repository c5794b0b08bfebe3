"""Bills, against the real service."""
