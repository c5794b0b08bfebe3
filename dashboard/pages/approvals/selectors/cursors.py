"""The order of the inbox by key, never by offset: its parts, where a row stands, and what comes after or before it.

A list has sections that follow each other: what has a cut-off, say, by its cut-off, and then what has none, newest first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.decisions.filters import Cursor, Filters
from dashboard.decisions.selectors import (
    CHANGE,
    EXPENSE,
    PAYMENT,
    REQUEST,
    approvals_of,
    changes_of,
    confirms,
    expenses_of,
    requests_of,
)
from dashboard.mirror.models import Approval, Expense, Request
from dashboard.proposals.models import Proposal

MOMENTS = {EXPENSE: "transaction_date", PAYMENT: "requested_at", REQUEST: "requested_at", CHANGE: "proposed_at"}
# What has a cut-off, and what an amount: an expense has no cut-off, a change of access is to be there on its day.
CUT_OFFS = {PAYMENT: "due_at", REQUEST: "due_at", CHANGE: "effective_at"}
AMOUNTS = {EXPENSE: "amount_minor", PAYMENT: "amount_minor", REQUEST: "amount_minor"}
# Of the same value: expenses first, or last where the smallest value is first.
RANK = {EXPENSE: 3, PAYMENT: 2, REQUEST: 1, CHANGE: 0}
Mirrored = Expense | Approval | Request
Subject = Mirrored | Proposal


@dataclass(frozen=True)
class Part:
    """The rows of one source in one section, and the column that they stand in the order of."""

    rows: QuerySet[Any]
    source: str
    section: int
    column: str
    descending: bool

    def beyond(self, cursor: Cursor | None, *, forward: bool = True) -> QuerySet[Any] | None:
        """What comes after the cursor (or before it); None where nothing of this part does."""
        if cursor is None:
            return self.rows
        if self.section != cursor.section:
            return self.rows if (self.section > cursor.section) == forward else None
        way = "lt" if self.descending == forward else "gt"
        rows = self.rows.filter(**{f"{self.column}__{way}e": cursor.value})
        further = Q(**{f"{self.column}__{way}": cursor.value})
        rank, other = RANK[self.source], RANK[cursor.source]
        if rank == other:
            return rows.filter(further | Q(**{f"id__{way}": cursor.id}))
        return rows if (rank < other) == (way == "lt") else rows.filter(further)

    def ordering(self, *, forward: bool = True) -> tuple[str, str]:
        """The columns that its rows are ordered by, for `order_by`."""
        sign = "-" if self.descending == forward else ""
        return f"{sign}{self.column}", f"{sign}id"


def parts(actor: Actor, filters: Filters) -> Iterator[Part]:
    """The parts of the list that this actor may see, in the order of their sources."""
    yield from _split(EXPENSE, expenses_of(actor, filters), filters.sort)
    if actor.role in operations.LIST_APPROVALS.roles:
        yield from _split(PAYMENT, approvals_of(actor, filters), filters.sort)
    yield from _split(REQUEST, requests_of(actor, filters), filters.sort)
    if confirms(actor):
        yield from _split(CHANGE, changes_of(actor, filters), filters.sort)


def _split(source: str, rows: QuerySet[Any], sort: str) -> Iterator[Part]:
    moment = MOMENTS[source]
    if sort in {"", "age"}:
        yield Part(rows, source, 0, moment, descending=not sort)
        return
    column = (AMOUNTS if sort == "value" else CUT_OFFS).get(source)
    if column is None:
        yield Part(rows, source, 1, moment, descending=True)
        return
    yield Part(rows.filter(**{f"{column}__isnull": False}), source, 0, column, descending=sort == "value")
    if source != EXPENSE:
        yield Part(rows.filter(**{f"{column}__isnull": True}), source, 1, moment, descending=True)


def source_of(subject: Subject) -> str:
    """The source of the inbox that a subject comes from: EXPENSE, PAYMENT, REQUEST or CHANGE."""
    kinds = {Expense: EXPENSE, Approval: PAYMENT, Request: REQUEST, Proposal: CHANGE}
    return kinds[type(subject)]


def cursor_of(subject: Subject, filters: Filters) -> Cursor:
    """Where a subject stands in the list, as the filters order it."""
    source = source_of(subject)
    cut_off, amount = (
        getattr(subject, columns[source]) if source in columns else None for columns in (CUT_OFFS, AMOUNTS)
    )
    return cursor_at(filters.sort, source, getattr(subject, MOMENTS[source]), cut_off, amount, subject.pk)


def cursor_at(
    sort: str, source: str, moment: datetime, cut_off: datetime | None, amount_minor: int | None, row_id: int
) -> Cursor:
    """The cursor of a row by its values; `amount_minor` in minor units."""
    value = {"value": amount_minor, "due": cut_off}.get(sort, moment)
    return Cursor(0, value, source, row_id) if value is not None else Cursor(1, moment, source, row_id)
