"""Withholding taxes: their dated rates, what was deducted, what was paid over, and the report of a period."""
