"""Queries that the ORM writes once: a page that asks the same each time pays for running them, and not for writing them anew,
which costs several times that.

A query is written with stand-ins in place of what differs from one run to the next; the scopes (scopes.py) stay what they are,
since they are asked for an actor of the same rights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.access.roles import Role

Row = TypeVar("Row", bound=Model)

# Stand-ins: no row has them. A list is written as a list of one, and run as an array of any length.
ANY_BUSINESS, ANY_ID, ANY_TEXT, ANY_MOMENT = -1, -2, "\ue000", datetime(1, 1, 2, tzinfo=UTC)
ANY_LIST, ANOTHER_LIST = "\ue001", "\ue002"
LISTS = (ANY_LIST, ANOTHER_LIST)


class RowScope(NamedTuple):
    """All that says which rows somebody sees by some operations, but for the business."""

    role: Role
    employee_id: str
    teams: frozenset[str]
    grants: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, actor: Actor, *scoped_by: Operation) -> RowScope:
        """The scope of an actor by these operations: all whose role reaches all rows of each are alike, and for others it is what
        scopes.py looks at of them. ValueError where a value is a stand-in.

        An operation that is forgotten here cannot show more: without an employee, teams and grants there is less to see.
        """
        if all(actor.role in operation.roles and operation.rows.reaches_all(actor.role) for operation in scoped_by):
            return cls(actor.role, "", frozenset(), frozenset())
        if {actor.employee_id, *actor.teams, *chain.from_iterable(actor.grants)} & {ANY_TEXT, *LISTS}:
            raise ValueError("a stand-in among the rights of an actor")
        return cls(actor.role, actor.employee_id, actor.teams, actor.grants)

    def stand_in(self) -> Actor:
        """Somebody with these rights in no business in particular, for whom a query is written."""
        business = Business(pk=ANY_BUSINESS)
        return Actor(None, business, self.role, self.employee_id, self.teams, grants=self.grants)


class WrittenQuery(Generic[Row]):
    """A query of model rows with its statement, which is run with other values each time.

    The query may leave columns out (`only`, `defer`) and read related rows with it (`select_related`).
    """

    def __init__(self, rows: QuerySet[Row]) -> None:
        # Its parts have no types of their own.
        compiler: Any = rows.query.get_compiler(using=rows.db)
        self._alias: str = rows.db
        self._model: type[Row] = rows.model
        self._statement = ""
        self._places: tuple[Any, ...] = ()
        try:
            written, places = compiler.as_sql()
        except EmptyResultSet:
            return
        self._statement, self._places = _with_arrays(written, places), tuple(places)
        chosen = compiler.klass_info["select_fields"]
        self._own = slice(chosen[0], chosen[-1] + 1)
        self._names = [column[0].target.attname for column in compiler.select[self._own]]
        self._converted: list[tuple[int, Sequence[Callable[..., Any]], Any]] = [
            (at, converters, expression)
            for at, (converters, expression) in compiler.get_converters(
                [column[0] for column in compiler.select]
            ).items()
        ]
        # The types are of a later Django, which asks for one argument more.
        self._related = get_related_populators(compiler.klass_info, compiler.select, self._alias)  # type: ignore[call-arg]

    def run(self, values: Mapping[Any, Any]) -> list[Row]:
        """The rows, with `values` in the place of the stand-ins: a text, a number or a moment, and for a list its values."""
        if not self._statement:
            return []
        connection = connections[self._alias]
        with connection.cursor() as cursor:
            cursor.execute(self._statement, [values.get(place, place) for place in self._places])
            fetched = cursor.fetchall()
        return [self._instance(columns, connection) for columns in fetched]

    def _instance(self, columns: Sequence[Any], connection: BaseDatabaseWrapper) -> Row:
        if self._converted:
            columns = list(columns)
            for at, converters, expression in self._converted:
                for convert in converters:
                    columns[at] = convert(columns[at], expression, connection)
        instance = self._model.from_db(self._alias, self._names, columns[self._own])
        for related in self._related:
            related.populate(columns, instance)
        return instance


def _with_arrays(statement: str, places: Sequence[Any]) -> str:
    """The statement with `= ANY(%s)` for each list of one stand-in."""
    pieces = statement.split("%s")
    for at, place in enumerate(places):
        if place in LISTS:
            if not pieces[at].endswith("IN (") or not pieces[at + 1].startswith(")"):
                raise ValueError("a list stands elsewhere than in IN")
            pieces[at] = f"{pieces[at].removesuffix('IN (')}= ANY("
    return "%s".join(pieces)
