"""The order of the inbox by key, never by offset: its parts, where a row stands, and what comes after or before it.

A list has sections that follow each other: what has a cut-off, say, by its cut-off, and then what has none, newest first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from dashboard.access.actor import Actor
from dashboard.decisions.filters import BY_NUMBER, Cursor, Filters
from dashboard.decisions.sources import RANK, Source, source_of, sources_of
from dashboard.mirror.models import Approval, Expense, Request
from dashboard.proposals.models import Proposal

Mirrored = Expense | Approval | Request
Subject = Mirrored | Proposal


@dataclass(frozen=True)
class Part:
    """The rows of one source in one section, and the column that they stand in the order of."""

    rows: QuerySet[Any]
    source: Source
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
        rank, other = RANK[self.source.name], RANK[cursor.source]
        if rank == other:
            return rows.filter(further | Q(**{f"id__{way}": cursor.id}))
        return rows if (rank < other) == (way == "lt") else rows.filter(further)

    def ordering(self, *, forward: bool = True) -> tuple[str, str]:
        """The columns that its rows are ordered by, for `order_by`."""
        sign = "-" if self.descending == forward else ""
        return f"{sign}{self.column}", f"{sign}id"


def parts(actor: Actor, filters: Filters) -> Iterator[Part]:
    """The parts of the list that this actor may see, in the order of their sources."""
    for source in sources_of(actor):
        yield from _split(source, source.rows(actor, filters), filters.sort)


def _split(source: Source, rows: QuerySet[Any], sort: str) -> Iterator[Part]:
    if sort in {"", "age"}:
        yield Part(rows, source, 0, source.moment, descending=not sort)
        return
    column = {"value": source.amount, "due": source.cut_off, "risk": source.risk}[sort]
    if not column:
        yield Part(rows, source, 1, source.moment, descending=True)
        return
    yield Part(rows.filter(**{f"{column}__isnull": False}), source, 0, column, descending=sort in BY_NUMBER)
    if source.lacks(column):
        yield Part(rows.filter(**{f"{column}__isnull": True}), source, 1, source.moment, descending=True)


def cursor_of(subject: Subject, filters: Filters) -> Cursor:
    """Where a subject stands in the list, as the filters order it."""
    source = source_of(subject)
    column = {"value": source.amount, "due": source.cut_off, "risk": source.risk}.get(filters.sort, source.moment)
    value = getattr(subject, column) if column else None
    return cursor_at(value, getattr(subject, source.moment), source.name, subject.pk)


def cursor_at(value: datetime | int | None, moment: datetime, source: str, row_id: int) -> Cursor:
    """The cursor of a row by the value that it stands in the order of, None where it has none: then it is its moment."""
    return Cursor(0, value, source, row_id) if value is not None else Cursor(1, moment, source, row_id)
