"""The total of a long list is counted once, and again as soon as anything has happened in the business."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from service import totals
from service.categories.models import Category
from service.events.relay import relay
from tests.service.house import House


@pytest.fixture(autouse=True)
def many_is_three(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lists of three are long here; nothing is remembered from or for another test."""
    monkeypatch.setattr(totals, "MANY", 3)
    totals.forget()
    yield
    totals.forget()


def listed(house: House, path: str = "/categories") -> tuple[int, int]:
    """The total that the list says, and how often it was counted for it."""
    with CaptureQueriesContext(connection) as queries:
        total = house.get(path).json()["total"]
    return total, sum("COUNT(*)" in each["sql"] for each in queries)


def test_it_is_counted_until_it_is_known_to_be_long_and_then_remembered(house: House) -> None:
    there = Category.objects.filter(business=house.business).count()
    assert there == 3
    assert [listed(house)[0] for _ in range(4)] == [there] * 4
    assert listed(house) == (there, 0)


def test_after_an_event_it_is_counted_again(house: House) -> None:
    for _ in range(3):
        listed(house)
    assert house.post("/categories", {"name": "Fuel"}).status_code == 201
    relay()
    assert listed(house) == (4, 1)
    assert listed(house) == (4, 0)


def test_another_filter_and_another_business_have_totals_of_their_own(house: House) -> None:
    other = House()
    assert other.post("/categories", {"name": "Fuel"}).status_code == 201
    for _ in range(3):
        assert listed(house)[0] == 3
        assert listed(other)[0] == 4
        assert listed(house, "/categories?updated_since=2999-01-01T00:00:00Z")[0] == 0


def test_a_short_list_is_always_counted(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(totals, "MANY", 100)
    for _ in range(3):
        assert listed(house) == (3, 1)
