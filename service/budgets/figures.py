"""What of a budget is committed and spent in its current period, for many budgets in one query.

Committed: what is still to be paid of its open bills. Spent: what was paid of its bills in the period, and, where it is
a team's or a category's, the expenses of the period of that team and under that category in its currency that were not
rejected, refunded or deleted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import connection

from service.budgets.models import BudgetPeriod
from service.businesses.models import Business

# What areas say of a budget `b`, each a scalar SELECT in brackets that is null for nothing; `begun.at` is when its current
# period began.
_COMMITTED: list[str] = []
_SPENT: list[str] = []


def register(*, committed: str = "", spent: str = "") -> None:
    """Called by an area whose payments use budgets, when it is loaded."""
    _COMMITTED.extend(filter(None, [committed]))
    _SPENT.extend(filter(None, [spent]))


def query(which: str) -> str:
    """The statement for the budgets `b` that a condition names; its parameters are business, zone and the condition's."""
    return f"""
        SELECT b.id, ({_sum(_COMMITTED)})::bigint, ({_sum(_SPENT)})::bigint
        FROM budgets_budget b
        CROSS JOIN LATERAL (
            SELECT date_trunc(lower(b.period), now() AT TIME ZONE %(zone)s) AT TIME ZONE %(zone)s AS at) begun
        WHERE b.business_id = %(business)s AND {which}"""  # noqa: S608  put together from the areas' own constants


def _sum(parts: Iterable[str]) -> str:
    return " + ".join(["0", *(f"coalesce({part}, 0)" for part in parts)])


MONTHS = {BudgetPeriod.MONTH: 1, BudgetPeriod.QUARTER: 3, BudgetPeriod.YEAR: 12}


def bounds(period: str, today: date) -> tuple[date, date]:
    """The first and the last day of the calendar period of that kind that a day lies in."""
    months = MONTHS[BudgetPeriod(period)]
    first = today.replace(month=(today.month - 1) // months * months + 1, day=1)
    after = first.year * 12 + first.month - 1 + months
    return first, date(after // 12, after % 12 + 1, 1) - timedelta(days=1)


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
