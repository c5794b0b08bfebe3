"""The order of the inbox by key, never by offset: its parts, where a row stands, and what comes after or before it.

A list has sections that follow each other (`filters.ORDERS`): what has a cut-off, say, by its cut-off, and then what has
none, newest first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.decisions.filters import ORDERS, Filters, InboxCursor
from dashboard.decisions.registry import DecidedRow
from dashboard.decisions.sources import RANK, InboxSource, UnionColumn, source_of, sources_of
from dashboard.decisions.urgency import PRESSING, usual_deadline
from dashboard.proposals.models import Proposal

InboxRow = DecidedRow | Proposal


@dataclass(frozen=True)
class InboxPart:
    """The rows of one source in one section, and the column that they stand in the order of."""

    rows: QuerySet[Any]
    source: InboxSource
    section: int
    column: str
    descending: bool

    def beyond(self, inbox_cursor: InboxCursor | None, *, forward: bool = True) -> QuerySet[Any] | None:
        """What comes after the cursor (or before it); None where nothing of this part does."""
        if inbox_cursor is None:
            return self.rows
        if self.section != inbox_cursor.section:
            return self.rows if (self.section > inbox_cursor.section) == forward else None
        way = "lt" if self.descending == forward else "gt"
        rows = self.rows.filter(**{f"{self.column}__{way}e": inbox_cursor.value})
        further = Q(**{f"{self.column}__{way}": inbox_cursor.value})
        rank, other = RANK[self.source.name], RANK[inbox_cursor.source]
        if rank == other:
            return rows.filter(further | Q(**{f"id__{way}": inbox_cursor.id}))
        return rows if (rank < other) == (way == "lt") else rows.filter(further)

    def ordering(self, *, forward: bool = True) -> tuple[str, str]:
        """The columns that its rows are ordered by, for `order_by`."""
        sign = "-" if self.descending == forward else ""
        return f"{sign}{self.column}", f"{sign}id"


def parts(actor: Actor, filters: Filters, *, undecided: bool = False) -> Iterator[InboxPart]:
    """The parts of the list that this actor may see, in the order of their sources; with `undecided` without the rows that
    have a decision on its way."""
    for source in sources_of(actor):
        rows = source.waiting(actor, filters) if undecided else source.rows(actor, filters)
        yield from _split(source, rows, filters.order)


def _split(source: InboxSource, rows: QuerySet[Any], order: str) -> Iterator[InboxPart]:
    """The rows of a source by the sections of an order: those with a value in the first of them, then those in the next."""
    for number, section in enumerate(ORDERS[order]):
        column = source.place(section.by, order)
        if not column:
            continue
        rows, name = _named(rows, column, section.by)
        belongs, rest = rows, None
        if section.by == "cut_off" and order == "urgency":
            # As the database's clock says when it runs: the statement is written once for many times.
            horizon = Now() + PRESSING
            belongs = rows.filter(**{f"{name}__lte": horizon})
            rest = rows.filter(Q(**{f"{name}__gt": horizon}) | Q(**{f"{name}__isnull": True}))
        elif number < len(ORDERS[order]) - 1:
            belongs = rows.filter(**{f"{name}__isnull": False})
            rest = rows.filter(**{f"{name}__isnull": True}) if name == "place" or source.lacks(name) else None
        yield InboxPart(belongs, source, number, name, section.descending)
        if rest is None:
            return
        rows = rest


def _named(rows: QuerySet[Any], column: UnionColumn, by: str) -> tuple[QuerySet[Any], str]:
    """The rows with the column under a name that they can be filtered and ordered by."""
    if isinstance(column, str):
        return rows, column
    name = "decide_by" if by == "decide_by" else "place"
    return rows.alias(**{name: column}), name


def cursor_of(subject: InboxRow, filters: Filters) -> InboxCursor:
    """Where a subject stands in the list, as the filters order it."""
    source = source_of(subject)
    moment = getattr(subject, source.moment)
    for number, section in enumerate(ORDERS[filters.order]):
        value = _value_of(subject, source, section.by, filters.order)
        if section.by == "cut_off" and filters.order == "urgency" and value and value > timezone.now() + PRESSING:
            continue
        if value is not None:
            return InboxCursor(number, value, source.name, subject.pk)
    return InboxCursor(len(ORDERS[filters.order]) - 1, moment, source.name, subject.pk)


def _value_of(subject: InboxRow, source: InboxSource, by: str, order: str) -> Any:
    column = source.place(by, order)
    if isinstance(column, str):
        return getattr(subject, column) if column else None
    if by == "decide_by":
        return usual_deadline(getattr(subject, source.moment))
    rows = source.model._default_manager.filter(pk=subject.pk)
    return rows.values_list(column, flat=True).first()
