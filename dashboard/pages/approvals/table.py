"""The inbox's rows: expenses and payment requests merged by time, fifty at a go, by key and never by offset.

The budget is tight (performance.md): tuples instead of objects, strings formatted once by the mirror, one query.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import CharField, DateTimeField, Q, QuerySet, Value
from django.db.models.functions import Cast

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.scopes import visible_approvals, visible_expenses
from dashboard.mirror.models import Approval, Expense
from dashboard.pages.approvals.forms import Cursor, Filters

PAGE = 50
EXPENSE, PAYMENT = "expense", "payment"
RISK_FLOOR = {"medium": 30, "high": 60}
DECIDED_EXPENSES = ("APPROVED", "REJECTED", "REFUNDED")
EXPENSE_COLUMNS = (
    "transaction_date", "id", "remote_id", "merchant", "employee_name", "team_name", "risk", "amount_text", "status",
)  # fmt: skip
APPROVAL_COLUMNS = (
    "requested_at", "id", "remote_id", "title", "requested_by_name", "kind", "risk", "amount_text", "status", "due_at",
)  # fmt: skip
KINDS = {"BULK_PAYOUT": "Payout batch", "BANK_TRANSFER": "Payment request", "PAYMENT_REQUEST": "Payment request"}
STATES = {
    "PENDING": "waiting", "APPROVED": "approved", "REJECTED": "rejected", "DETAILS_REQUESTED": "details asked",
    "REFUNDED": "refunded", "WITHDRAWN": "withdrawn", "EXPIRED": "expired", "CANCELLED": "cancelled",
}  # fmt: skip


class Row(NamedTuple):
    """A line of the inbox, ready to print."""

    key: str
    title: str
    about: str
    cut_off: str
    level: str
    risk: str
    amount: str


@dataclass(frozen=True)
class Sheet:
    """A page of rows and where the next one begins ("" at the end)."""

    rows: list[Row]
    next: str


def expenses_of(actor: Actor, filters: Filters) -> QuerySet[Expense]:
    """The expenses on the tab that is shown, as far as the actor sees them, filtered."""
    found = visible_expenses(actor)
    if filters.kind == PAYMENT:
        return found.none()
    if filters.show == "decided":
        found = found.filter(status__in=DECIDED_EXPENSES)
    elif filters.show == "mine":
        found = found.filter(status="PENDING").exclude(_own_or_read_only(actor)) if decides(actor) else found.none()
    elif decides(actor):
        found = found.filter(Q(status="DETAILS_REQUESTED") | (Q(status="PENDING") & _own_or_read_only(actor)))
    else:
        found = found.filter(status__in=("PENDING", "DETAILS_REQUESTED"))
    if filters.team:
        found = found.filter(team_id=filters.team)
    return _common(found, filters)


def decides(actor: Actor) -> bool:
    """Whether expenses can wait for this person at all."""
    return actor.role in operations.APPROVE_EXPENSE.roles


def votes(actor: Actor) -> bool:
    """Whether payment requests can wait for this person at all."""
    return actor.role in operations.APPROVE_PAYMENT_REQUEST.roles


def _own_or_read_only(actor: Actor) -> Q:
    theirs = Q(employee_id=actor.employee_id)
    return theirs | Q(team_id__in=sorted(actor.read_only_teams)) if actor.read_only_teams else theirs


def approvals_of(actor: Actor, filters: Filters) -> QuerySet[Approval]:
    """The payment requests on the tab that is shown, as far as the actor sees them, filtered."""
    found = visible_approvals(actor)
    if filters.kind == EXPENSE or filters.team:
        return found.none()
    seat = [{"employee_id": actor.employee_id}]
    mine = Q(eligible__contains=seat) & ~Q(requested_by_id=actor.employee_id) & ~Q(voters__contains=actor.employee_id)
    if filters.show == "decided":
        found = found.exclude(status="PENDING")
    elif filters.show == "mine":
        found = found.filter(mine, status="PENDING") if votes(actor) else found.none()
    else:
        found = found.filter(status="PENDING")
        found = found.exclude(mine) if votes(actor) else found
    return _common(found, filters)


def _common(found: QuerySet[Any], filters: Filters) -> QuerySet[Any]:
    if filters.currency:
        found = found.filter(currency=filters.currency)
    if filters.risk:
        found = found.filter(risk__gte=RISK_FLOOR[filters.risk])
    if filters.terms:
        found = found.filter(filters.terms)
    return found


def _after(found: QuerySet[Any], moment: str, kind: str, cursor: Cursor | None) -> QuerySet[Any]:
    # One order for both tables: newest first, of the same moment expenses before payments, then the newer row.
    if cursor is None:
        return found
    found = found.filter(**{f"{moment}__lte": cursor.moment})
    if kind == cursor.kind:
        return found.filter(Q(**{f"{moment}__lt": cursor.moment}) | Q(id__lt=cursor.id))
    return found if kind == PAYMENT else found.filter(**{f"{moment}__lt": cursor.moment})


def sheet(
    actor: Actor, filters: Filters, now: datetime, skip: frozenset[str] = frozenset(), limit: int = PAGE
) -> Sheet:
    """The next rows after the cursor, at most `limit`; `skip` are keys with a decision on its way."""
    rows: list[Row] = []
    last: tuple[Any, ...] = ()
    for values in _found(actor, filters, limit + 1 + len(skip)):
        key = f"{values[0]}/{values[3]}"
        if key in skip:
            continue
        if len(rows) == limit and last:
            return Sheet(rows, str(Cursor(last[1], last[0], last[2])))
        rows.append(_row(key, values, now, filters.show))
        last = values
    return Sheet(rows, "")


def _found(actor: Actor, filters: Filters, most: int) -> list[tuple[Any, ...]]:
    statement = _statement(actor, filters, most)
    if statement is None:
        return []
    with connection.cursor() as cursor:
        cursor.execute(*statement)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    # Newest first; of the same moment expenses before payments, then the newer row.
    return sorted(found, key=lambda values: (values[1], values[0] == EXPENSE, values[2]), reverse=True)[:most]


@lru_cache(maxsize=1024)
def _statement(actor: Actor, filters: Filters, most: int) -> tuple[str, tuple[Any, ...]] | None:
    # Both tables in one look, written by the ORM once per person and address: writing it anew costs as much as running it.
    parts = []
    if filters.kind != PAYMENT:
        found = _after(expenses_of(actor, filters), "transaction_date", EXPENSE, filters.cursor)
        no_cut_off = Cast(Value(None), DateTimeField())
        found = found.annotate(kind=Value(EXPENSE, CharField()), cut_off=no_cut_off)
        parts.append(found.order_by("-transaction_date", "-id").values_list("kind", *EXPENSE_COLUMNS, "cut_off")[:most])
    if filters.kind != EXPENSE and actor.role in operations.LIST_APPROVALS.roles:
        asked = _after(approvals_of(actor, filters), "requested_at", PAYMENT, filters.cursor)
        asked = asked.annotate(sort=Value(PAYMENT, CharField()))
        parts.append(asked.order_by("-requested_at", "-id").values_list("sort", *APPROVAL_COLUMNS)[:most])
    both = parts[0].union(*parts[1:], all=True) if len(parts) > 1 else parts[0]
    try:
        sql, params = both.query.sql_with_params()
    except EmptyResultSet:
        return None
    return sql, tuple(params)


def _row(key: str, values: tuple[Any, ...], now: datetime, show: str) -> Row:
    kind, when, _, _, title, person, group, risk, amount, status, cut_off = values
    due = "–"
    if kind == PAYMENT:
        label = KINDS.get(group, "Payment request")
        due = age_until(cut_off, now) if cut_off else due
        about = f"{label} · {person} · {age(when, now)}"
    else:
        title = title or "Expense"
        about = (
            f"Expense · {person} · {group} · {age(when, now)}" if group else f"Expense · {person} · {age(when, now)}"
        )
    if show != "mine":
        due = STATES.get(status, status.lower())
    level = "low" if risk < 30 else "medium" if risk < 60 else "high" if risk < 85 else "critical"
    return Row(key, title, about, due, level, f"{level} {risk}", amount)


def age(when: datetime, now: datetime) -> str:
    """How long ago, in one unit: "5 min", "2 h", "3 d"."""
    seconds = max(0, int((now - when).total_seconds()))
    if seconds < 5400:
        return f"{max(1, seconds // 60)}\xa0min"  # a number and its unit stay together
    return f"{seconds // 3600}\xa0h" if seconds < 129_600 else f"{seconds // 86400}\xa0d"


def age_until(when: datetime, now: datetime) -> str:
    """How long until, or that it is over: "in 5 h", "overdue"."""
    return "overdue" if when <= now else f"in {age(now, when)}"


def neighbour(actor: Actor, filters: Filters, cursor: Cursor, *, forward: bool) -> str:
    """The key of the item after (or before) this one in the list, "" at its end."""
    if forward:
        rows = sheet(actor, replace(filters, cursor=cursor), cursor.moment, limit=1).rows
        return rows[0].key if rows else ""
    expenses = _before(expenses_of(actor, filters), "transaction_date", EXPENSE, cursor)
    approvals = _before(approvals_of(actor, filters), "requested_at", PAYMENT, cursor)
    nearest = [
        (row[0], kind == PAYMENT, row[1], f"{kind}/{row[2]}")
        for kind, row in ((EXPENSE, expenses), (PAYMENT, approvals))
        if row
    ]
    return min(nearest, key=lambda each: (each[0], not each[1]))[3] if nearest else ""


def _before(found: QuerySet[Any], moment: str, kind: str, cursor: Cursor) -> tuple[Any, ...] | None:
    at, earlier = Q(**{moment: cursor.moment}), Q(**{f"{moment}__gt": cursor.moment})
    if kind == cursor.kind:
        earlier |= at & Q(id__gt=cursor.id)
    elif kind == EXPENSE:
        earlier |= at
    row: tuple[Any, ...] | None = (
        found.filter(earlier).order_by(moment, "id").values_list(moment, "id", "remote_id").first()
    )
    return row
