"""A business with categories in its copy, and purchases in a real one that nobody has categorised."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Category, Expense, Origin, Transaction
from tests.dashboard.conftest import World
from tests.dashboard.expenses.conftest import world as world
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.conftest import house as bare_house
from tests.dashboard.pages.conftest import new_house as new_house

__all__ = ["bare_house"]
NAMES = ("Meals", "Travel", "Software", "Fuel")
numbers = itertools.count(1)


@pytest.fixture
def house(bare_house: House) -> House:
    """A house with four categories: `category("Meals")` is one of them."""
    for name in NAMES:
        Category.objects.create(
            **bare_house._mirrored(), remote_id=f"cat-{name.lower()}", name=name, category_id="c", category_name="Costs"
        )
    return bare_house


def choose(house: House, name: str, times: int = 1, **given: Any) -> None:
    """Approved expenses that people have filed under a category."""
    for _ in range(times):
        house.expense(
            **{"status": "APPROVED", "category_name": f"Costs · {name}", "subcategory_id": f"cat-{name.lower()}"}
            | given
        )


def transaction(house: House, **given: Any) -> Transaction:
    """A transaction on its own, without category and expense."""
    number = next(numbers)
    values: dict[str, Any] = house._mirrored() | {
        "remote_id": f"{number:024x}", "type": "TOPUP", "status": "POSTED", "direction": "IN", "org_wallet_ref": "KES-1",
        "currency": "KES", "amount_minor": 100_000, "amount_text": "KES 1,000.00", "counterparty": "Savanna Farms",
        "occurred_at": house._mirrored()["last_seen"],
    }  # fmt: skip
    return Transaction.objects.create(**values | given)


def swipe(world: World, merchant: str = "Java House", name: str = "Carla") -> Expense:
    """A purchase with somebody's card, without a category, in the copy."""
    person = world.employee(name)["employee_id"]
    found = world.sandbox("swipe", employee_id=person, merchant=merchant)["expense"]
    upsert("expense", world.business, [found], Origin.POLL)
    expense: Expense = Expense.objects.get(business=world.business, remote_id=found["_id"])
    assert expense.subcategory_id == ""
    return expense
