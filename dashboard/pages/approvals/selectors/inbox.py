"""The rows of the inbox as they are read: all its sources merged in one order by one query.

The budget is tight (performance.md): tuples instead of objects, strings formatted once by the mirror.
"""

from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import BigIntegerField, Case, CharField, DateTimeField, F, Func, SmallIntegerField, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from dashboard.access.actor import Actor
from dashboard.decisions.filters import Cursor, Filters
from dashboard.decisions.selectors import CHANGE, EXPENSE, PAYMENT, REQUEST
from dashboard.pages.approvals.selectors.cursors import RANK, Part, parts

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
# Each source's columns in the order of SourceRow, from `remote_id` on.
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


def _merged(rows: list[SourceRow], sort: str, *, forward: bool) -> list[SourceRow]:
    if sort in {"", "age"}:
        return sorted(rows, key=lambda row: (row.moment, RANK[row.source], row.pk), reverse=(not sort) == forward)
    first, second = ([row for row in rows if row.section == section] for section in (0, 1))
    column, largest_first = ("amount_minor", True) if sort == "value" else ("cut_off", False)
    first.sort(key=lambda row: (getattr(row, column), RANK[row.source], row.pk), reverse=largest_first == forward)
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
    rows = rows.annotate(of=Value(part.source, CharField()), section=Cast(Value(part.section), SmallIntegerField()))
    names = COLUMNS[part.source]
    if part.source == EXPENSE:
        rows, names = rows.annotate(no_time=NO_TIME), (*names, "no_time")
    elif part.source == REQUEST:
        rows = rows.annotate(no_risk=NO_RISK)
    elif part.source == CHANGE:
        rows = rows.annotate(**OF_CHANGE)
    ordered = rows.order_by(*part.ordering(forward=forward))
    return ordered.values_list("of", "section", "id", *names)[:most]
