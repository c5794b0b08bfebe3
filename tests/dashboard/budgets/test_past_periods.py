"""A budget as a period ended, and the way from what was spent on expenses to exactly these."""

from __future__ import annotations

import html
import re
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from dashboard.mirror.models import Category, Expense
from dashboard.pages.budgets.forms import past_periods
from tests.dashboard.budgets.test_budgets import add, all_of
from tests.dashboard.conftest import World
from tests.days import business_day


def page(answer: Any) -> str:
    text = html.unescape(re.sub(r"<[^>]*>", " ", answer.content.decode()))
    return re.sub(r"\s+", " ", text).replace("\xa0", " ")


@pytest.mark.parametrize(
    ("period", "today", "newest", "count"),
    [
        ("MONTH", date(2026, 1, 1), [("2025-12-01", "December 2025"), ("2025-11-01", "November 2025")], 24),
        ("QUARTER", date(2026, 11, 25), [("2026-07-01", "July to September 2026"), ("2026-04-01", "April to June 2026")], 12),
        ("QUARTER", date(2026, 1, 31), [("2025-10-01", "October to December 2025")], 12),
        ("YEAR", date(2026, 12, 31), [("2025-01-01", "2025"), ("2024-01-01", "2024")], 5),
    ],
)  # fmt: skip
def test_the_periods_that_can_be_chosen_have_ended(
    period: str, today: date, newest: list[tuple[str, str]], count: int
) -> None:
    periods = past_periods(period, today)
    assert periods[: len(newest)] == newest
    assert len(periods) == count


def last_month() -> tuple[date, date]:
    """First and last day of the month before this one, in Nairobi."""
    today = business_day()
    newest = date.fromisoformat(past_periods("MONTH", today)[0][0])
    return newest, date.fromordinal(today.replace(day=1).toordinal() - 1)


def budget_with_expenses(world: World) -> tuple[dict[str, Any], str]:
    """A budget of a category under which there are expenses, and the category's id."""
    world.sandbox("expenses", count=6)
    world.sync("hot")
    expenses = world.upstream("/expenses", limit=50)["docs"]
    category_id = Category.objects.get(business=world.business, remote_id=expenses[0]["subcategory"]["_id"]).category_id
    assert add(world, category=category_id, amount="900,000").status_code == 302
    return all_of(world)[0], category_id


def test_what_was_spent_leads_to_exactly_its_expenses(world: World) -> None:
    budget, category_id = budget_with_expenses(world)
    ada = world.client("Ada")
    source = ada.get(world.address(f"budgets/{budget['_id']}/")).content.decode()
    [query] = re.findall(r'href="[^"]*/expenses/\?([^"]*)"', source)
    answer = ada.get(world.address(f"expenses/?{html.unescape(query)}"))
    assert answer.status_code == 200
    rows = Expense.objects.filter(
        business=world.business,
        currency="KES",
        subcategory_id__in=Category.objects.filter(category_id=category_id).values("remote_id"),
    ).exclude(status__in=("REJECTED", "REFUNDED", "DELETED"))
    inside = [
        row
        for row in rows
        if budget["period_start"] <= row.transaction_date.astimezone(ZoneInfo("Africa/Nairobi")).date().isoformat()
    ]
    assert inside
    assert sum(row.amount_minor for row in inside) == budget["expenses_minor"]
    listed = set(re.findall(r"/expenses/([0-9a-f]{24})/", answer.content.decode()))
    assert listed == {row.remote_id for row in inside}


def test_a_period_that_has_ended_says_so_and_what_it_came_to(world: World) -> None:
    budget, _ = budget_with_expenses(world)
    first, last = last_month()
    ada = world.client("Ada")
    shown = page(ada.get(world.address(f"budgets/{budget['_id']}/?on={first}")))
    assert f"1 {first:%b} to {last.day} {last:%b %Y} Ended" in shown
    assert "Committed and spent" in shown
    assert "Forecast to the end" not in shown
    then = world.upstream(f"/bills/budgets/{budget['_id']}", on=first.isoformat())
    assert f"Spent KES {then['spent_minor'] / 100:,.2f}" in shown
    assert then["spent_minor"] != budget["spent_minor"]
    assert f"since={first}&until={last}" in html.unescape(
        ada.get(world.address(f"budgets/{budget['_id']}/?on={first}")).content.decode()
    )
    listed = page(ada.get(world.address(f"budgets/?on={first}")))
    assert f"1 {first:%b} to {last.day} {last:%b %Y}" in listed
    assert f"?on={first}" in ada.get(world.address(f"budgets/?on={first}")).content.decode()


@pytest.mark.parametrize("on", ["2026-10-02", "yesterday", "1999-01-01", "2999-01-01"])
def test_a_period_that_is_none_is_refused_and_the_current_one_shown(world: World, on: str) -> None:
    add(world)
    [budget] = all_of(world)
    for address in (f"budgets/{budget['_id']}/?on={on}", f"budgets/?on={on}"):
        answer = world.client("Ada").get(world.address(address))
        assert answer.status_code == 400
        assert 'role="alert"' in answer.content.decode()


def test_the_list_of_expenses_filters_by_category_and_by_what_counts(world: World) -> None:
    world.sandbox("expenses", count=5)
    world.sync("hot")
    ada = world.client("Ada")
    rows = list(Expense.objects.filter(business=world.business).exclude(subcategory_id=""))
    groups = dict(Category.objects.filter(business=world.business).values_list("remote_id", "category_id"))
    chosen = groups[rows[0].subcategory_id]

    def listed(query: str) -> set[str]:
        answer = ada.get(world.address(f"expenses/?{query}"))
        assert answer.status_code == 200
        return set(re.findall(r"/expenses/([0-9a-f]{24})/", answer.content.decode()))

    expected = {row.remote_id for row in rows if groups[row.subcategory_id] == chosen}
    assert listed(f"category={chosen}") == expected
    Expense.objects.filter(pk=rows[0].pk).update(status="REJECTED")
    assert listed(f"category={chosen}&counted=1") == expected - {rows[0].remote_id}
    assert listed(f"category={'0' * 24}") == set()
    carla = world.client("Carla").get(world.address(f"expenses/?category={chosen}"))
    own = {row.remote_id for row in rows if row.employee_id == world.employee("Carla")["employee_id"]}
    assert set(re.findall(r"/expenses/([0-9a-f]{24})/", carla.content.decode())) <= own
