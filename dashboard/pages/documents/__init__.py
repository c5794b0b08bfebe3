"""The documents beside a decision: one of them with its pages, what was read from it and where it differs."""
