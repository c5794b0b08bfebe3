"""Lists: one engine for every table of the dashboard; `pages/<area>/table.py` declares what each shows."""
