"""How bills are shown."""
