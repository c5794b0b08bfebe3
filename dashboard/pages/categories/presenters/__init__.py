"""How journal exports are shown."""
