"""A chart that is pasted with what no chart can be: told at its row, and nothing of the rest is added."""

import html
import re
import time
from typing import Any

import pytest

from dashboard.pages.categories.forms import MAX_ROWS, PastedRow, tree_problems
from dashboard.schemas.categories import Category
from tests.dashboard.conftest import World


def page(answer: Any) -> str:
    return html.unescape(re.sub(r"\s+", " ", answer.content.decode()))


def chart(world: World) -> dict[str, dict[str, str]]:
    """Subcategories with their codes, by their category's name, at the service."""
    rows = world.upstream("/categories", limit=500)["docs"]
    return {row["name"]: {child["name"]: child["code"] for child in row["subcategories"]} for row in rows}


def paste(world: World, table: str, **more: str) -> Any:
    return world.client("Ada").post(world.address("categories/many/"), {"table": table, **more})


LEVELS = "\n".join(f"Level {level},Level {level + 1}" for level in range(50))


@pytest.mark.parametrize(
    ("table", "sentences"),
    [
        ("Fine,Row\nFleet,fleet", ["Row 2: Fleet cannot stand under itself."]),
        (
            "Fleet,Cars\nFine,Row\nCARS,fleet",
            ["Row 1: Cars would stand under itself: Fleet is below it.", "Row 3: fleet would stand under itself: CARS is below it."],
        ),
        ("A,B\nB,C\nC,A", ["Row 1: B would stand", "Row 2: C would stand", "Row 3: A would stand"]),
        ("Fuel,Travel", ["Row 1: Travel would stand under itself: Fuel is below it."]),
        ("Fuel,Diesel", ["Row 1: Fuel stands under Travel, so this would be a third level: the chart has two."]),
        (LEVELS, ["Row 2: Level 1 stands under Level 0, so this would be a third level", "And 29 more rows."]),
        (",".join(f"Level {level}" for level in range(50)), ["Row 1: 50 cells are filled: a row has a category, a subcategory and a code."]),
        ("Fleet\n\tCars\n\t\tTyres", ["Row 2: The first cell names the category; it is empty.", "Row 3: The first cell"]),
        ("Fleet,Cars\nFleet,Vans\nfleet,CARS", ["Row 3: CARS is there twice: row 1 has it too."]),
        ("Fleet\nFleet", ["Row 2: Fleet is there twice: row 1 has it too."]),
        ("Fleet,,TRAVEL", ["Row 1: The code TRAVEL is taken by Travel."]),
        ("Travel,Ferry,fuel", ["Row 1: The code FUEL is taken by Fuel."]),
        ("Fleet,Cars,C\nFleet,Vans,C\nOther,Boats,C", ["Row 2: The code C is taken by Cars."]),
        ("\n".join(f"Fleet {row % 90},Row {row}" for row in range(5000)), ["At most 1000 rows", "Nothing was added."]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_at_its_row_and_nothing_is_added(world: World, table: str, sentences: list[str]) -> None:
    before = chart(world)
    answer = paste(world, table, confirmed="1")
    assert answer.status_code == 422
    text = page(answer)
    for sentence in sentences:
        assert sentence in text
    assert "What will be added" not in text
    assert chart(world) == before


def test_a_row_under_an_archived_category_is_told_and_one_that_is_there_is_left(world: World) -> None:
    travel = next(row for row in world.upstream("/categories", limit=500)["docs"] if row["name"] == "Travel")
    posted = {"name": "Travel", "code": "TRAVEL", "group": "", "status": "ARCHIVED"}
    assert world.client("Ada").post(world.address(f"categories/{travel['_id']}/edit/"), posted).status_code == 302
    answer = paste(world, "Fleet,Cars\nTravel,Ferry\nTravel,Fuel")
    assert answer.status_code == 422
    assert "Row 2: Travel is archived: activate it before anything is added to it." in page(answer)
    assert "Row 3" not in page(answer)


def test_rows_that_are_there_already_are_listed_and_left_as_they_are(world: World) -> None:
    shown = page(paste(world, "Category,Subcategory\nTravel,fuel,OTHER\nTravel\nTravel,Ferry"))
    assert "0 categories and 1 subcategory; 2 already there." in shown
    assert "Row 2: <bdi>Travel</bdi> · <bdi>fuel</bdi>" in shown
    digest = re.findall(r'name="confirmed" value="(\w+)"', shown)[0]
    table = "Category,Subcategory\nTravel,fuel,OTHER\nTravel\nTravel,Ferry"
    before = chart(world)
    assert paste(world, table, confirmed=digest).status_code == 302
    assert chart(world) == before | {"Travel": before["Travel"] | {"Ferry": "FERRY"}}


def test_the_code_in_a_row_without_a_subcategory_is_the_categorys(world: World) -> None:
    table = "Fleet,Cars\nFleet,,FLT"
    digest = re.findall(r'name="confirmed" value="(\w+)"', page(paste(world, table)))[0]
    assert paste(world, table, confirmed=digest).status_code == 302
    assert {row["code"] for row in world.upstream("/categories", limit=500)["docs"] if row["name"] == "Fleet"} == {
        "FLT"
    }


def test_what_changed_since_it_was_seen_is_told_before_anything_is_sent(world: World) -> None:
    table = "Fleet,Cars\nVans,Boats"
    digest = re.findall(r'name="confirmed" value="(\w+)"', page(paste(world, table)))[0]
    world.send("POST", "/categories/bulk", {"categories": [{"name": "Old", "subcategories": ["Vans"]}]})
    answer = paste(world, table, confirmed=digest)
    assert answer.status_code == 422
    assert "Row 2: Vans stands under Old" in page(answer)
    assert "Fleet" not in chart(world)


def test_while_the_service_is_away_nothing_is_judged(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("500", path="/categories")
    answer = paste(proxied_world, "Fleet,Cars")
    assert answer.status_code >= 500
    assert "What will be added" not in page(answer)
    assert 'role="alert"' in page(answer)


def test_a_thousand_rows_against_thousands_are_judged_at_once() -> None:
    there = [
        Category.model_validate({"_id": f"{place:024x}", "name": f"Category {place}", "code": f"C{place}", "subcategories": [
            {"_id": f"{place:012x}{child:012x}", "name": f"Sub {place} {child}", "code": f"S{child}"} for child in range(10)
        ]})
        for place in range(500)
    ]  # fmt: skip
    rows = [PastedRow(number, f"Chain {number}", f"Chain {number + 1}", "") for number in range(1, MAX_ROWS + 1)]
    begun = time.monotonic()
    problems = tree_problems(rows, there)
    assert len(problems) == MAX_ROWS - 1
    # A hang guard: a search of the whole chart for every row would take minutes.
    assert time.monotonic() - begun < 10
