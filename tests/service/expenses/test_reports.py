"""Reports: what the listed expenses add up to, by category and by team, for whoever asks."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

import pytest

from service.categories.models import Subcategory
from service.expenses.models import Expense
from tests.service.expenses.conftest import Spend
from tests.service.house import House, code


def filed(house: House, row: Expense, subcategory: str | None, minor: int, status: str = "PENDING") -> None:
    found = Subcategory.objects.get(business=house.business, name=subcategory) if subcategory else None
    Expense.objects.filter(pk=row.pk).update(subcategory=found, amount_minor=minor, status=status)


def report(house: House, name: str = "categories", by: str = "Ada", **query: str) -> list[dict[str, Any]]:
    answer = house.get(f"/expenses/reports/{name}?{urlencode(query)}", by=by)
    assert answer.status_code == 200, answer.content
    docs: list[dict[str, Any]] = answer.json()["docs"]
    assert answer.json()["total"] == len(docs)
    return docs


@pytest.fixture
def spent(house: House, spend: Spend) -> House:
    """Carla: fuel 60, taxi 20, rejected 500; Cyrus: software 15, something unfiled 5."""
    for row, (name, minor, status) in zip(
        spend("Carla", 3),
        [("Fuel", 60_00, "PENDING"), ("Taxi", 20_00, "APPROVED"), ("Fuel", 500_00, "REJECTED")],
        strict=True,
    ):
        filed(house, row, name, minor, status)
    for row, (subcategory, minor) in zip(spend("Cyrus", 2), [("Software", 15_00), (None, 5_00)], strict=True):
        filed(house, row, subcategory, minor)
    return house


def test_categories_with_count_amount_and_share(spent: House) -> None:
    lines = report(spent)
    assert [(each["group"], each["count"], each["amount"], each["share"]) for each in lines] == [
        ("Travel", 2, 80, 0.8),
        ("Office", 1, 15, 0.15),
        ("Without a category", 1, 5, 0.05),
    ]
    assert {each["currency"] for each in lines} == {"KES"}
    assert sum(Decimal(str(each["share"])) for each in lines) == 1


def test_team_categories(spent: House) -> None:
    lines = report(spent, "team-categories")
    assert [(each["group"], each["category"], each["amount_minor"]) for each in lines] == [
        ("Field sales", "Travel", 80_00),
        ("Head office", "Office", 15_00),
        ("Head office", "Without a category", 5_00),
    ]


@pytest.mark.parametrize(
    ("who", "amounts"), [("Carla", [80]), ("Rita", [80]), ("Cyrus", [15, 5]), ("Sam", [80, 15, 5])]
)
def test_expenses_scoped_by_caller_role(spent: House, who: str, amounts: list[int]) -> None:
    assert [each["amount"] for each in report(spent, by=who)] == amounts
    assert [each["amount"] for each in report(spent, "team-categories", by=who)] == amounts


def test_filters(spent: House) -> None:
    assert report(spent, currency="USD") == []
    assert report(spent, to="2020-01-01") == []
    assert report(spent, accountref="2") == []
    assert [each["amount"] for each in report(spent, status="REJECTED")] == [500]
    assert len(report(spent, currency="KES", accountref="1")) == 3


@pytest.mark.parametrize(
    ("query", "outcome"),
    [
        ({"currency": "kes"}, (400, "invalid_parameters")),
        ({"from": "2026-02-30"}, (400, "invalid_parameters")),
        ({"from": "2026-02-02", "to": "2026-02-01"}, (400, "invalid_parameters")),
        ({"status": "LOST"}, (400, "invalid_parameters")),
        ({"accountref": "77"}, (404, "not_found")),
    ],
)
def test_bad_filters(house: House, query: dict[str, str], outcome: tuple[int, str]) -> None:
    for name in ("categories", "team-categories"):
        assert code(house.get(f"/expenses/reports/{name}?{urlencode(query)}")) == outcome


def test_another_business_adds_up_its_own(spent: House, houses: Callable[..., House]) -> None:
    assert report(houses()) == []
