"""Budgets as the interface shows them: dictionaries in the shapes of the schemas."""

from typing import Any

from service import money
from service.budgets.figures import Figures
from service.budgets.models import Budget


def budget(row: Budget, now: Figures) -> dict[str, Any]:
    """A budget as the interface shows it."""
    amounts = {
        "amount": row.amount_minor,
        "committed": now.committed_minor,
        "spent": now.spent_minor,
        "available": row.amount_minor - now.committed_minor - now.spent_minor,
    }
    both = {name: money.to_number(minor, row.currency) for name, minor in amounts.items()}
    return {
        "_id": row.id,
        "name": row.name,
        "team_id": row.team_id,
        "currency": row.currency,
        "period": row.period,
        **both,
        **{f"{name}_minor": minor for name, minor in amounts.items()},
        "active": row.active,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }
