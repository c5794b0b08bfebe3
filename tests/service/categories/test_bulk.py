"""Many categories and subcategories in one call: grouped under their parents, made once by name, all or nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from service.categories.models import Category, Subcategory
from service.events.models import Event
from tests.service.house import House, code

BODY = {
    "categories": [
        {"name": "Fleet", "group": "Costs", "subcategories": ["Tyres", {"name": "Service", "code": "SVC"}]},
        {"name": "travel", "subcategories": ["fuel", "Ferry"]},
    ],
    "subcategories": [
        {"name": "Parking", "category": "Fleet"},
        {"name": "Toll", "category": "TRAVEL"},
        {"name": "Parking", "category": "Travel"},
    ],
}


def bulk(house: House, body: dict[str, Any], **options: Any) -> Any:
    return house.post("/categories/bulk", body, **options)


def counted(house: House) -> tuple[int, int]:
    rows = Category.objects.filter(business=house.business), Subcategory.objects.filter(business=house.business)
    return rows[0].count(), rows[1].count()


def test_subcategories_are_grouped_under_their_parents(house: House) -> None:
    answer = bulk(house, BODY)
    body = answer.json()
    assert (answer.status_code, body["created"], body["total"]) == (201, {"categories": 1, "subcategories": 6}, 2)
    names = {each["name"]: {child["name"] for child in each["subcategories"]} for each in body["docs"]}
    assert names == {
        "Fleet": {"Tyres", "Service", "Parking"},
        "Travel": {"Fuel", "Taxi", "Flights", "Hotel", "Ferry", "Toll", "Parking"},
    }
    kinds = Event.objects.filter(business=house.business).values_list("kind", flat=True)
    assert sorted(kinds) == ["category.created", "category.updated"]


def test_a_second_time_nothing_happens(house: House) -> None:
    first, before = bulk(house, BODY).json(), counted(house)
    again = bulk(house, BODY)
    assert (again.status_code, again.json()["created"]) == (200, {"categories": 0, "subcategories": 0})
    assert again.json()["docs"] == first["docs"]
    assert counted(house) == before
    assert Event.objects.filter(business=house.business).count() == 2


def test_codes_are_made_apart_where_names_make_the_same(house: House) -> None:
    body = bulk(house, {"categories": [{"name": "Tra vel"}, {"name": "Tra-vel"}, {"name": "TRAVEL!"}]}).json()
    assert {each["code"] for each in body["docs"]} == {"TRA_VEL", "TRA_VEL_2", "TRAVEL_2"}


@pytest.mark.parametrize(
    ("body", "refusal", "field"),
    [
        ({"subcategories": [{"name": "X", "category": "Nowhere"}]}, 422, "subcategories.0.category"),
        ({"subcategories": [{"name": "X"}]}, 422, "subcategories.0.category"),
        ({"categories": [{"name": "New"}, {"name": ""}]}, 422, "categories.1.name"),
        ({"categories": [{"name": "New", "code": "TRAVEL"}]}, 409, ""),
        ({"categories": [{"name": "Travel", "subcategories": [{"name": "New", "code": "FUEL"}]}]}, 409, ""),
        ({"colour": []}, 422, "colour"),
        ({"categories": [{"name": "New"}] * 501}, 422, "categories"),
    ],
)
def test_all_or_nothing(house: House, body: dict[str, Any], refusal: int, field: str) -> None:
    before = counted(house)
    answer = bulk(house, body)
    assert answer.status_code == refusal
    if field:
        assert answer.json()["errors"][0]["field"].startswith(field)
    assert counted(house) == before


def test_nothing_goes_under_an_archived_parent(house: House) -> None:
    parent = Category.objects.get(business=house.business, code="TRAVEL")
    house.send("PUT", f"/categories/{parent.id}", {"status": "ARCHIVED"})
    refused = bulk(house, {"subcategories": [{"name": "Ferry", "category": "Travel"}]})
    assert code(refused) == (409, "invalid_state")
    assert bulk(house, {"subcategories": [{"name": "Fuel", "category": "Travel"}]}).status_code == 200


def test_parents_of_other_businesses_are_unknown(house: House, houses: Callable[..., House]) -> None:
    bulk(houses(), {"categories": [{"name": "Secret"}]})
    refused = bulk(house, {"subcategories": [{"name": "X", "category": "Secret"}]})
    assert code(refused) == (422, "validation_failed")


def test_many_take_as_many_statements_as_one(house: House, django_assert_max_num_queries: Callable[..., Any]) -> None:
    names = [{"name": f"Category {place}", "subcategories": [f"Sub {n}" for n in range(5)]} for place in range(60)]
    with django_assert_max_num_queries(24):
        assert bulk(house, {"categories": names}).status_code == 201
