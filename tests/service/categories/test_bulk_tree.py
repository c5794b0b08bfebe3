"""A chart that is no tree of two levels: each name that is wrong is named at its field, and nothing is made of the rest."""

from typing import Any

import pytest

from service.categories.models import Category, Subcategory
from tests.service.house import House, code


def tree(*pairs: tuple[str, str]) -> dict[str, Any]:
    return {"categories": [{"name": parent, "subcategories": [child]} for parent, child in pairs]}


def counted(house: House) -> tuple[int, int]:
    return (
        Category.objects.filter(business=house.business).count(),
        Subcategory.objects.filter(business=house.business).count(),
    )


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (tree(("Fleet", "fleet")), ["categories.0.subcategories.0.name"]),
        (tree(("Good", "Row"), ("A", "B"), ("b", "a")), ["categories.1.subcategories.0.name", "categories.2.subcategories.0.name"]),
        (tree(("A", "B"), ("B", "C"), ("C", "A")), [f"categories.{place}.subcategories.0.name" for place in range(3)]),
        (tree(("A", "B"), ("B", "C")), ["categories.1.subcategories.0.name"]),
        # With what the chart has already: Travel has Fuel.
        (tree(("Fuel", "Travel")), ["categories.0.subcategories.0.name"]),
        (tree(("Fuel", "Diesel")), ["categories.0.subcategories.0.name"]),
        (
            {"categories": [{"name": "A", "subcategories": ["B"]}, {"name": "B"}], "subcategories": [{"name": "C", "category": "B"}]},
            ["subcategories.0.category"],
        ),
        (tree(*[(f"Level {n}", f"Level {n + 1}") for n in range(50)]), [f"categories.{place}.subcategories.0.name" for place in range(1, 21)]),
    ],
)  # fmt: skip
def test_what_is_no_tree_of_two_levels_is_refused_at_its_field(
    house: House, body: dict[str, Any], fields: list[str]
) -> None:
    before = counted(house)
    answer = house.post("/categories/bulk", body)
    assert code(answer) == (422, "validation_failed")
    assert [error["field"] for error in answer.json()["errors"]] == fields
    assert {error["code"] for error in answer.json()["errors"]} == {"invalid_tree"}
    assert counted(house) == before


def test_a_category_of_the_chart_may_bear_the_name_of_a_subcategory(house: House) -> None:
    assert house.post("/categories", {"name": "Fuel", "code": "FUELS"}).status_code == 201
    answer = house.post("/categories/bulk", tree(("Fuel", "Diesel")))
    assert (answer.status_code, answer.json()["created"]) == (201, {"categories": 0, "subcategories": 1})


def test_what_is_there_already_is_left_as_it_is_though_it_is_no_tree(house: House) -> None:
    category = house.post("/categories", {"name": "Odd"}).json()
    assert house.post(f"/categories/{category['_id']}/subcategories", {"name": "Odd"}).status_code == 201
    answer = house.post("/categories/bulk", tree(("Odd", "odd")))
    assert (answer.status_code, answer.json()["created"]) == (200, {"categories": 0, "subcategories": 0})


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"categories": [{"name": "New"}, {"name": "Other", "code": "TRAVEL"}]}, "categories.1.code"),
        ({"categories": [{"name": "New", "code": "N"}, {"name": "Other", "code": "N"}]}, "categories.1.code"),
        (
            {"categories": [{"name": "Travel", "subcategories": ["Sea", {"name": "Air", "code": "FUEL"}]}]},
            "categories.0.subcategories.1.code",
        ),
        ({"subcategories": [{"name": "Air", "code": "FUEL", "category": "Travel"}]}, "subcategories.0.code"),
    ],
)
def test_a_code_that_is_taken_is_refused_at_its_field(house: House, body: dict[str, Any], field: str) -> None:
    before = counted(house)
    answer = house.post("/categories/bulk", body)
    assert code(answer) == (409, "duplicate")
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert counted(house) == before


def test_a_code_that_is_made_of_a_name_gives_way_to_one_that_is_given(house: House) -> None:
    names: list[Any] = [
        {"name": "Fleet"},
        {"name": "Cars", "code": "FLEET", "subcategories": ["Oil", {"name": "Wax", "code": "OIL"}]},
    ]
    docs = {row["name"]: row for row in house.post("/categories/bulk", {"categories": names}).json()["docs"]}
    assert (docs["Cars"]["code"], docs["Fleet"]["code"]) == ("FLEET", "FLEET_2")
    assert {row["name"]: row["code"] for row in docs["Cars"]["subcategories"]} == {"Wax": "OIL", "Oil": "OIL_2"}
