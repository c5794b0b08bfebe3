"""A search finds the same rows in the same order, whichever way they are looked for: among few, along the order, by the index."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import DEFAULT_DB_ALIAS

from dashboard.lists import first_rows
from dashboard.lists.columns import List
from dashboard.lists.query import ListCursor, Query
from dashboard.mirror import choices
from dashboard.mirror.models import ApprovalRequest, Bill, Vendor
from dashboard.pages.bills.tables.bills import BILLS
from dashboard.pages.payouts.tables import PAYOUTS
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


@pytest.fixture
def many_vendors(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bills of more vendors than a list of them names, so that a vendor is filtered by words of the name."""
    monkeypatch.setattr(choices, "MAX_VENDORS", 2)
    choices._vendors.cache_clear()
    now, day = house._mirrored()["last_seen"], date(2026, 11, 1)
    for n, name in enumerate(("Acacia North", "Acacia South", "Baobab", "Cedar")):
        Vendor.objects.create(**house._mirrored(), remote_id=f"v{n}", name=name, status="ACTIVE", created_at=now)
    Bill.objects.bulk_create(
        Bill(
            **house._mirrored(), remote_id=f"{n:024x}", bill_no=f"B-{n} {'paper' if n % 2 else 'ink'}", number_key=f"b{n}",
            vendor_id=f"v{n % 4}", vendor_name="V", currency="KES", total_minor=100 * (n % 7), balance_minor=100, approval_status="INITIALIZED",
            issued_on=day, due_on=day + timedelta(days=n % 5), status="OPEN" if n % 3 else "PAID",
        )
        for n in range(60)
    )  # fmt: skip


@pytest.mark.usefixtures("many_vendors")
@pytest.mark.parametrize("most", [0, 100_000], ids=["along the order", "collected"])
@pytest.mark.parametrize("sort", ["due", "-due", "amount", "-amount", "issued", "-issued"])
def test_a_vendor_by_words_finds_the_same_along_the_order_and_collected(
    house: House, monkeypatch: pytest.MonkeyPatch, sort: str, most: int
) -> None:
    monkeypatch.setattr(first_rows, "MOST_COLLECTED", most)
    for few, words in ((20_000, ""), (-1, "&q=paper"), (20_000, "&q=paper"), (-1, "&q=B-7")):
        monkeypatch.setattr(first_rows, "FEW", few)
        for text in (f"vendor=acacia&show=ALL&sort={sort}{words}", f"vendor=acacia&sort={sort}{words}"):
            expected = list(Query.parse(BILLS, text).ordered(house.actor("Ada")))
            assert found(BILLS, house, text) == [row.remote_id for row in expected[:COUNT]], text
            if len(expected) > COUNT:
                last = expected[COUNT - 1]
                field = {"due": last.due_on, "amount": last.total_minor, "issued": last.issued_on}[sort.lstrip("-")]
                following = [row.remote_id for row in expected[COUNT : 2 * COUNT]]
                assert found(BILLS, house, text, ListCursor(field, last.pk)) == following, text


@pytest.mark.parametrize("most", [0, 100_000], ids=["along the order", "collected"])
def test_payouts_of_some_days_are_the_same_by_amount_along_the_order_and_collected(
    house: House, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(first_rows, "MOST_COLLECTED", most)
    now = house._mirrored()["last_seen"]
    ApprovalRequest.objects.bulk_create(
        ApprovalRequest(
            **{**house._mirrored(), "payload": {"kind": "BULK_PAYOUT"}}, remote_id=f"{n:024x}", kind="payout", ref=f"P-{n}", title=f"Payout {n}",
            amount_minor=n % 9, currency="KES", requested_at=now - timedelta(days=n), status="COMPLETED" if n % 2 else "FAILED",
        )
        for n in range(40)
    )  # fmt: skip
    for days in (f"since={now.date() - timedelta(days=20)}", f"until={now.date() - timedelta(days=9)}"):
        for rest in (
            "sort=amount",
            "sort=-amount",
            "sort=-created",
            "sort=-amount&status=FAILED",
            "sort=amount&kind=BULK_PAYOUT",
        ):
            query = Query.parse(PAYOUTS, f"{days}&{rest}")
            assert not query.problems
            expected = [row.remote_id for row in query.ordered(house.actor("Ada"))[:COUNT]]
            assert found(PAYOUTS, house, f"{days}&{rest}") == expected, (days, rest)
            assert expected


@pytest.mark.usefixtures("many_vendors")
def test_a_vendor_that_is_chosen_keeps_its_own_order(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its index has the bills of one vendor in the order of their due days: nothing is collected first."""
    monkeypatch.setattr(choices, "MAX_VENDORS", 20)
    choices._vendors.cache_clear()
    query = Query.parse(BILLS, "vendor=v1&show=ALL")
    assert "coalesce" not in str(query.first(house.actor("Ada"), COUNT, DEFAULT_DB_ALIAS).query).lower()
