"""How many rows a query leaves and what they come to per currency: never a scan, unless somebody asks for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.core.exceptions import EmptyResultSet
from django.db import connection, transaction

from dashboard.access.actor import Actor
from dashboard.client.money import text
from dashboard.lists.query import Query

# Counted exactly up to here; beyond it "more than", with a way to have it counted.
COUNTED = 10_000
PATIENCE_MS = 20_000


@dataclass(frozen=True)
class Totals:
    """`more`: there are more than `count`, and the sums (per currency, as text) were not made."""

    count: int
    more: bool = False
    sums: list[str] = field(default_factory=list)
    noun: tuple[str, str] = ("row", "rows")

    @property
    def sentence(self) -> str:
        """ "1,204 expenses · KES 1,200.50 · USD 40.00"."""
        said = f"{'more than ' if self.more else ''}{self.count:,} {self.noun[self.count != 1]}"
        return " · ".join([said, *self.sums])


def totals_of(actor: Actor, query: Query, *, whole: bool = False) -> Totals:
    """The totals of what the query leaves; with `whole` however many those are."""
    found = query.rows(actor).order_by()
    currency, minor = query.of.money or ("pk", "pk")
    found = found.values_list(currency, minor)
    try:
        inner, params = (found if whole else found[: COUNTED + 1]).query.sql_with_params()
    except EmptyResultSet:
        return Totals(0, noun=query.of.noun)
    with_sums = "select code, count(*), sum(minor) from ({}) as found(code, minor) group by code order by code"
    without = "select null, count(*), 0 from ({}) as found(code, minor)"
    statement = (with_sums if query.of.money else without).format(inner)  # the ORM's own, its parameters stay apart
    with transaction.atomic(), connection.cursor() as cursor:
        if whole:
            cursor.execute("select set_config('statement_timeout', %s, true)", [f"{PATIENCE_MS}ms"])
        cursor.execute(statement, params)
        found_sums = cursor.fetchall()
    count = sum(many for _, many, _ in found_sums)
    if count > COUNTED and not whole:
        return Totals(COUNTED, more=True, noun=query.of.noun)
    locale = actor.business.locale
    sums = [text(int(minor), code, locale) for code, _, minor in found_sums if code]
    return Totals(count, sums=sums, noun=query.of.noun)
