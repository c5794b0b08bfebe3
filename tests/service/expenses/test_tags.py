"""Tags: words of the business, given to expenses, shown with them and filtered by."""

from collections.abc import Callable
from typing import Any

import pytest

from service.events.models import AuditEvent, Event
from service.expenses.models import Expense
from tests.service.expenses.conftest import Spend
from tests.service.house import House, code


def tag(house: House, row: Expense, *names: str, by: str = "Ada") -> Any:
    return house.send("PUT", f"/expenses/{row.id}/tags", {"tags": list(names)}, by=by)


@pytest.fixture
def words(house: House) -> House:
    for name in ("Client visit", "Trade fair"):
        assert house.post("/expenses/tags", {"name": name}).status_code == 201
    return house


def test_a_tag_is_there_once(words: House, houses: Callable[..., House]) -> None:
    assert [row["name"] for row in words.get("/expenses/tags", by="Carla").json()["docs"]] == [
        "Trade fair",
        "Client visit",
    ]
    assert code(words.post("/expenses/tags", {"name": " client VISIT "})) == (409, "duplicate")
    assert code(words.post("/expenses/tags", {"name": "Mine"}, by="Carla")) == (403, "insufficient_role")
    assert houses().get("/expenses/tags").json()["docs"] == []
    assert Event.objects.filter(business=words.business, kind="expense_tag.created").count() == 2


def test_tags_of_an_expense(words: House, spend: Spend) -> None:
    row, other = spend("Carla", 2)
    shown = tag(words, row, "trade fair", "Client visit", "TRADE FAIR", by="Carla").json()
    assert (shown["tag"], shown["version"]) == (["Trade fair", "Client visit"], 2)
    assert tag(words, row, "Trade fair", "Client visit").json()["version"] == 2, "nothing changed"
    event = Event.objects.get(business=words.business, kind="expense.tagged")
    assert (event.payload["object"]["tag"], event.payload["previous"]) == (["Trade fair", "Client visit"], {"tags": []})
    assert AuditEvent.objects.filter(business=words.business, action="expense.tag").count() == 1
    found = words.get("/expenses?tag=Trade fair").json()["docs"]
    assert [each["_id"] for each in found] == [row.id]
    assert words.get("/expenses?tag=Nothing").json()["total"] == 0
    assert tag(words, row).json()["tag"] == []
    assert other.id not in [each["_id"] for each in found]


def test_only_tags_of_the_business_on_expenses_one_sees(
    words: House, spend: Spend, houses: Callable[..., House]
) -> None:
    [row] = spend("Carla")
    refused = tag(words, row, "Client visit", "Unheard of")
    assert code(refused) == (422, "validation_failed")
    assert refused.json()["errors"][0]["field"] == "tags.1"
    assert code(tag(words, row, "Client visit", by="Cyrus")) == (404, "not_found")
    assert code(tag(houses(), row)) == (404, "not_found")


@pytest.mark.parametrize("names", [None, "Client visit", [""], ["x" * 41], ["a\u0007"], ["a"] * 21, [3]])
def test_bad_bodies(house: House, spend: Spend, names: Any) -> None:
    [row] = spend("Carla")
    assert code(house.send("PUT", f"/expenses/{row.id}/tags", {"tags": names})) == (422, "validation_failed")
    assert Expense.objects.get(pk=row.pk).version == 1
