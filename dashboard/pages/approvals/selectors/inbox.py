"""The rows of the inbox as they are read: all its sources merged in one order by one query.

The budget is tight (performance.md): tuples instead of objects, strings formatted once by the mirror.
"""

from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import CharField, SmallIntegerField, Value
from django.db.models.functions import Cast

from dashboard.access.actor import Actor
from dashboard.decisions.filters import BY_NUMBER, EXPENSE, REQUEST, Cursor, Filters
from dashboard.decisions.sources import RANK
from dashboard.mirror.scopes import visible_expenses
from dashboard.pages.approvals.selectors.cursors import Part, parts


class SourceRow(NamedTuple):
    """A row of any source. `group` is an expense's team, else its kind; `risk` is -1 where there is none; `moment` is when
    it was asked for or spent."""

    source: str
    section: int
    pk: int
    remote_id: str
    title: str
    person: str
    group: str
    risk: int
    amount_text: str
    status: str
    amount_minor: int | None
    moment: datetime
    cut_off: datetime | None

    @property
    def key(self) -> str:
        """What names it in the inbox."""
        return key_of(self.source, self.group, self.remote_id)

    def place(self, sort: str) -> datetime | int | None:
        """The value by which it stands in this order; None where it has none."""
        risk = None if self.risk < 0 else self.risk
        return {"value": self.amount_minor, "due": self.cut_off, "risk": risk}.get(sort, self.moment)


def key_of(source: str, kind: str, remote_id: str) -> str:
    """What names an item in the inbox, and in its address: "<source or kind>/<remote id>"."""
    return f"{kind.replace('_', '-') if source == REQUEST else source}/{remote_id}"


def neighbour(actor: Actor, filters: Filters, cursor: Cursor, *, forward: bool) -> str:
    """The key of the item after (or before) this one in the list, "" at its end."""
    return next(iter(neighbours(actor, filters, cursor, 1, forward=forward)), "")


def neighbours(actor: Actor, filters: Filters, cursor: Cursor, most: int, *, forward: bool) -> list[str]:
    """The keys of at most `most` items after (or before) this one in the list, the nearest first."""
    return [row.key for row in inbox_rows(actor, replace(filters, cursor=cursor), most, forward=forward)]


def inbox_rows(actor: Actor, filters: Filters, most: int, *, forward: bool = True) -> list[SourceRow]:
    """At most `most` rows of all sources after (or before) the cursor of the filters, in the order of the list."""
    statement = _statement(actor, filters, most, forward)
    if statement is None:
        return []
    with connection.cursor() as cursor:
        cursor.execute(*statement)
        rows = [SourceRow._make(values) for values in cursor.fetchall()]
    return _merged(rows, filters.sort, forward=forward)[:most]


def own_expenses(actor: Actor, rows: list[SourceRow]) -> frozenset[str]:
    """The keys of those rows that are the actor's own expenses: their risk is for others to know."""
    ids = [row.remote_id for row in rows if row.source == EXPENSE]
    own = visible_expenses(actor).filter(employee_id=actor.employee_id or "-", remote_id__in=ids)
    return frozenset(key_of(EXPENSE, "", remote_id) for remote_id in own.values_list("remote_id", flat=True))


def _merged(rows: list[SourceRow], sort: str, *, forward: bool) -> list[SourceRow]:
    if sort in {"", "age"}:
        return sorted(rows, key=lambda row: (row.moment, RANK[row.source], row.pk), reverse=(not sort) == forward)
    first, second = ([row for row in rows if row.section == section] for section in (0, 1))
    first.sort(key=lambda row: (row.place(sort), RANK[row.source], row.pk), reverse=(sort in BY_NUMBER) == forward)
    second.sort(key=lambda row: (row.moment, RANK[row.source], row.pk), reverse=forward)
    return first + second if forward else second + first


@lru_cache(maxsize=1024)
def _statement(actor: Actor, filters: Filters, most: int, forward: bool) -> tuple[str, tuple[Any, ...]] | None:
    # All tables in one query, written by the ORM once per person and address: writing it anew costs as much as running it.
    queries = [
        query for part in parts(actor, filters) if (query := _query(part, filters.cursor, most, forward)) is not None
    ]
    if not queries:
        return None
    together = queries[0].union(*queries[1:], all=True) if len(queries) > 1 else queries[0]
    try:
        sql, params = together.query.sql_with_params()
    except EmptyResultSet:
        return None
    return sql, tuple(params)


def _query(part: Part, cursor: Cursor | None, most: int, forward: bool) -> Any:
    rows = part.beyond(cursor, forward=forward)
    if rows is None:
        return None
    source, section = Value(part.source.name, CharField()), Cast(Value(part.section), SmallIntegerField())
    ordered = rows.order_by(*part.ordering(forward=forward))
    return ordered.values_list(source, section, "id", *part.source.line)[:most]
