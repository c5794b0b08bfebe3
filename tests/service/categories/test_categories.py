"""Changing, archiving and deleting categories and subcategories."""

from collections.abc import Callable
from typing import Any

import pytest

from service.bills.models import Bill, BillLine
from service.categories.models import Category, Subcategory
from service.events.models import Event
from service.sandbox.simulation import spend_some
from tests.service.bills.conftest import bill
from tests.service.house import House, code


def travel(house: House) -> dict[str, Any]:
    [found] = [each for each in house.get("/categories").json()["docs"] if each["code"] == "TRAVEL"]
    return dict(found)


def fuel(house: House) -> tuple[str, str]:
    """The address of Travel and that of its subcategory Fuel."""
    parent = travel(house)
    [child] = [each for each in parent["subcategories"] if each["code"] == "FUEL"]
    return f"/categories/{parent['_id']}", f"/categories/{parent['_id']}/subcategories/{child['_id']}"


def kinds(house: House) -> list[str]:
    return list(
        Event.objects.filter(business=house.business).order_by("created_at", "id").values_list("kind", flat=True)
    )


@pytest.mark.parametrize("by", ["Ada", "Sam"])
def test_a_category_is_changed_where_something_is_said(house: House, by: str) -> None:
    parent, _ = fuel(house)
    body = house.send("PUT", parent, {"name": "Journeys", "group": "Costs"}, by=by).json()
    assert (body["name"], body["group"], body["code"], body["version"]) == ("Journeys", "Costs", "TRAVEL", 2)
    assert len(body["subcategories"]) == 4
    assert house.send("PUT", parent, {"name": "Journeys"}, by=by).json()["version"] == 2
    assert kinds(house) == ["category.updated"]


def test_a_subcategory_is_changed(house: House) -> None:
    _, child = fuel(house)
    body = house.send("PUT", child, {"name": "Petrol", "code": "PETROL"}).json()
    assert (body["name"], body["code"], body["version"]) == ("Petrol", "PETROL", 2)
    assert house.get(child).json() == body
    assert code(house.send("PUT", child, {"code": "TAXI"})) == (409, "duplicate")
    assert kinds(house) == ["category.updated"]


def test_archiving_takes_the_subcategories_along(house: House) -> None:
    parent, child = fuel(house)
    body = house.send("PUT", parent, {"status": "ARCHIVED"}).json()
    assert {each["status"] for each in body["subcategories"]} == {"ARCHIVED"}
    assert code(house.send("PUT", child, {"status": "ACTIVE"})) == (409, "invalid_state")
    assert code(house.post(f"{parent}/subcategories", {"name": "Ferry"})) == (409, "invalid_state")
    [expense] = spend_some(house.business, [house.person("Carla")], 1, with_receipts=False)
    refused = house.post(f"/expenses/changeSubCategory/{expense.id}", {"subcategory_id": child.rsplit("/", 1)[1]})
    assert refused.status_code == 422
    house.send("PUT", parent, {"status": "ACTIVE"})
    assert house.send("PUT", child, {"status": "ACTIVE"}).json()["status"] == "ACTIVE"


def test_what_nothing_is_filed_under_is_deleted(house: House) -> None:
    parent, child = fuel(house)
    assert house.send("DELETE", child).json()["code"] == "FUEL"
    assert code(house.get(child)) == (404, "not_found")
    assert house.send("DELETE", parent).json()["code"] == "TRAVEL"
    assert code(house.get(parent)) == (404, "not_found")
    assert not Subcategory.objects.filter(category_id=parent.rsplit("/", 1)[1]).exists()
    assert kinds(house) == ["category.updated", "category.deleted"]
    assert house.post("/categories", {"name": "Travel"}).status_code == 201


def test_with_postings_it_is_in_use_and_archiving_is_offered(house: House) -> None:
    parent, child = fuel(house)
    [expense] = spend_some(house.business, [house.person("Carla")], 1, with_receipts=False)
    house.post(f"/expenses/changeSubCategory/{expense.id}", {"subcategory_id": child.rsplit("/", 1)[1]})
    for address in (child, parent):
        refused = house.send("DELETE", address)
        assert code(refused) == (409, "in_use")
        assert "ARCHIVED" in refused.json()["detail"]
    assert house.send("PUT", child, {"status": "ARCHIVED"}).status_code == 200


def test_what_a_bill_or_one_of_its_lines_is_to_be_booked_under_is_in_use(house: House) -> None:
    parent, child = fuel(house)
    filed = child.rsplit("/", 1)[1]
    made = bill(house, subcategory_id=filed, line_items=[{"description": "Fuel", "qty": 1, "unit_price": 10}])
    for address in (child, parent):
        assert code(house.send("DELETE", address)) == (409, "in_use")
    Bill.objects.filter(id=made["_id"]).update(subcategory_id="")
    BillLine.objects.filter(bill_id=made["_id"]).update(subcategory_id=filed)
    assert code(house.send("DELETE", child)) == (409, "in_use")
    BillLine.objects.filter(bill_id=made["_id"]).update(subcategory_id="")
    assert house.send("DELETE", child).status_code == 200


@pytest.mark.parametrize("by", ["Carla", "Rita", "Apollo"])
def test_only_admins_change_categories(house: House, by: str) -> None:
    refused = (403, "insufficient_role")
    for address in fuel(house):
        assert code(house.send("PUT", address, {"name": "X"}, by=by)) == refused
        assert code(house.send("DELETE", address, by=by)) == refused
    assert code(house.post("/categories/bulk", {}, by=by)) == refused


def test_another_business_s_categories_are_not_found(house: House, houses: Callable[..., House]) -> None:
    ours = travel(house)["_id"]
    parent, child = fuel(houses())
    mixed = f"/categories/{ours}/subcategories/{child.rsplit('/', 1)[1]}"
    for address in (parent, child, mixed):
        assert code(house.send("PUT", address, {"name": "X"})) == (404, "not_found")
        assert code(house.send("DELETE", address)) == (404, "not_found")
    assert Category.objects.filter(id=parent.rsplit("/", 1)[1], name="Travel").exists()


@pytest.mark.parametrize(
    ("body", "field"), [({"name": ""}, "name"), ({"status": "GONE"}, "status"), ({"colour": 1}, "colour")]
)
def test_bad_bodies_name_the_field(house: House, body: dict[str, Any], field: str) -> None:
    for address in fuel(house):
        answer = house.send("PUT", address, body)
        assert code(answer) == (422, "validation_failed")
        assert answer.json()["errors"][0]["field"] == field
