"""Budgets as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.budgets.figures import Figures, bounds
from service.budgets.models import Budget


class BudgetShape(TypedDict):
    """A budget as the interface shows it."""

    _id: str
    name: str
    team_id: str | None
    category_id: str | None
    category_name: str | None
    currency: str
    period: str
    period_start: date
    period_end: date
    amount: Decimal
    committed: Decimal
    spent: Decimal
    expenses: Decimal
    expense_fees: Decimal
    available: Decimal
    amount_minor: int
    committed_minor: int
    spent_minor: int
    expenses_minor: int
    expense_fees_minor: int
    available_minor: int
    alert_percents: list[int]
    active: bool
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


def budget(row: Budget, now: Figures, day: date) -> BudgetShape:
    """A budget as the interface shows it, with its figures in the period of that day; its category should be joined."""
    first, last = bounds(row.period, day)
    available_minor = row.amount_minor - now.committed_minor - now.spent_minor
    return {
        "_id": row.id,
        "name": row.name,
        "team_id": row.team_id,
        "category_id": row.category_id,
        "category_name": row.category.name if row.category else None,
        "currency": row.currency,
        "period": row.period,
        "period_start": first,
        "period_end": last,
        "amount": money.to_number(row.amount_minor, row.currency),
        "committed": money.to_number(now.committed_minor, row.currency),
        "spent": money.to_number(now.spent_minor, row.currency),
        "expenses": money.to_number(now.expenses_minor, row.currency),
        "expense_fees": money.to_number(now.expense_fees_minor, row.currency),
        "available": money.to_number(available_minor, row.currency),
        "amount_minor": row.amount_minor,
        "committed_minor": now.committed_minor,
        "spent_minor": now.spent_minor,
        "expenses_minor": now.expenses_minor,
        "expense_fees_minor": now.expense_fees_minor,
        "available_minor": available_minor,
        "alert_percents": row.alert_percents,
        "active": row.active,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }
