"""Budgets as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.budgets.figures import Figures
from service.budgets.models import Budget


class BudgetShape(TypedDict):
    """A budget as the interface shows it."""

    _id: str
    name: str
    team_id: str | None
    currency: str
    period: str
    amount: Decimal
    committed: Decimal
    spent: Decimal
    available: Decimal
    amount_minor: int
    committed_minor: int
    spent_minor: int
    available_minor: int
    active: bool
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


def budget(row: Budget, now: Figures) -> BudgetShape:
    """A budget as the interface shows it."""
    available_minor = row.amount_minor - now.committed_minor - now.spent_minor
    return {
        "_id": row.id,
        "name": row.name,
        "team_id": row.team_id,
        "currency": row.currency,
        "period": row.period,
        "amount": money.to_number(row.amount_minor, row.currency),
        "committed": money.to_number(now.committed_minor, row.currency),
        "spent": money.to_number(now.spent_minor, row.currency),
        "available": money.to_number(available_minor, row.currency),
        "amount_minor": row.amount_minor,
        "committed_minor": now.committed_minor,
        "spent_minor": now.spent_minor,
        "available_minor": available_minor,
        "active": row.active,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }
