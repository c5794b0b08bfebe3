"""Accounting: periods and their month-end, the trial balance and the general ledger."""
