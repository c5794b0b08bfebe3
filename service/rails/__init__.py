"""Where money and messages leave for the outside world: an interface per rail, and a simulated one behind each.

What every simulated rail does is decided by what it is given, never by chance: the last four digits of the
destination (account, phone) are magic. docs/rails.md has the table.
"""
