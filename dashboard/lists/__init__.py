"""Lists: one engine for every table of the dashboard; `pages/<area>/tables.py` declares what each shows."""
