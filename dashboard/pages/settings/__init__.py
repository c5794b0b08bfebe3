"""How a business is set up: its connection, its people, its security."""
