"""What the home page reads: what waits for a person, their cards, the newest expenses, and what was spent."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.cash.movement import SpendPart, share
from dashboard.decisions.filters import Filters
from dashboard.decisions.sources import PAYMENTS, REQUESTS
from dashboard.mirror.category_sums import SPENT, sums_by_category
from dashboard.mirror.models import Card, Expense
from dashboard.mirror.scopes import visible_cards, visible_expenses
from dashboard.money import number, text
from dashboard.times import local
from dashboard.web.card_text import ENDED_CARD_STATES

AT_RISK = timedelta(days=1)
TOP_PARTS = 5
# Of one's own expenses: somebody wants to know more, or wants the receipt.
NEEDS_ANSWER = Q(status="DETAILS_REQUESTED")
NEEDS_RECEIPT = Q(status="PENDING", has_receipt=False, payload__receipt_required=True)


@dataclass(frozen=True, slots=True)
class Risk:
    """What of a person's queue reaches its cut-off within a day, and what is past it: the count, and a sum per currency."""

    soon: int
    soon_sums: list[str]
    missed: int
    missed_sums: list[str]


@dataclass(frozen=True, slots=True)
class Spending:
    """What was spent in a currency this month: the greatest categories and the greatest teams."""

    currency: str
    categories: list[SpendPart]
    teams: list[SpendPart]


def own_cards(actor: Actor) -> QuerySet[Card]:
    """The cards of the actor that have not ended."""
    return visible_cards(actor).filter(employee_id=actor.employee_id or "-").exclude(status__in=ENDED_CARD_STATES)


def own_expenses_with_questions(actor: Actor) -> QuerySet[Expense]:
    """The actor's own expenses that need an answer or a receipt, the newest first."""
    own = visible_expenses(actor).filter(employee_id=actor.employee_id or "-")
    return own.filter(NEEDS_ANSWER | NEEDS_RECEIPT).order_by("-transaction_date", "-id")


def risk_of(actor: Actor) -> Risk:
    """What of the requests that wait for the actor's own decision is about to miss its cut-off, and what has missed it."""
    now, waiting = timezone.now(), [source.waiting(actor, Filters()) for source in (PAYMENTS, REQUESTS)]
    soon = (rows.filter(due_at__gt=now, due_at__lte=now + AT_RISK) for rows in waiting)
    missed = (rows.filter(due_at__lte=now) for rows in waiting)
    return Risk(*_summed(actor, soon), *_summed(actor, missed))


def _summed(actor: Actor, sets: Iterable[QuerySet[Any]]) -> tuple[int, list[str]]:
    """How many rows the sets have in all, and the sum per currency as text; one query per set."""
    count, sums = 0, dict[str, int]()
    for rows in sets:
        for row in rows.order_by().values("currency").annotate(many=Count("pk"), minor=Sum("amount_minor")):
            count += row["many"]
            if row["currency"] and row["minor"]:
                sums[row["currency"]] = sums.get(row["currency"], 0) + row["minor"]
    return count, [text(minor, currency, actor.business.locale) for currency, minor in sorted(sums.items())]


def spent_this_month(actor: Actor) -> list[Spending]:
    """What was spent since the first of the month, per currency, of the expenses that the actor may see."""
    zone = ZoneInfo(actor.business.time_zone)
    first = local(timezone.now(), actor.business).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    rows = visible_expenses(actor).filter(transaction_date__gte=first.astimezone(zone), status__in=SPENT)
    by_category = [(row.values[0], row.category, row.count, row.minor) for row in sums_by_category(rows, "currency")]
    by_team = rows.order_by().values_list("currency", "team_name").annotate(Count("pk"), Sum("amount_minor"))
    categories, teams = (_top_parts(sums, actor.business.locale) for sums in (by_category, by_team))
    currencies = sorted(categories.keys() | teams.keys())
    return [Spending(code, categories.get(code, []), teams.get(code, [])) for code in currencies]


def _top_parts(grouped: Iterable[tuple[str, str, int, int]], locale: str) -> dict[str, list[SpendPart]]:
    """The greatest sums for each currency, of currency, label ("" for none), how many and minor units."""
    by_code: dict[str, dict[str, tuple[int, int]]] = {}
    for currency, label, count, minor in grouped:
        sums = by_code.setdefault(currency, {})
        before = sums.get(label or "Uncategorised", (0, 0))
        sums[label or "Uncategorised"] = before[0] + count, before[1] + minor
    return {
        code: _parts([(label, *values) for label, values in sums.items()], code, locale)
        for code, sums in by_code.items()
    }


def _parts(sums: list[tuple[str, int, int]], currency: str, locale: str) -> list[SpendPart]:
    whole = sum(minor for _, _, minor in sums)
    ordered = sorted(sums, key=lambda row: (-row[2], row[0]))[:TOP_PARTS]
    return [
        SpendPart(name, number(minor, currency, locale), count, share(minor, whole)) for name, count, minor in ordered
    ]
