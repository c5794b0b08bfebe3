"""A transaction is split over categories on its page: the parts come to the amount, and each counts where it belongs."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.http import QueryDict

from dashboard.categorisation.uncategorised import expenses_to_file
from dashboard.lists.query import Query
from dashboard.mirror.apply import upsert
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Category, Expense, Origin, Transaction
from dashboard.money import Money
from dashboard.pages.expenses.presenters import reports_of
from dashboard.pages.expenses.tables import EXPENSES
from dashboard.policies.usage import Meter, Usage
from dashboard.policies.weighed_items import WeighedPeriod, lookups_for, weighed_expenses
from tests.dashboard.conftest import World
from tests.dashboard.transactions.conftest import brought, upstream_transaction


def address(world: World, row: Transaction, rest: str = "") -> str:
    return world.address(f"transactions/{row.remote_id}/split/{rest}")


def form(world: World, row: Transaction, *parts: tuple[int, str], **more: Any) -> dict[str, Any]:
    """The form with these parts: the number of a category and what is typed as its amount."""
    ids = [number for number, _ in categories_of(world.actor("Carla"))]
    values: dict[str, Any] = {"key": "k", "version": upstream_transaction(world, row.remote_id)["version"]}
    for place, (category, amount) in enumerate(parts):
        values |= {f"category_{place}": ids[category], f"amount_{place}": amount, f"description_{place}": ""}
    return values | more


def expense_of(world: World, row: Transaction) -> Expense:
    rows = [doc for doc in world.upstream("/expenses", limit=1000)["docs"] if doc["_id"] == row.expense_id]
    upsert("expense", world.business, rows, Origin.POLL)
    return Expense.objects.get(business=world.business, remote_id=row.expense_id)


def test_the_amount_that_is_left_empty_is_what_the_others_leave(world: World, purchase: Transaction) -> None:
    carla = world.client("Carla")
    answer = carla.post(address(world, purchase), form(world, purchase, (0, "0.01"), (1, "")))
    assert answer["Location"] == world.address(f"transactions/{purchase.remote_id}/")
    now = upstream_transaction(world, purchase.remote_id)
    assert [part["amount_minor"] for part in now["parts"]] == [1, now["amount_minor"] - 1]
    body = carla.get(answer["Location"]).content.decode()
    rest = Money(now["amount_minor"] - 1, now["currency"]).text(world.business.locale)
    assert "Split into 2 parts. The ledger stays as it is." in body
    assert rest in body
    assert "Change category" not in body
    purchase.refresh_from_db()
    assert purchase.category_name == f"{now['parts'][0]['subcategory']['name']} and 1 more"


def test_removed_it_is_filed_as_it_was(world: World, purchase: Transaction) -> None:
    before = upstream_transaction(world, purchase.remote_id)["subcategory"]
    carla = world.client("Carla")
    carla.post(address(world, purchase), form(world, purchase, (0, "0.01"), (1, "")))
    version = upstream_transaction(world, purchase.remote_id)["version"]
    carla.post(address(world, purchase, "remove/"), {"key": "r", "version": version})
    now = upstream_transaction(world, purchase.remote_id)
    assert (now["parts"], now["subcategory"]) == ([], before)


def test_a_split_expense_needs_no_category_and_counts_by_its_parts(world: World, purchase: Transaction) -> None:
    world.client("Carla").post(address(world, purchase), form(world, purchase, (0, "0.01"), (1, "")))
    expense = expense_of(world, purchase)
    assert expense.part_count == 2
    assert not expenses_to_file(world.actor("Ada")).filter(pk=expense.pk).exists()
    query = Query.read(EXPENSES, QueryDict(f"q={expense.transaction_ref}"))
    [report] = reports_of(world.actor("Ada"), query)
    assert report.count == 1
    amounts = sorted(Decimal(group.amount.replace(",", "")) for group in report.categories)
    assert amounts == sorted([Decimal("0.01"), Money(expense.amount_minor - 1, expense.currency).amount])
    assert [team.count for team, _ in report.teams] == [1]


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (((0, "1"), (1, "1")), "less than the transaction"),
        (((0, "999999999"), (1, "1")), "more than the transaction"),
        (((0, ""), (1, "")), "Leave one amount empty at most"),
        (((0, "999999999"), (1, "")), "leave nothing for the part without one"),
        (((0, "1"),), "Enter two parts at least."),
        (((0, "0.001"), (1, "")), "KES"),
        (((0, "-1"), (1, "")), "greater than or equal"),
    ],
)
def test_parts_that_are_not_the_whole_are_told_and_nothing_is_sent(
    world: World, purchase: Transaction, parts: tuple[tuple[int, str], ...], sentence: str
) -> None:
    answer = world.client("Carla").post(address(world, purchase), form(world, purchase, *parts))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert world.proxy is not None
    assert not [row for row in world.proxy.sent("PUT") if row.path.endswith("/parts")]


def test_more_lines_keep_what_was_typed(world: World, purchase: Transaction) -> None:
    values = form(world, purchase, (0, "7"), (1, ""), more="1")
    answer = world.client("Carla").post(address(world, purchase), values)
    assert answer.status_code == 200
    body = answer.content.decode()
    assert 'value="7"' in body
    assert "Amount of part 6" in body


def test_a_split_of_what_was_changed_meanwhile_is_refused(world: World, purchase: Transaction) -> None:
    values = form(world, purchase, (0, "0.01"), (1, ""))
    world.client("Carla").post(address(world, purchase), values)
    answer = world.client("Carla").post(address(world, purchase), values | {"key": "k2", "amount_0": "0.02"})
    assert answer.status_code == 409
    assert "Somebody has changed the transaction since" in answer.content.decode()
    assert upstream_transaction(world, purchase.remote_id)["parts"][0]["amount_minor"] == 1
    # What is there now is on the page, so that the same form can be sent once more.
    text = answer.content.decode()
    assert "Split meanwhile" in text
    version = upstream_transaction(world, purchase.remote_id)["version"]
    assert f'name="version" value="{version}"' in text
    again = values | {"key": "k3", "amount_0": "0.02", "version": version}
    assert world.client("Carla").post(address(world, purchase), again).status_code == 302
    assert upstream_transaction(world, purchase.remote_id)["parts"][0]["amount_minor"] == 2


def test_the_list_of_a_category_holds_what_has_a_part_in_it(world: World, purchase: Transaction) -> None:
    groups = Category.objects.filter(business=world.business).order_by("pk").values_list("remote_id", "category_id")
    numbers = [number for number, _ in categories_of(world.actor("Carla"))]
    parent = dict(groups)
    first, other = next((a, b) for a in numbers for b in numbers if parent[a] != parent[b])
    places = numbers.index(first), numbers.index(other)
    world.client("Carla").post(address(world, purchase), form(world, purchase, (places[0], "0.01"), (places[1], "")))
    expense = expense_of(world, purchase)
    for number in (first, other):
        query = Query.read(EXPENSES, QueryDict(f"category={parent[number]}&q={expense.transaction_ref}"))
        assert [report.count for report in reports_of(world.actor("Ada"), query)] == [1]
    third = next(parent[number] for number in numbers if parent[number] not in {parent[first], parent[other]})
    query = Query.read(EXPENSES, QueryDict(f"category={third}&q={expense.transaction_ref}"))
    assert list(reports_of(world.actor("Ada"), query)) == []


def test_limits_of_a_category_count_the_parts_that_are_of_it(world: World, purchase: Transaction) -> None:
    numbers = [number for number, _ in categories_of(world.actor("Carla"))]
    parents = dict(Category.objects.filter(business=world.business).values_list("remote_id", "category_id"))
    world.client("Carla").post(address(world, purchase), form(world, purchase, (0, "0.01"), (1, "")))
    expense, zone = expense_of(world, purchase), ZoneInfo(world.business.time_zone)
    day = expense.transaction_date.astimezone(zone).date()
    [item] = [
        item
        for item in weighed_expenses(world.business, WeighedPeriod(day, day, zone), lookups_for(world.business, []))
        if item.remote_id == expense.remote_id
    ]
    for kind, target, minor in (
        ("SUBCATEGORY", numbers[0], 1), ("SUBCATEGORY", numbers[1], expense.amount_minor - 1),
        ("CATEGORY", parents[numbers[0]], expense.amount_minor if parents[numbers[0]] == parents[numbers[1]] else 1),
    ):  # fmt: skip
        Expense.objects.filter(business=world.business).exclude(pk=expense.pk).delete()
        meters = [
            Meter(kind, target, expense.currency, "DAY", per_person, frozenset(), frozenset())
            for per_person in (False, True)
        ]
        usage = Usage(zone, {meter: {} for meter in meters})
        usage.load_until(world.business, expense.transaction_date + timedelta(seconds=1))
        for meter in meters:
            assert meter.minor_of(item) == minor, kind
            assert [list(sums.sure) for sums in usage.meters[meter].values()] == [[minor]], meter


def test_a_split_transaction_has_no_other_category_until_it_is_whole(world: World, purchase: Transaction) -> None:
    world.client("Carla").post(address(world, purchase), form(world, purchase, (0, "0.01"), (1, "")))
    brought(world, purchase)
    other = categories_of(world.actor("Ada"))[2][0]
    answer = world.client("Ada").post(
        world.address(f"transactions/{purchase.remote_id}/category/"), {"key": "c", "subcategory_id": other}
    )
    assert answer.status_code == 409
    assert upstream_transaction(world, purchase.remote_id)["parts"]


def test_whoever_does_not_see_it_does_not_split_it(world: World, purchase: Transaction) -> None:
    purchase.employee_id, purchase.team_id = "somebody-else", ""
    purchase.save()
    assert world.client("Carla").get(address(world, purchase)).status_code == 404
