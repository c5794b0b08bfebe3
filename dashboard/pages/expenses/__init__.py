"""Expenses: the list, the totals of what is filtered, one expense with its receipt."""
