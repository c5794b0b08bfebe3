"""How vendors are shown: one of them with its accounts, what it was paid, and two that may be the same."""
