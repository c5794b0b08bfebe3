"""Recurring top-ups: somebody's allocation in a currency is brought up to an amount on a schedule."""
