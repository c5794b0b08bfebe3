"""Settings of the two programs: base.py holds what both share, the other two are read top to bottom."""
