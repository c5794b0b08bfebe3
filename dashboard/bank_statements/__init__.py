"""Statements of banks, as people bring them: camt.053, MT940, OFX and CSV, read into lines with exact amounts."""
