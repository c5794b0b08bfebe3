"""The inbox's rows: all its sources merged in one order, fifty at a go.

The budget is tight (performance.md): tuples instead of objects, strings formatted once by the mirror, one query.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import BigIntegerField, Case, CharField, DateTimeField, F, Func, SmallIntegerField, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from dashboard.access.actor import Actor
from dashboard.decisions.filters import Cursor, Filters
from dashboard.decisions.items import KIND_LABELS
from dashboard.decisions.selectors import CHANGE, EXPENSE, PAYMENT, REQUEST
from dashboard.pages.approvals.order import RANK, Part, parts, place
from dashboard.times import age

PAGE = 50
SOON = timedelta(hours=24)
NO_TIME = Cast(Value(None), DateTimeField())
NO_RISK = Cast(Value(-1), SmallIntegerField())
# As its `headline` says: what it is about, or what becomes of that.
SENTENCE = Func(KeyTextTransform("0", "sentences"), Value("."), function="RTRIM", output_field=CharField())
# What a change of access has none of, and what the other rows have as text.
OF_CHANGE = {
    "line": Case(When(target_type="", then=F("title")), default=Coalesce(SENTENCE, F("title")), output_field=CharField()),
    "number": Cast("pk", CharField()), "group": Value("access_change", CharField()), "no_risk": NO_RISK,
    "no_text": Value("", CharField()), "no_amount": Cast(Value(None), BigIntegerField()),
}  # fmt: skip
COLUMNS = {
    EXPENSE: ("remote_id", "merchant", "employee_name", "team_name", "risk", "amount_text", "status", "amount_minor",
              "transaction_date"),
    PAYMENT: ("remote_id", "title", "requested_by_name", "kind", "risk", "amount_text", "status", "amount_minor",
              "requested_at", "due_at"),
    REQUEST: ("remote_id", "title", "holder_name", "kind", "no_risk", "amount_text", "status", "amount_minor",
              "requested_at", "due_at"),
    CHANGE: ("number", "line", "proposed_by__user__name", "group", "no_risk", "no_text", "state", "no_amount",
             "proposed_at", "effective_at"),
}  # fmt: skip
STATES = {
    "PENDING": "waiting", "APPROVED": "approved", "REJECTED": "rejected", "DETAILS_REQUESTED": "details asked",
    "REFUNDED": "refunded", "WITHDRAWN": "withdrawn", "EXPIRED": "expired", "CANCELLED": "cancelled",
    "REQUESTED": "waiting", "ORDERED": "ordered", "SHIPPED": "shipped", "DELIVERED": "delivered", "POSTED": "posted",
    "REVERSED": "reversed", "WAITING": "waiting", "CONFIRMED": "confirmed", "APPLIED": "applied", "DECLINED": "declined",
    "STALE": "overtaken", "REFUSED": "refused",
}  # fmt: skip


class Row(NamedTuple):
    """A line of the inbox, ready to print; `urgency` is how its cut-off looks."""

    key: str
    title: str
    about: str
    age: str
    urgency: str
    cut_off: str
    level: str
    risk: str
    amount: str


@dataclass(frozen=True)
class Sheet:
    """A page of rows and where the next one begins ("" at the end)."""

    rows: list[Row]
    next: str


def key_of(source: str, kind: str, remote_id: str) -> str:
    """What names an item in the inbox, and in its address."""
    return f"{kind.replace('_', '-') if source == REQUEST else source}/{remote_id}"


def sheet(
    actor: Actor, filters: Filters, now: datetime, skip: frozenset[str] = frozenset(), limit: int = PAGE
) -> Sheet:
    """The next rows after the cursor, at most `limit`; `skip` are keys with a decision on its way."""
    rows: list[Row] = []
    last: tuple[Any, ...] = ()
    for values in _found(actor, filters, limit + 1 + len(skip)):
        key = key_of(values[0], values[6], values[3])
        if key in skip:
            continue
        if len(rows) == limit and last:
            return Sheet(rows, str(_place(filters.sort, last)))
        rows.append(_row(key, values, now, filters.show))
        last = values
    return Sheet(rows, "")


def neighbour(actor: Actor, filters: Filters, cursor: Cursor, *, forward: bool) -> str:
    """The key of the item after (or before) this one in the list, "" at its end."""
    return next(iter(neighbours(actor, filters, cursor, 1, forward=forward)), "")


def neighbours(actor: Actor, filters: Filters, cursor: Cursor, most: int, *, forward: bool) -> list[str]:
    """The keys of at most so many items after (or before) this one in the list, the nearest first."""
    found = _found(actor, replace(filters, cursor=cursor), most, forward=forward)
    return [key_of(values[0], values[6], values[3]) for values in found]


def _place(sort: str, values: tuple[Any, ...]) -> Cursor:
    return place(sort, values[0], values[11], values[12], values[10], values[2])


def _found(actor: Actor, filters: Filters, most: int, *, forward: bool = True) -> list[tuple[Any, ...]]:
    statement = _statement(actor, filters, most, forward)
    if statement is None:
        return []
    with connection.cursor() as cursor:
        cursor.execute(*statement)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return _merged(found, filters.sort, forward=forward)[:most]


def _merged(found: list[tuple[Any, ...]], sort: str, *, forward: bool) -> list[tuple[Any, ...]]:
    if sort not in {"", "age"}:
        first, second = ([row for row in found if row[1] == section] for section in (0, 1))
        at, largest_first = (10, True) if sort == "value" else (12, False)
        first.sort(key=lambda row: (row[at], RANK[row[0]], row[2]), reverse=largest_first == forward)
        second.sort(key=lambda row: (row[11], RANK[row[0]], row[2]), reverse=forward)
        return first + second if forward else second + first
    return sorted(found, key=lambda row: (row[11], RANK[row[0]], row[2]), reverse=(not sort) == forward)


@lru_cache(maxsize=1024)
def _statement(actor: Actor, filters: Filters, most: int, forward: bool) -> tuple[str, tuple[Any, ...]] | None:
    # All tables in one look, written by the ORM once per person and address: writing it anew costs as much as running it.
    looks = [look for part in parts(actor, filters) if (look := _look(part, filters.cursor, most, forward)) is not None]
    if not looks:
        return None
    together = looks[0].union(*looks[1:], all=True) if len(looks) > 1 else looks[0]
    try:
        sql, params = together.query.sql_with_params()
    except EmptyResultSet:
        return None
    return sql, tuple(params)


def _look(part: Part, cursor: Cursor | None, most: int, forward: bool) -> Any:
    rows = part.beyond(cursor, forward=forward)
    if rows is None:
        return None
    rows = rows.annotate(of=Value(part.source, CharField()), section=Cast(Value(part.section), SmallIntegerField()))
    names = COLUMNS[part.source]
    if part.source == EXPENSE:
        rows, names = rows.annotate(no_time=NO_TIME), (*names, "no_time")
    elif part.source == REQUEST:
        rows = rows.annotate(no_risk=NO_RISK)
    elif part.source == CHANGE:
        rows = rows.annotate(**OF_CHANGE)
    ordered = rows.order_by(*part.ordered(forward=forward))
    return ordered.values_list("of", "section", "id", *names)[:most]


def _row(key: str, values: tuple[Any, ...], now: datetime, show: str) -> Row:
    source, _, _, _, title, person, group, risk, amount, status, _, when, cut_off = values
    if source == EXPENSE:
        title, kind = title or "Expense", "Expense"
        about = f"Expense · {person} · {group}" if group else f"Expense · {person}"
    else:
        kind = KIND_LABELS.get(group, "Payment request")
        about = f"{kind} · {person}" if person else kind
    urgency, due = ("", STATES.get(status, status.lower())) if show != "mine" else until(cut_off, now)
    if risk < 0:
        return Row(key, title, about, age(when, now), urgency, due, "none", "–", amount or "–")
    level = "low" if risk < 30 else "medium" if risk < 60 else "high" if risk < 85 else "critical"
    return Row(key, title, about, age(when, now), urgency, due, level, f"{level} {risk}", amount)


def until(when: datetime | None, now: datetime) -> tuple[str, str]:
    """How a cut-off looks, and how long there is until it: overdue and soon stand out in words."""
    if when is None:
        return "", "–"
    if when <= now:
        return "late", f"overdue {age(when, now)}"
    return ("soon", f"soon: {age(now, when)}") if when - now < SOON else ("", f"in {age(now, when)}")
