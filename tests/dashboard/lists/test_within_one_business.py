"""Every list, with each of its filters, its search, its totals and its file, reads rows of one business alone, by its column.

What is looked at is every statement (tests/one_business.py); here each list is made to run all of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.exceptions import EmptyResultSet

from dashboard.access.actor import Actor
from dashboard.lists.columns import List
from dashboard.lists.filters import Filter
from dashboard.lists.pages import rendered_page
from dashboard.lists.query import Query
from dashboard.lists.registry import REGISTRY
from dashboard.lists.totals import totals_of
from tests import one_business
from tests.dashboard.pages.conftest import House

# One of these is understood by every filter that has no choices.
TYPED = ("2026-01-01", "1", "yes", "KES", "0123", "none")
LISTS = sorted(name for name, listed in REGISTRY.items() if listed.declared is not None)


def queries(of: List, actor: Actor) -> Iterator[Query]:
    """The list as it opens, searched, and by each filter alone."""
    yield Query.parse(of, "")
    if of.search:
        yield Query.parse(of, "q=12")
    for filter_ in of.filters:
        yield from _filtered(of, filter_, actor)


def _filtered(of: List, filter_: Filter, actor: Actor) -> Iterator[Query]:
    chosen = [value for value, _ in filter_.choices_beside(actor, "") or () if value]
    for value in (*chosen[:3], *TYPED):
        query = Query.parse(of, f"{filter_.name}={value}")
        if not query.refused:
            yield query
            if not chosen:
                return


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_held_to_its_business(house: House, name: str) -> None:
    listed = REGISTRY[name]
    assert listed.declared is not None
    house.expense()
    seen = 0
    for person in ("Ada", "Rita", "Carla", "Apollo"):
        actor = house.actor(person)
        for query in queries(listed.declared, actor):
            rendered_page(actor, query)
            totals_of(actor, query, listed.noun)
            try:
                list(query.file(actor)[1][:10])
            except EmptyResultSet:
                continue
            seen += 1
    assert seen > 1


def test_what_crosses_is_noticed(house: House) -> None:
    held = (
        'SELECT * FROM "mirror_expense" WHERE ("mirror_expense"."business_id" = %s AND "mirror_expense"."status" = %s)'
    )
    by_id = 'SELECT * FROM "mirror_expense" WHERE "mirror_expense"."id" = %s'
    joined = 'SELECT * FROM "mirror_card" c INNER JOIN "mirror_expense" e ON (e."card_id" = c."id") WHERE c."business_id" = %s'
    both = f'{joined} AND e."business_id" = c."business_id"'
    inserted = 'INSERT INTO "mirror_expense" ("business_id", "remote_id") VALUES (%s, %s)'
    assert [sorted(one_business.loose(sql)) for sql in (held, by_id, joined, both, inserted)] == [
        [], ["mirror_expense"], ["mirror_expense"], [], [],
    ]  # fmt: skip
    assert one_business.loose("INSERT INTO mirror_expense (remote_id) VALUES (%s)") == {"mirror_expense"}
    assert one_business.loose("SELECT 1 FROM access_user WHERE id = %s") == frozenset()
