"""People and teams, against the real service."""
