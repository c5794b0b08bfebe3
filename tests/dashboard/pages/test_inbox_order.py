"""The inbox in each of its orders: whole, without a gap or a repeat, forwards and backwards; cut-offs in words."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.decisions.filters import Cursor, Filters
from dashboard.mirror.models import Approval, Expense, Request
from dashboard.pages.approvals.selectors.cursors import cursor_of
from dashboard.pages.approvals.selectors.inbox import key_of, neighbour
from dashboard.pages.approvals.tables.inbox import inbox_page
from dashboard.times import age
from tests.dashboard.pages.conftest import House

SORTS = ["", "age", "due", "value"]


def mixed(house: House, count: int = 40) -> None:
    """Rows of all sources: some at the same moment, with the same amount, the same cut-off, or none."""
    now = timezone.now()
    for number in range(count):
        moment = now - timedelta(minutes=number // 3)
        due = now + timedelta(hours=number // 5) if number % 2 else None
        worth = 1000 * (number // 4)
        if number % 3 == 0:
            house.expense(transaction_date=moment, amount_minor=worth)
        elif number % 3 == 1:
            house.payment(requested_at=moment, amount_minor=worth, due_at=due)
        else:
            house.request(requested_at=moment, amount_minor=worth if number % 4 else None, due_at=due)


def keys(house: House) -> dict[str, Any]:
    subjects: list[Any] = [*Expense.objects.filter(business=house.business)]
    subjects += [*Approval.objects.filter(business=house.business), *Request.objects.filter(business=house.business)]
    sources = {Expense: "expense", Approval: "payment", Request: "request"}
    return {
        key_of(sources[type(subject)], getattr(subject, "kind", ""), subject.remote_id): subject for subject in subjects
    }


@pytest.mark.parametrize("sort", SORTS)
def test_page_after_page_every_row_comes_once_and_in_order(house: House, sort: str) -> None:
    mixed(house)
    actor, now, seen, cursor = house.actor("Apollo"), timezone.now(), [], None
    filters = Filters(sort=sort)
    for _ in range(20):
        lines = inbox_page(actor, replace(filters, cursor=cursor), now, limit=7)
        seen += [row.key for row in lines.rows]
        if not lines.next:
            break
        cursor = Cursor.read(lines.next, sort)
    whole = keys(house)
    assert len(seen) == len(set(seen)) == len(whole)
    subjects = [whole[key] for key in seen]
    if sort == "value":
        worth = [subject.amount_minor for subject in subjects]
        assert worth[: len(worth) - worth.count(None)] == sorted((w for w in worth if w is not None), reverse=True)
    if sort == "due":
        due = [subject.due_at for subject in subjects if getattr(subject, "due_at", None)]
        assert due == sorted(due)
        assert all(getattr(subject, "due_at", None) is None for subject in subjects[len(due) :])


@pytest.mark.parametrize("sort", SORTS)
def test_the_neighbours_are_those_of_the_list_both_ways(house: House, sort: str) -> None:
    mixed(house, 24)
    actor, filters = house.actor("Apollo"), Filters(sort=sort)
    order = [row.key for row in inbox_page(actor, filters, timezone.now()).rows]
    whole = keys(house)
    for at, key in enumerate(order):
        cursor = cursor_of(whole[key], filters)
        after, before = (neighbour(actor, filters, cursor, forward=way) for way in (True, False))
        assert after == (order[at + 1] if at + 1 < len(order) else "")
        assert before == (order[at - 1] if at else "")


def test_a_cut_off_that_is_soon_or_over_is_said_in_words(house: House) -> None:
    now = timezone.now()
    for title, hours in (("Over", -2), ("Soon", 5.5), ("Later", 80)):
        house.payment(title=title, due_at=now + timedelta(hours=hours))
    body = house.browser("Apollo").get(house.address("approvals/?sort=due")).content.decode()
    assert re.findall(r'<span class="due (\w*)">([^<]+)<', body) == [
        ("late", "overdue 2\xa0h"), ("soon", "soon: 5\xa0h"), ("", "in 3\xa0d"),
    ]  # fmt: skip
    assert 'aria-sort="ascending"' in body


@pytest.mark.parametrize(
    "query", ["sort=colour", "sort=value&after=MH5hfmV4cGVuc2V-MQ", "sort=due&after=OX4xfmV4cGVuc2V-MQ"]
)
def test_an_order_or_a_page_that_makes_no_sense_is_told(house: House, query: str) -> None:
    house.expense()
    assert house.browser("Apollo").get(house.address(f"approvals/?{query}")).status_code == 400


def test_the_order_stays_while_one_goes_on_and_in_the_file(house: House) -> None:
    small, large = house.expense(amount_minor=100), house.expense(amount_minor=900_000)
    body = (
        house.browser("Apollo").get(house.address(f"approvals/expense/{large.remote_id}/?sort=value")).content.decode()
    )
    assert (
        f'rel="next" href="{house.address(f"approvals/expense/{small.remote_id}/")}?show=mine&amp;sort=value"' in body
    )


def test_a_longer_time_never_looks_shorter() -> None:
    now = timezone.now()
    ages = [age(now - timedelta(minutes=minutes), now) for minutes in (0, 119, 120, 47 * 60, 48 * 60, 71 * 60)]
    assert ages == ["1\xa0min", "119\xa0min", "2\xa0h", "47\xa0h", "2\xa0d", "2\xa0d"]
