"""The rows of the inbox as they are read: all its sources merged in one order by one query.

The budget is tight (performance.md): tuples instead of objects, strings formatted once by the mirror.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import BigIntegerField, CharField, Count, F, QuerySet, SmallIntegerField, Sum, Value
from django.db.models.functions import Cast, Coalesce
from psycopg import ClientCursor
from psycopg.pq import Format

from dashboard.access.actor import Actor
from dashboard.decisions.cursors import InboxPart, parts
from dashboard.decisions.filters import EXPENSE_SOURCE, GROUPED, ORDERS, REQUEST_SOURCE, Filters, InboxCursor, Place
from dashboard.decisions.sources import NO_AMOUNT, NO_TEXT, RANK, InboxSource, sources_of
from dashboard.decisions.urgency import reason
from dashboard.mirror.scopes import visible_expenses


class SourceRow(NamedTuple):
    """A row of any source. `group` is an expense's team, else its kind; `risk` is -1 where there is none; `moment` is when
    it was asked for or spent. `stake` and `decide_by` are its places in the order by urgency, `group_key` what the rows of
    its group have in common, "" where they stand in none."""

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
    reference: str
    stake: int | None
    decide_by: int
    group_key: str

    @property
    def key(self) -> str:
        """What names it in the inbox."""
        return inbox_key(self.source, self.group, self.remote_id)

    def place(self, order: str) -> Place:
        """The value by which it stands in its section of this order."""
        value: Place = getattr(self, ORDERS[order][self.section].by)
        return value

    def cursor(self, order: str) -> InboxCursor:
        """Where the list goes on after it."""
        return InboxCursor(self.section, self.place(order), self.source, self.pk)


def inbox_key(source: str, kind: str, remote_id: str) -> str:
    """What names an item in the inbox, and in its address: "<source or kind>/<remote id>"."""
    return f"{kind.replace('_', '-') if source == REQUEST_SOURCE else source}/{remote_id}"


def neighbour(actor: Actor, filters: Filters, inbox_cursor: InboxCursor, *, forward: bool) -> str:
    """The key of the item after (or before) this one in the list, "" at its end."""
    return next(iter(neighbours(actor, filters, inbox_cursor, 1, forward=forward)), "")


def neighbours(actor: Actor, filters: Filters, inbox_cursor: InboxCursor, most: int, *, forward: bool) -> list[str]:
    """The keys of at most `most` items after (or before) this one in the list, the nearest first."""
    return [row.key for row in inbox_rows(actor, replace(filters, cursor=inbox_cursor), most, forward=forward)]


def inbox_rows(
    actor: Actor, filters: Filters, most: int, *, forward: bool = True, undecided: bool = False
) -> list[SourceRow]:
    """At most `most` rows of all sources after (or before) the cursor of the filters, in the order of the list; with
    `undecided` without those that have a decision on its way."""
    statement = _statement(actor, filters, most, forward, undecided)
    if not statement:
        return []
    with connection.cursor() as cursor:
        # Moments and numbers as they are, and not as texts to be read: there are six a row.
        cursor.cursor.format = Format.BINARY
        cursor.execute(statement)
        rows = [SourceRow._make(values) for values in cursor.fetchall()]
    return _merged(rows, filters.order, forward=forward)[:most]


def reason_of(row: SourceRow, now: datetime) -> str:
    """Why a row stands where it does in the order by urgency, in a few words."""
    return reason(row.section, row.place("urgency"), row.moment, row.risk, row.amount_text, now)


def own_expenses(actor: Actor, rows: list[SourceRow]) -> frozenset[str]:
    """The keys of those rows that are the actor's own expenses: their risk is for others to know."""
    ids = [row.remote_id for row in rows if row.source == EXPENSE_SOURCE]
    own = visible_expenses(actor).filter(employee_id=actor.employee_id or "-", remote_id__in=ids)
    return frozenset(inbox_key(EXPENSE_SOURCE, "", remote_id) for remote_id in own.values_list("remote_id", flat=True))


def _merged(rows: list[SourceRow], order: str, *, forward: bool) -> list[SourceRow]:
    merged = []
    sections = list(enumerate(ORDERS[order]))
    for number, section in sections if forward else reversed(sections):
        inside = [row for row in rows if row.section == number]
        inside.sort(key=lambda row: (row.place(order), RANK[row.source], row.pk), reverse=section.descending == forward)
        merged += inside
    return merged


@lru_cache(maxsize=1024)
def _statement(actor: Actor, filters: Filters, most: int, forward: bool, undecided: bool) -> str:
    # All tables in one query, written by the ORM once per person and address: writing it anew costs as much as running it.
    # Its values stand in it: of a statement with values beside it PostgreSQL makes a plan each time (config/settings), and
    # that costs six times what running it does; of one without, a connection makes one and goes by it. "" reads nothing.
    queries = [
        query
        for part in parts(actor, filters, undecided=undecided)
        if (query := _query(part, filters, most, forward)) is not None
    ]
    if not queries:
        return ""
    together = queries[0].union(*queries[1:], all=True) if len(queries) > 1 else queries[0]
    try:
        sql, params = together.query.sql_with_params()
    except EmptyResultSet:
        return ""
    return with_values(sql, params)


def with_values(sql: str, params: Sequence[Any]) -> str:
    """The statement with its values in it, written as the database's own client writes them: for statements that are
    the same many times over, which a connection then plans once."""
    connection.ensure_connection()
    return ClientCursor(connection.connection).mogrify(sql, params)


def _query(part: InboxPart, filters: Filters, most: int, forward: bool) -> Any:
    rows = part.beyond(filters.cursor, forward=forward)
    if rows is None:
        return None
    source, number = part.source, Cast(Value(part.section), SmallIntegerField())
    group = source.group_key(filters.order) if filters.order in GROUPED else ""
    columns = (
        Value(source.name, CharField()), number, "id", *source.line, source.stake or NO_AMOUNT,
        Cast(source.place("decide_by", ""), BigIntegerField()), Coalesce(group, NO_TEXT) if group else NO_TEXT,
    )  # fmt: skip
    return rows.order_by(*part.ordering(forward=forward)).values_list(*columns)[:most]


@dataclass(frozen=True, slots=True)
class Group:
    """What the rows of a group come to: how many there are on all pages, and the sum per currency in minor units."""

    count: int
    sums: dict[str, int]


def groups_of(actor: Actor, filters: Filters, keys: Collection[str]) -> dict[str, Group]:
    """The groups with these keys in the list that the filters show, by key; those that stand in none under ""."""
    groups = {key: Group(0, {}) for key in keys}
    for source in sources_of(actor) if groups else ():
        for key, currency, count, minor in _group_sums(source, actor, filters, keys):
            before = groups[key]
            sums = (
                {**before.sums, currency: before.sums.get(currency, 0) + minor} if currency and minor else before.sums
            )
            groups[key] = Group(before.count + count, sums)
    return groups


def rows_of_group(source: InboxSource, actor: Actor, filters: Filters, key: str) -> QuerySet[Any]:
    """The rows of a source in one group of the list that the filters show."""
    return _with_group(source, source.waiting(actor, filters), filters.order).filter(group_key=key)


def _with_group(source: InboxSource, rows: QuerySet[Any], order: str) -> QuerySet[Any]:
    column = source.group_key(order)
    named: QuerySet[Any] = rows.alias(group_key=Coalesce(column, NO_TEXT) if column else NO_TEXT)
    return named


def _group_sums(
    source: InboxSource, actor: Actor, filters: Filters, keys: Collection[str]
) -> Iterable[tuple[str, str, int, int | None]]:
    rows = _with_group(source, source.waiting(actor, filters), filters.order).filter(group_key__in=list(keys))
    rows = rows.annotate(key=F("group_key")).order_by()
    if not source.currency:
        return ((key, "", count, None) for key, count in rows.values_list("key").annotate(Count("pk")))
    summed: Iterable[tuple[str, str, int, int | None]] = rows.values_list("key", source.currency).annotate(
        Count("pk"), Sum(source.amount)
    )
    return summed
