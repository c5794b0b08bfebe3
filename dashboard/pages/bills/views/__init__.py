"""What the addresses of the bills answer with."""
