"""What of a budget is committed and spent in its current period, for many budgets in one query.

Committed: what is still to be paid of its open bills. Spent: what was paid of its bills in the period, and, where it is
a team's, the team's expenses of the period in its currency that were not rejected, refunded or deleted.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection

from service.businesses.models import Business

_FIGURES = """
    SELECT b.id,
        coalesce((SELECT sum(i.total_minor - i.paid_minor) FROM bills_bill i
                  WHERE i.budget_id = b.id AND i.status IN ('OPEN', 'PARTIALLY_PAID')), 0)::bigint,
        (coalesce((SELECT sum(p.amount_minor) FROM bills_billpayment p JOIN bills_bill i ON i.id = p.bill_id
                   WHERE i.budget_id = b.id AND p.status = 'SUCCEEDED' AND p.settled_at >= begun.at), 0)
         + coalesce((SELECT sum(e.amount_minor + e.fees_minor) FROM expenses_expense e
                     WHERE e.business_id = b.business_id AND e.team_id = b.team_id AND e.currency = b.currency
                       AND e.transaction_date >= begun.at
                       AND e.status NOT IN ('REJECTED', 'REFUNDED', 'DELETED')), 0))::bigint
    FROM budgets_budget b
    CROSS JOIN LATERAL (
        SELECT date_trunc(lower(b.period), now() AT TIME ZONE %(zone)s) AT TIME ZONE %(zone)s AS at) begun
    WHERE b.business_id = %(business)s AND """


def query(which: str) -> str:
    """The statement for the budgets `b` that a condition names; its parameters are business, zone and the condition's."""
    return _FIGURES + which


@dataclass(frozen=True, slots=True)
class Figures:
    """Minor units of the budget's currency."""

    committed_minor: int = 0
    spent_minor: int = 0


def of(business: Business, budget_ids: Iterable[str]) -> dict[str, Figures]:
    """The figures of budgets by their id."""
    ids = sorted(set(budget_ids))
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(query("b.id = ANY(%(ids)s)"), {"business": business.id, "zone": business.time_zone, "ids": ids})
        return {key: Figures(committed, spent) for key, committed, spent in cursor.fetchall()}
