"""The category of an expense is put right at the desk: by whoever may, with the item as it then is, nothing lost where refused."""

from __future__ import annotations

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
