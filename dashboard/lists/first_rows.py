"""Which way the rows of a list are looked for where something is searched: those that a page begins with, and those that are counted.

How many rows a search finds is what the planner knows least: of the beginning of a word it takes a guess. Where it guesses many
and there is one, it walks the whole order to find it; where it guesses few and all match, it collects and sorts all of them. How
many rows the filters leave it knows well. Few of them are looked through, one by one; of many the order is walked for a while, and
if that fills no page, what is searched is rare: then it is found by the index of words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import BooleanField, ExpressionWrapper, F, Q, QuerySet
from django.db.models.functions import Coalesce

# So many rows are looked through and sorted in some tens of milliseconds.
FEW = 20_000
# How many rows of the order are looked at first: those take some milliseconds. What is found less often than fifty times among
# them, a million rows hold 25,000 times at most, unless it stands together at the other end of the order.
WALKED = 2_000
# So many rows are put into another order within some tens of milliseconds where an index holds all that decides it.
MOST_COLLECTED = 100_000
ALL = 1_000_000_000
ROWS_OF_PLAN = re.compile(r"rows=([0-9]+)")
MOSTLY = 1.2
COUNT_AMONG = "select count(*) from (select from ({}) as walked(is_match) where is_match::boolean limit {}) as matching"
SUMS_AMONG = "select code, minor from ({}) as walked(code, minor, is_match) where is_match::boolean limit {}"
MATCHES_AMONG = "select pk from ({}) as walked(pk, is_match) where is_match::boolean"


def ordering(order: tuple[str, bool]) -> tuple[str, str]:
    """What the database sorts by: a field and the primary key, both falling or neither."""
    name, falling = order
    return (f"-{name}", "-pk") if falling else (name, "pk")


def first_rows(
    rows: QuerySet[Any], terms: Q | None, order: tuple[str, bool], count: int, alias: str, *, is_covered: bool = False
) -> QuerySet[Any, Any]:
    """Of `rows` those that match the terms of a search (None without one), sorted by a field and the primary key, falling or not. Only the
    first `count` can be relied on. With `is_covered` an index holds what decides on the rows and their order: they are collected from it,
    since an order of another field says nothing of where they stand in it, and the planner expects them everywhere."""
    name, falling = order
    ordered = rows.order_by(*ordering(order))
    if terms is None and not is_covered:
        return ordered
    # No index has this order: so all rows are found before any is sorted.
    unindexed = Coalesce(F(name), F(name))
    collected = rows.order_by(*((unindexed.desc(), "-pk") if falling else (unindexed.asc(), "pk")))
    estimate = _estimate(rows, alias)
    is_covered = is_covered and estimate <= MOST_COLLECTED
    if terms is None:
        return ordered.filter(pk__in=collected.values("pk")[:count]) if is_covered else ordered
    if estimate <= FEW:
        return ordered.filter(pk__in=_matches_among(collected, ALL, terms, f" limit {count}", alias))
    # Without a limit of what is found: with one the planner would expect to need the first few rows alone.
    first = ordered.filter(pk__in=collected.values("pk")[:WALKED]) if is_covered else ordered
    ids = _matches_among(first, WALKED, terms, "", alias)[:count]
    return ordered.filter(pk__in=ids) if len(ids) == count else collected.filter(terms)


def sums_among_few(
    rows: QuerySet[Any], terms: Q, money: Sequence[Any], most: int, alias: str
) -> tuple[str, Sequence[Any]] | None:
    """The statement, with its parameters, of the currency and the minor units of `most` rows that match; None where so many rows are to be
    looked through that an index is better asked."""
    if _estimate(rows, alias) > FEW:
        return None
    is_match = ExpressionWrapper(terms, output_field=BooleanField())
    walked = rows.order_by().annotate(is_match=is_match).values_list(*money, "is_match")[:ALL]
    statement, params = walked.query.sql_with_params()
    return SUMS_AMONG.format(statement, most), params


def are_most(rows: QuerySet[Any], terms: Q, most: int, alias: str) -> bool:
    """Whether nearly all rows match, of more than `most`: so many are found among hardly more, and an index would name all of them."""
    is_match = ExpressionWrapper(terms, output_field=BooleanField())
    walked = rows.order_by().annotate(is_match=is_match).values_list("is_match")[: int(most * MOSTLY)]
    statement, params = walked.query.sql_with_params()
    with connections[alias].cursor() as cursor:
        cursor.execute(COUNT_AMONG.format(statement, most), params)
        [[count]] = cursor.fetchall()
    return bool(count >= most)


def _estimate(rows: QuerySet[Any], alias: str) -> int:
    """How many rows the planner expects."""
    try:
        plan = rows.order_by().using(alias).explain()
    except EmptyResultSet:
        return 0
    # Its first line is of the whole: "Seq Scan on mirror_bill  (cost=0.00..6250.00 rows=100000 width=4)".
    estimate = ROWS_OF_PLAN.search(plan)
    return int(estimate[1]) if estimate else 0


def _matches_among(rows: QuerySet[Any], most: int, terms: Q, limit: str, alias: str) -> list[int]:
    """The keys of those that match among the first rows, `most` of them, in their order. The terms are looked at row by row, after the rows are taken, by no index."""
    is_match = ExpressionWrapper(terms, output_field=BooleanField())
    try:
        walked = rows.annotate(is_match=is_match).values_list("pk", "is_match")[:most]
        statement, params = walked.query.sql_with_params()
    except EmptyResultSet:
        return []
    with connections[alias].cursor() as cursor:
        cursor.execute(MATCHES_AMONG.format(statement) + limit, params)
        return [key for (key,) in cursor.fetchall()]
