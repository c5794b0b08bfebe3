"""How the desk shows what is decided on: the item of each kind, the list beside it, plans and results."""

from dashboard.pages.approvals.presenters import expenses, orders, votes  # noqa: F401 - each says how its items are shown
