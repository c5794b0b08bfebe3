"""The rows of the expenses page: scoped, filtered, sorted by a key that an index has, fifty at a go."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum

from dashboard.access.actor import Actor
from dashboard.access.scopes import visible_expenses
from dashboard.client.money import Money, text
from dashboard.mirror.models import Expense
from dashboard.pages.expenses.forms import Cursor, Filters
from dashboard.web.item import EXPENSE_STATES, level_of
from dashboard.web.times import day

PAGE = 50
SORTED_BY = {"date": "transaction_date", "amount": "amount_minor"}
FIELDS = (
    "id", "remote_id", "merchant", "employee_name", "team_name", "category_name", "transaction_date", "status", "risk",
    "has_receipt", "amount_text", "amount_minor", "currency", "transaction_ref", "notes",
)  # fmt: skip


@dataclass(frozen=True)
class Line:
    """A row as it is printed."""

    id: str
    title: str
    who: str
    team: str
    category: str
    date: str
    state: str
    tone: str
    level: str
    risk: int
    receipt: str
    amount: str


def expenses_of(actor: Actor, filters: Filters) -> QuerySet[Expense]:
    """The expenses that the actor sees and the filters ask for: the same for list, totals and export."""
    found = visible_expenses(actor)
    if filters.status:
        found = found.filter(status=filters.status)
    if filters.team:
        found = found.filter(team_id=filters.team)
    if filters.currency:
        found = found.filter(currency=filters.currency)
    if filters.since:
        found = found.filter(transaction_date__gte=_midnight(filters.since, actor))
    if filters.until:
        found = found.filter(transaction_date__lt=_midnight(filters.until, actor) + timedelta(days=1))
    return found.filter(filters.terms) if filters.terms else found


def _midnight(day_text: str, actor: Actor) -> datetime:
    return datetime.combine(date.fromisoformat(day_text), time(), ZoneInfo(actor.business.time_zone))


def sheet(actor: Actor, filters: Filters) -> tuple[list[Line], str]:
    """The rows of one page, and the cursor of the next ("" at the end)."""
    name = SORTED_BY[filters.sort.lstrip("-")]
    falling = filters.sort.startswith("-")
    found = expenses_of(actor, filters)
    if filters.cursor:
        found = found.filter(_beyond(name, filters.cursor, falling=falling))
    order = (f"-{name}", "-id") if falling else (name, "id")
    rows = list(found.order_by(*order).values(*FIELDS)[: PAGE + 1])
    more = str(Cursor(rows[PAGE - 1][name], rows[PAGE - 1]["id"])) if len(rows) > PAGE else ""
    return [_line(row, actor) for row in rows[:PAGE]], more


def _beyond(name: str, cursor: Cursor, *, falling: bool) -> Q:
    past = "lt" if falling else "gt"
    same = Q(**{name: cursor.value, f"id__{past}": cursor.id})
    return Q(**{f"{name}__{past}e": cursor.value}) & (Q(**{f"{name}__{past}": cursor.value}) | same)


def _line(row: dict[str, Any], actor: Actor) -> Line:
    state, tone = EXPENSE_STATES.get(row["status"], (row["status"].capitalize(), ""))
    return Line(
        id=row["remote_id"],
        title=row["merchant"] or "Expense",
        who=row["employee_name"],
        team=row["team_name"],
        category=row["category_name"],
        date=day(row["transaction_date"], actor.business),
        state=state,
        tone=tone,
        level=level_of(row["risk"]),
        risk=row["risk"],
        receipt="yes" if row["has_receipt"] else "none",
        amount=row["amount_text"],
    )


def totals_of(actor: Actor, filters: Filters) -> tuple[int, list[str]]:
    """How many rows the filters leave, and their sum per currency as text."""
    grouped = expenses_of(actor, filters).order_by().values_list("currency").annotate(Count("pk"), Sum("amount_minor"))
    found = sorted(grouped)
    locale = actor.business.locale
    return sum(many for _, many, _ in found), [text(minor, currency, locale) for currency, _, minor in found]


HEADINGS = (
    "Reference", "Date", "Merchant", "Employee", "Team", "Category", "State", "Risk", "Receipt", "Currency", "Amount",
    "Notes",
)  # fmt: skip


def exported(actor: Actor, filters: Filters) -> Iterator[tuple[Any, ...]]:
    """Every row of the query, in the order of the screen; amounts exact, as Decimals."""
    name = SORTED_BY[filters.sort.lstrip("-")]
    order = (f"-{name}", "-id") if filters.sort.startswith("-") else (name, "id")
    for row in expenses_of(actor, filters).order_by(*order).values(*FIELDS).iterator(chunk_size=1000):
        line = _line(row, actor)
        amount = Money(row["amount_minor"], row["currency"]).amount
        yield (
            row["transaction_ref"] or row["remote_id"], line.date, line.title, line.who, line.team, line.category,
            line.state, line.risk, line.receipt, row["currency"], amount, row["notes"],
        )  # fmt: skip
