"""What of a budget is committed and spent in a calendar period, for many budgets in one query.

Its bills are those that are assigned to it, and of others the lines that are split to its team or are under its category.
Committed: what is still to be paid of its open bills; of a period that has ended, what was still to be paid of its bills at
its last moment. Spent: what was paid of its bills in the period, and, where it is a team's or a category's, the expenses of
the period of that team and under that category in its currency that were not rejected, refunded or deleted. A period that
has ended is told as it is known today: a bill that was cancelled and an expense that was rejected since count for nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import connection

from service.budgets.models import BudgetPeriod
from service.businesses.models import Business

# What areas say of a budget `b`, each a scalar SELECT in brackets that is null for nothing; its period is from `begun.at` to
# before `begun.until`.
_COMMITTED: list[str] = []
_COMMITTED_AT_END: list[str] = []
_SPENT: list[str] = []
_EXPENSES: list[str] = []
_FEES: list[str] = []


def register(
    *, committed: str = "", committed_at_end: str = "", spent: str = "", expenses: str = "", fees: str = ""
) -> None:
    """Called by an area whose payments use budgets, when it is loaded; `committed_at_end` is what was committed at the end
    of a period that is over, `expenses` and their `fees` are spent, too, and told apart."""
    _COMMITTED.extend(filter(None, [committed]))
    _COMMITTED_AT_END.extend(filter(None, [committed_at_end]))
    _SPENT.extend(filter(None, [spent, expenses, fees]))
    _EXPENSES.extend(filter(None, [expenses]))
    _FEES.extend(filter(None, [fees]))


def query(which: str) -> str:
    """The statement for committed and spent in the current period of the budgets `b` that a condition names; its parameters
    are business, zone and the condition's."""
    return _statement(which, "now() AT TIME ZONE %(zone)s", _sum(_COMMITTED), _sum(_SPENT))


def _statement(which: str, moment: str, *columns: str) -> str:
    """Id and columns of budgets in the period in which a moment lies, by the clock of the business."""
    return f"""
        SELECT b.id, {", ".join(f"({column})::bigint" for column in columns)}
        FROM budgets_budget b
        CROSS JOIN LATERAL (
            SELECT date_trunc(lower(b.period), {moment}) AS first,
                CASE b.period WHEN 'MONTH' THEN interval '1 month' WHEN 'QUARTER' THEN interval '3 months'
                ELSE interval '1 year' END AS length) calendar
        CROSS JOIN LATERAL (
            SELECT calendar.first AT TIME ZONE %(zone)s AS at,
                (calendar.first + calendar.length) AT TIME ZONE %(zone)s AS until) begun
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
    """Minor units of the budget's currency; expenses, and the fees on them, are spent, too."""

    committed_minor: int = 0
    spent_minor: int = 0
    expenses_minor: int = 0
    expense_fees_minor: int = 0


def of(business: Business, budget_ids: Iterable[str], day: date) -> dict[str, Figures]:
    """The figures of budgets by their id, in the period of each in which a day of the business lies."""
    ids = sorted(set(budget_ids))
    if not ids:
        return {}
    committed = f"CASE WHEN begun.until <= now() THEN {_sum(_COMMITTED_AT_END)} ELSE {_sum(_COMMITTED)} END"
    statement = _statement(
        "b.id = ANY(%(ids)s)", "%(day)s::timestamp", committed, _sum(_SPENT), _sum(_EXPENSES), _sum(_FEES)
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, {"business": business.id, "zone": business.time_zone, "ids": ids, "day": day})
        return {key: Figures(*amounts) for key, *amounts in cursor.fetchall()}
