"""How many rows a query leaves and what they come to per currency: never a scan, unless somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connections, transaction

from dashboard.access.actor import Actor
from dashboard.lists.query import Query
from dashboard.lists.registry import ListQuery
from dashboard.money import text
from dashboard.replica import PRIMARY

# Counted exactly up to here; beyond it "more than", with a way to have it counted.
COUNTED = 10_000
PATIENCE_MS = 20_000
# Around a statement of the ORM's own, whose parameters stay apart.
SUMMED = "select code, count(*), sum(minor::bigint) from ({}) as found(code, minor) group by code order by code"


@dataclass(frozen=True)
class Totals:
    """`more`: there are more than `count`, and the sums (per currency, as text) were not made.

    `title` is what the sums are, where that is more than amounts.
    """

    count: int
    more: bool = False
    sums: list[str] = field(default_factory=list)
    noun: tuple[str, str] = ("row", "rows")
    title: str = ""

    @property
    def figures(self) -> list[str]:
        """How many, and the sum of each currency: "1,204 cards", "KES 1,200.50 spent this month"."""
        sums = [f"{amount} {self.title}".rstrip() for amount in self.sums]
        return [f"{'more than ' if self.more else ''}{self.count:,} {self.noun[self.count != 1]}", *sums]


def totals_of(
    actor: Actor, query: ListQuery, noun: tuple[str, str], *, title: str = "", whole: bool = False, alias: str = PRIMARY
) -> Totals:
    """The totals of what is asked for, whose sums are `title`; with `whole` however many rows those are. They are read from
    the database `alias`."""
    try:
        statement = None if whole else _among_few(actor, query, alias)
        if statement is None and not whole and isinstance(query, Query) and query.are_most(actor, COUNTED + 1, alias):
            return Totals(COUNTED, more=True, noun=noun)
        rows = query.sums(actor)
        inner, params = statement or (rows if whole else rows[: COUNTED + 1]).query.sql_with_params()
    except EmptyResultSet:
        return Totals(0, noun=noun)
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        if whole:
            cursor.execute("select set_config('statement_timeout', %s, true)", [f"{PATIENCE_MS}ms"])
        cursor.execute(SUMMED.format(inner), params)
        groups: list[tuple[str | None, int, Decimal | None]] = cursor.fetchall()
    count = sum(many for _, many, _ in groups)
    if count > COUNTED and not whole:
        return Totals(COUNTED, more=True, noun=noun)
    return Totals(count, sums=format_sums(groups, actor), noun=noun, title=title)


def _among_few(actor: Actor, query: ListQuery, alias: str) -> tuple[str, Sequence[Any]] | None:
    return query.sums_among_few(actor, COUNTED + 1, alias) if isinstance(query, Query) else None


def format_sums(groups: Iterable[tuple[str | None, int, Decimal | None]], actor: Actor) -> list[str]:
    """The sums of (currency, rows, minor units) as text; rows that are no money have none."""
    return [text(int(minor), code, actor.business.locale) for code, _, minor in groups if code and minor is not None]
