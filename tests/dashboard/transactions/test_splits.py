"""A transaction is split over categories on its page: the parts come to the amount, and each counts where it belongs."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.http import QueryDict

from dashboard.categorisation.items import expenses_to_file
from dashboard.lists.query import Query
from dashboard.mirror.apply import upsert
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Expense, Source, Transaction
from dashboard.money import Money
from dashboard.pages.expenses.presenters import reports_of
from dashboard.pages.expenses.tables import EXPENSES
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
    upsert("expense", world.business, rows, Source.POLL)
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
