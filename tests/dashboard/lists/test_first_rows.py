"""A search finds the same rows in the same order, whichever way they are looked for: among few, along the order, by the index."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import DEFAULT_DB_ALIAS

from dashboard.lists import first_rows
from dashboard.lists.columns import List
from dashboard.lists.query import ListCursor, Query
from dashboard.mirror.models import Bill, Vendor
from dashboard.pages.bills.tables.bills import BILLS
from dashboard.pages.vendors.tables import VENDORS
from tests.dashboard.pages.conftest import House

COUNT = 5
# How many rows are few, and how many of the order are walked: so that each of the ways is taken.
WAYS = {"among few": (1000, 1000), "along the order": (-1, 1000), "by the index": (-1, 1), "partly along it": (-1, 7)}


@pytest.fixture
def vendors(house: House) -> None:
    now = house._mirrored()["last_seen"]
    Vendor.objects.bulk_create(
        Vendor(
            **house._mirrored(), remote_id=f"{n:024x}", name=f"{'Acacia' if n % 3 else 'Baobab'} {n % 5}", email=f"v{n}@example.test",
            status="ACTIVE", created_at=now - timedelta(minutes=n % 4),
        )
        for n in range(1, 31)
    )  # fmt: skip


def found(of: List, house: House, text: str, cursor: ListCursor | None = None) -> list[str]:
    query = Query.parse(of, text)
    query = Query(query.of, query.values, query.q, query.sort, query.cols, cursor)
    return [row.remote_id for row in query.first(house.actor("Ada"), COUNT, DEFAULT_DB_ALIAS)[:COUNT]]


@pytest.mark.usefixtures("vendors")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("sort", ["name", "-name", "added", "-added"])
def test_each_way_finds_the_same(house: House, monkeypatch: pytest.MonkeyPatch, way: str, sort: str) -> None:
    few, walked = WAYS[way]
    monkeypatch.setattr(first_rows, "FEW", few)
    monkeypatch.setattr(first_rows, "WALKED", walked)
    for search in ("acacia", "baobab", "v7@example.test", "v1", "nothing", "---", "Baobab 3"):
        query = Query.parse(VENDORS, f"q={search}&sort={sort}")
        expected = list(query.ordered(house.actor("Ada")))
        assert found(VENDORS, house, f"q={search}&sort={sort}") == [row.remote_id for row in expected[:COUNT]]
        if len(expected) > COUNT:
            last = expected[COUNT - 1]
            after = ListCursor(last.sort_name if "name" in sort else last.created_at, last.pk)
            following = [row.remote_id for row in expected[COUNT : 2 * COUNT]]
            assert found(VENDORS, house, f"q={search}&sort={sort}", after) == following


def test_a_range_of_due_days_leaves_out_no_bill_whatever_its_term(house: House) -> None:
    now = date(2026, 11, 1)
    for n, (issued, term) in enumerate([(0, 0), (1, 30), (-400, 400), (5, 3), (-10, 90), (20, 1)]):
        Bill.objects.create(
            **house._mirrored(), remote_id=f"{n:024x}", bill_no=f"B-{n}", number_key=f"b{n}", vendor_id="v", vendor_name="Paper",
            currency="KES", total_minor=100, balance_minor=100, issued_on=now + timedelta(days=issued),
            due_on=now + timedelta(days=issued + term), status="OPEN", approval_status="INITIALIZED",
        )  # fmt: skip
    actor = house.actor("Ada")
    for days in ("since=2026-11-01", "until=2026-11-09", "since=2026-11-02&until=2026-11-21", "since=2027-06-01", ""):
        for sort in ("issued", "-issued"):
            query = Query.parse(BILLS, f"show=ALL&{days}&sort={sort}")
            assert not query.problems
            assert list(query.first(actor, COUNT, DEFAULT_DB_ALIAS)) == list(query.ordered(actor)), (days, sort)


def test_a_range_of_due_days_says_where_the_order_of_issue_begins(house: House) -> None:
    query = Query.parse(BILLS, "show=ALL&since=2026-11-01&sort=issued")
    statement = str(query.first(house.actor("Ada"), COUNT, DEFAULT_DB_ALIAS).query)
    assert '"issued_on" >= ' in statement
    assert '"issued_on" >= ' not in str(
        Query.parse(BILLS, "show=ALL&since=2026-11-01").first(house.actor("Ada"), COUNT, DEFAULT_DB_ALIAS).query
    )
