"""Category and tags of an expense are put right at the desk: by whoever may, with the item as it then is, nothing lost where
refused."""

from __future__ import annotations

import re

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Category, Expense
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House

SWAP = {"HX-Request": "true"}


def waiting(world: World) -> Expense:
    world.sandbox("expenses", count=1)
    world.sync("hot")
    return Expense.objects.get(business=world.business)


def test_the_item_comes_back_under_its_new_category_and_the_service_has_it(world: World) -> None:
    expense = waiting(world)
    other = Category.objects.filter(business=world.business).exclude(remote_id=expense.subcategory_id).first()
    assert other is not None
    address = world.address(f"approvals/expense/{expense.remote_id}/category/")
    browser = world.client("Apollo")
    offered = browser.get(address, headers=SWAP).content.decode()
    assert f'<option value="{other.remote_id}"' in offered
    answer = browser.post(
        address, {"key": "correct-1", "subcategory_id": other.remote_id, "list": "show=mine"}, headers=SWAP
    )
    body = answer.content.decode()
    assert answer.status_code == 200
    assert "Category changed." in body
    assert f'data-item="expense/{expense.remote_id}"' in body
    assert world.upstream("/expenses")["docs"][0]["subcategory"]["_id"] == other.remote_id
    expense.refresh_from_db()
    assert expense.subcategory_id == other.remote_id
    assert expense.category_name in body


def test_without_a_script_one_is_led_back_to_the_item_in_its_list(world: World) -> None:
    expense = waiting(world)
    other = Category.objects.filter(business=world.business).exclude(remote_id=expense.subcategory_id).first()
    assert other is not None
    item = world.address(f"approvals/expense/{expense.remote_id}/")
    answer = world.client("Apollo").post(
        f"{item}category/", {"key": "correct-2", "subcategory_id": other.remote_id, "list": "show=mine&sort=risk"}
    )
    assert answer.status_code == 302
    assert answer["Location"] == f"{item}?show=mine&sort=risk"


def test_a_category_that_is_none_is_refused_at_its_field(house: House) -> None:
    expense = house.expense()
    answer = house.browser("Apollo").post(
        house.address(f"approvals/expense/{expense.remote_id}/category/"), {"key": "k", "subcategory_id": "none"}
    )
    assert answer.status_code == 422
    assert "Choose a category." in answer.content.decode()


def test_whoever_may_not_change_it_is_offered_nothing_and_answered_with_nothing(house: House) -> None:
    expense = house.expense(employee_id=house.employee_id("Ada"))
    item = house.address(f"approvals/expense/{expense.remote_id}/")
    assert "Change category" in house.browser("Apollo").get(item).content.decode()
    assert house.browser("Carla").get(f"{item}category/").status_code in {403, 404}
    assert house.browser("Carla").post(f"{item}category/", {"key": "k", "subcategory_id": "x"}).status_code in {
        403,
        404,
    }


def tag_names(world: World, expense: Expense) -> list[str]:
    """What the service has tagged it with."""
    [row] = [row for row in world.upstream("/expenses")["docs"] if row["_id"] == expense.remote_id]
    return list(row["tag"])


def test_tags_are_chosen_and_added_in_the_pane_and_the_audit_says_so(world: World) -> None:
    expense = waiting(world)
    address = world.address(f"approvals/expense/{expense.remote_id}/tags/")
    browser = world.client("Apollo")
    form = browser.get(address, headers=SWAP).content.decode()
    assert "data-correction" in form
    assert "New tag" in form
    # Of the team it is said that it stays, and why.
    assert re.search(rf"The team stays <bdi>{expense.team_name}</bdi>", form)
    answer = browser.post(address, {"key": "tags-1", "new": "Client visit", "list": "show=mine"}, headers=SWAP)
    body = answer.content.decode()
    assert answer.status_code == 200
    assert "Tags changed." in body
    assert f'data-item="expense/{expense.remote_id}"' in body
    assert re.search(r"<dt>Tags</dt><dd>Client visit</dd>", body)
    assert tag_names(world, expense) == ["Client visit"]
    written = AuditEntry.objects.filter(chain=world.business.pk, operation="tag_expense").latest("pk")
    assert written.actor_name == "Apollo" or "Apollo" in str(vars(written))
    # The same form sent again changes nothing more; without a tick they are gone.
    browser.post(address, {"key": "tags-1", "new": "Client visit", "list": "show=mine"}, headers=SWAP)
    assert tag_names(world, expense) == ["Client visit"]
    browser.post(address, {"key": "tags-2", "list": "show=mine"}, headers=SWAP)
    assert tag_names(world, expense) == []


def test_tags_without_a_script_lead_back_to_the_item_in_its_list(world: World) -> None:
    expense = waiting(world)
    item = world.address(f"approvals/expense/{expense.remote_id}/")
    answer = world.client("Apollo").post(f"{item}tags/", {"key": "t", "new": "Trip", "list": "show=mine&sort=risk"})
    assert (answer.status_code, answer["Location"]) == (302, f"{item}?show=mine&sort=risk")


def test_a_tag_that_the_business_has_not_is_refused_at_its_field(world: World) -> None:
    expense = waiting(world)
    answer = world.client("Apollo").post(
        world.address(f"approvals/expense/{expense.remote_id}/tags/"), {"key": "t", "tags": ["No such tag"]}
    )
    assert answer.status_code == 422
    assert tag_names(world, expense) == []


def test_what_was_typed_stays_in_the_pane_where_the_service_does_not_answer(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    expense = waiting(world)
    address, browser = world.address(f"approvals/expense/{expense.remote_id}/tags/"), world.client("Apollo")
    world.proxy.fail("reset", method="PUT")
    answer = browser.post(address, {"key": "lost", "new": "Trip", "list": "show=mine"}, headers=SWAP)
    body = answer.content.decode()
    assert answer.status_code in {503, 504}
    assert 'value="Trip"' in body
    # It may have been done: the form comes back under its key.
    assert re.search(r'name="key" value="lost"', body)
    # Where not even the tags can be read, the item is there with the form and what went wrong.
    world.proxy.fail("reset")
    shown = browser.get(address, headers=SWAP)
    assert shown.status_code in {503, 504}
    assert "data-correction" in shown.content.decode()
    world.proxy.heal()
    assert browser.post(address, {"key": "lost", "new": "Trip", "list": "show=mine"}, headers=SWAP).status_code == 200
    assert tag_names(world, expense) == ["Trip"]


def test_whoever_does_not_see_the_expense_changes_no_tags_of_it(house: House) -> None:
    expense = house.expense(employee_id=house.employee_id("Ada"))
    address = house.address(f"approvals/expense/{expense.remote_id}/tags/")
    assert house.browser("Carla").get(address).status_code in {403, 404}
    assert house.browser("Carla").post(address, {"key": "k", "tags": []}).status_code in {403, 404}
