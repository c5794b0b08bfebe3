"""The inbox in each of its orders: whole, without a gap or a repeat, forwards and backwards; cut-offs in words."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.decisions.cursors import cursor_of
from dashboard.decisions.filters import SORTS, Filters, InboxCursor
from dashboard.decisions.inbox import inbox_key, neighbour
from dashboard.mirror.models import Approval, ApprovalRequest, Expense
from dashboard.pages.approvals.tables.inbox import inbox_page
from dashboard.times import age
from tests.dashboard.pages.conftest import House


def mixed(house: House, count: int = 40) -> None:
    """Rows of all sources: some at the same moment, with the same amount, the same cut-off, or none."""
    now = timezone.now()
    for number in range(count):
        moment = now - timedelta(minutes=number // 3)
        due = now + timedelta(hours=number // 5) if number % 2 else None
        worth = 1000 * (number // 4)
        if number % 3 == 0:
            house.expense(transaction_date=moment, amount_minor=worth, risk=number % 7)
        elif number % 3 == 1:
            house.payment(requested_at=moment, amount_minor=worth, due_at=due, risk=number % 5)
        else:
            house.request(requested_at=moment, amount_minor=worth if number % 4 else None, due_at=due)


def keys(house: House) -> dict[str, Any]:
    subjects: list[Any] = [*Expense.objects.filter(business=house.business)]
    subjects += [
        *Approval.objects.filter(business=house.business),
        *ApprovalRequest.objects.filter(business=house.business),
    ]
    sources = {Expense: "expense", Approval: "payment", ApprovalRequest: "request"}
    return {
        inbox_key(sources[type(subject)], getattr(subject, "kind", ""), subject.remote_id): subject
        for subject in subjects
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
        cursor = InboxCursor.read(lines.next, filters.order)
    whole = keys(house)
    assert len(seen) == len(set(seen)) == len(whole)
    subjects = [whole[key] for key in seen]
    if sort == "value":
        worth = [subject.amount_minor for subject in subjects]
        assert worth[: len(worth) - worth.count(None)] == sorted((w for w in worth if w is not None), reverse=True)
    if sort == "risk":
        risks = [subject.risk for subject in subjects if hasattr(subject, "risk")]
        assert risks == sorted(risks, reverse=True)
        assert len(set(risks)) > 1
        assert not any(hasattr(subject, "risk") for subject in subjects[len(risks) :])
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
    "query", ["sort=colour", "sort=value&after=MH5hfmV4cGVuc2V-MQ", "sort=due&after=OX4xfmV4cGVuc2V-MQ", "after=eA"]
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


def test_only_what_waits_for_oneself_is_sorted_by_risk_since_the_other_tabs_hold_ones_own_expenses(
    house: House,
) -> None:
    house.expense(risk=70)
    apollo = house.browser("Apollo")
    assert 'aria-sort="descending"' in apollo.get(house.address("approvals/?sort=risk")).content.decode()
    answer = apollo.get(house.address("approvals/?sort=risk&show=others"))
    assert answer.status_code == 400
    assert "Only what waits for you can be sorted by risk." in answer.content.decode()
    # The tabs beside it are opened in their usual order.
    waiting = apollo.get(house.address("approvals/?sort=risk")).content.decode()
    assert "show=others&amp;sort=risk" not in waiting
