"""The queue holds exactly what has no category and is the person's to see; setting one is sent once, and leads on."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from dashboard import operations
from dashboard.audit.models import AuditEntry
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Category, Expense, Origin, Transaction
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House
from tests.dashboard.uncategorised.conftest import choose, swipe, transaction

SWAP = {"HX-Request": "true"}


def received(world: World) -> Transaction:
    """Money that came in and has no category, in the copy."""
    world.sandbox("top-up", org_wallet_ref="1", amount=1_000)
    rows = world.upstream("/transactions", limit=50)["docs"]
    [newest] = [row for row in rows if not row.get("subcategory") and not row.get("expense_id")][:1]
    upsert("transaction", world.business, [newest], Origin.POLL)
    return Transaction.objects.get(business=world.business, remote_id=newest["_id"])


def keys_in(body: str) -> list[str]:
    return re.findall(r'data-row="([^"]+)"', body)


def test_it_holds_what_counts_and_has_no_category_the_newest_first(house: House) -> None:
    new, old = house.expense(merchant="New"), house.expense(merchant="Old")
    choose(house, "Meals")
    for status in ("REJECTED", "REFUNDED", "DELETED"):
        house.expense(status=status)
    body = house.browser("Ada").get(house.address("uncategorised/")).content.decode()
    assert keys_in(body) == [new.remote_id, old.remote_id]
    mine = transaction(house)
    transaction(house, expense_id="e1"), transaction(house, type="IFT"), transaction(house, status="REVERSED")
    transaction(house, category_name="Meals")
    body = house.browser("Ada").get(house.address("uncategorised/transactions/")).content.decode()
    assert keys_in(body) == [mine.remote_id]


def test_each_sees_what_they_may_and_nothing_of_others(house: House) -> None:
    own = house.expense(employee_id=house.employee_id("Carla"), team_id="other")
    of_team = house.expense()
    rows = {
        name: set(keys_in(house.browser(name).get(house.address("uncategorised/")).content.decode()))
        for name in ("Carla", "Rita", "Ada")
    }
    assert rows == {"Carla": {own.remote_id}, "Rita": {of_team.remote_id}, "Ada": {own.remote_id, of_team.remote_id}}
    hidden = house.address(f"uncategorised/expense/{of_team.remote_id}/")
    assert house.browser("Carla").get(hidden).status_code == 404
    assert (
        house.browser("Carla").post(f"{hidden}category/", {"key": "k", "subcategory_id": "cat-meals"}).status_code
        == 404
    )


def test_an_empty_queue_says_so_and_a_search_finds(house: House) -> None:
    browser, address = house.browser("Ada"), house.address("uncategorised/")
    assert "Everything has a category" in browser.get(address).content.decode()
    shell = house.expense(merchant="Shell Ngong Road")
    house.expense(merchant="Naivas")
    searched = browser.get(address, {"q": "ngong"}).content.decode()
    assert keys_in(searched) == [shell.remote_id]
    # An item that is opened from a search stays in it.
    item = house.address(f"uncategorised/expense/{shell.remote_id}/?q=ngong")
    assert f'href="{item}"' in searched
    assert 'name="list" value="q=ngong"' in browser.get(item).content.decode()
    assert "No matches" in browser.get(address, {"q": "nobody"}).content.decode()


def test_an_item_shows_its_suggestions_with_the_reason_and_nothing_is_chosen(house: House) -> None:
    choose(house, "Meals", 3, merchant="Java House")
    item = house.expense(merchant="Java House")
    body = house.browser("Ada").get(house.address(f"uncategorised/expense/{item.remote_id}/")).content.decode()
    assert "3 of 3 from Java House went to Costs · Meals" in body
    assert 'data-digit="1"' in body
    assert " checked" not in body
    part = house.browser("Ada").get(house.address(f"uncategorised/expense/{item.remote_id}/"), headers=SWAP)
    assert "<html" not in part.content.decode()
    assert f'data-item="{item.remote_id}"' in part.content.decode()


def test_what_names_no_category_is_refused_at_its_field(house: House) -> None:
    item = house.expense()
    address = house.address(f"uncategorised/expense/{item.remote_id}/category/")
    for typed, said in (
        ({}, "Choose a suggestion"),
        ({"subcategory_id": "none"}, "Choose a suggestion"),
        ({"category": "Nonsense"}, "No category has this name."),
        ({"category": "costs"}, "4 categories have this in their name"),
        ({"category": "x" * 500}, "410"),
    ):
        answer = house.browser("Ada").post(address, {"key": "k", **typed})
        assert answer.status_code == 422
        assert said in answer.content.decode()


def test_a_category_is_set_in_the_service_and_the_next_item_follows(world: World) -> None:
    first, second = swipe(world, "Java House"), swipe(world, "Shell")
    category = Category.objects.filter(business=world.business).first()
    assert category is not None
    address = world.address(f"uncategorised/expense/{second.remote_id}/category/")
    answer = world.client("Ada").post(
        address, {"key": "q-1", "category": f"{category.category_name} · {category.name}"}
    )
    assert answer.status_code == 302
    assert answer["Location"] == world.address(f"uncategorised/expense/{first.remote_id}/?last={second.remote_id}")
    second.refresh_from_db()
    assert second.subcategory_id == category.remote_id
    page = world.client("Ada").get(answer["Location"]).content.decode()
    assert "is now categorised under" in page
    assert keys_in(page) == [first.remote_id]
    line = AuditEntry.objects.filter(chain=world.business.pk).latest("id")
    assert (line.operation, line.outcome) == (operations.CATEGORISE_EXPENSE.name, "DONE")


def test_what_somebody_else_has_chosen_since_it_was_shown_is_not_overwritten(world: World) -> None:
    expense = swipe(world)
    one, other = Category.objects.filter(business=world.business).order_by("remote_id")[:2]
    address = world.address(f"uncategorised/expense/{expense.remote_id}/category/")
    shown = world.client("Ada").get(address.removesuffix("category/")).content.decode()
    assert 'name="seen" value=""' in shown
    form = {"key": "q-5", "seen": "", "subcategory_id": one.remote_id}
    assert world.client("Abel").post(address, form).status_code == 302
    answer = world.client("Ada").post(address, {"key": "q-6", "seen": "", "subcategory_id": other.remote_id})
    assert answer.status_code == 409
    assert f"it has {one.category_name} · {one.name} now" in answer.content.decode()
    expense.refresh_from_db()
    assert expense.subcategory_id == one.remote_id
    # Sent once more, Abel's own form is not held against what it has done itself.
    assert world.client("Abel").post(address, form).status_code == 302
    # Whoever saw what it is filed under changes it.
    seen = {"key": "q-7", "seen": one.remote_id, "subcategory_id": other.remote_id}
    assert world.client("Ada").post(address, seen).status_code == 302
    expense.refresh_from_db()
    assert expense.subcategory_id == other.remote_id


@pytest.mark.parametrize("kind", ["expense", "transaction"])
def test_what_was_categorised_at_the_service_and_is_not_in_the_copy_yet_is_not_overwritten(
    world: World, kind: str
) -> None:
    item = swipe(world) if kind == "expense" else received(world)
    one, other = Category.objects.filter(business=world.business).order_by("remote_id")[:2]
    at = f"/expenses/changeSubCategory/{item.remote_id}" if kind == "expense" else f"/transactions/{item.remote_id}/tag"
    acting = {"X-Acting-Employee": world.employee("Abel")["employee_id"]}
    world.send("POST", at, {"subcategory_id": one.remote_id}, headers=acting)
    address = world.address(f"uncategorised/{kind}/{item.remote_id}/category/")
    form = {"key": "q-9", "seen": "", "subcategory_id": other.remote_id}
    answer = world.client("Ada").post(address, form)
    assert answer.status_code == 409
    assert f"it has {one.category_name} · {one.name} now" in answer.content.decode()
    now = world.upstream(f"/{kind}s", limit=50)["docs"]
    assert [row["subcategory"]["_id"] for row in now if row["_id"] == item.remote_id] == [one.remote_id]


def test_the_same_form_twice_is_one_act(world: World) -> None:
    expense = swipe(world)
    category = Category.objects.filter(business=world.business).first()
    assert category is not None
    assert world.proxy is not None
    address = world.address(f"uncategorised/expense/{expense.remote_id}/category/")
    for _ in range(2):
        world.client("Ada").post(address, {"key": "q-2", "subcategory_id": category.remote_id})
    keys = {sent.headers["Idempotency-Key"] for sent in world.proxy.sent("POST", "changeSubCategory")}
    assert len(keys) == 1


def test_a_lost_answer_is_unknown_and_the_same_key_settles_it(world: World) -> None:
    expense = swipe(world)
    category = Category.objects.filter(business=world.business).first()
    assert category is not None
    assert world.proxy is not None
    world.proxy.fail("lost reply", method="POST", path="changeSubCategory")
    address = world.address(f"uncategorised/expense/{expense.remote_id}/category/")
    lost = world.client("Ada").post(address, {"key": "q-3", "subcategory_id": category.remote_id})
    body = lost.content.decode()
    assert lost.status_code >= 500
    assert "not known" in body.lower() or "unknown" in body.lower()
    assert 'value="q-3"' in body
    world.proxy.heal()
    again = world.client("Ada").post(address, {"key": "q-3", "subcategory_id": category.remote_id})
    assert again.status_code == 302
    expense.refresh_from_db()
    assert expense.subcategory_id == category.remote_id


def test_several_go_through_the_bulk_engine_of_their_list(house: House) -> None:
    items = [house.expense() for _ in range(3)]
    browser = house.browser("Ada")
    body = browser.get(house.address("uncategorised/")).content.decode()
    boxes = re.findall(r'name="ids" form="ticks" value="([^"]+)"', body)
    assert len(boxes) == 3
    planned = browser.post(
        house.address("lists/expenses/plan/"), {"verb": "file", "ids": boxes[:2], "list": "to_file=1"}
    )
    assert planned.status_code == 302
    plan = browser.get(planned["Location"]).content.decode()
    assert "2 expenses" in plan
    whole = browser.post(
        house.address("lists/expenses/plan/"), {"verb": "file", "all": "matching", "list": "to_file=1"}, follow=True
    ).content.decode()
    assert f"{len(items)} expenses" in whole


def test_fifty_rows_take_as_many_queries_as_one(house: House) -> None:
    browser, address = house.browser("Ada"), house.address("uncategorised/")
    house.expense(merchant="A")
    browser.get(address)
    with CaptureQueriesContext(connection) as few:
        browser.get(address)
    for number in range(60):
        house.expense(merchant=f"Shop {number}", payload={"card_vcn": f"t{number}"})
    with CaptureQueriesContext(connection) as many:
        browser.get(address)
    # A card's purchases are asked for only where something has a card.
    assert len(many) <= len(few) + 1
    assert Expense.objects.filter(business=house.business).count() == 61
