"""Expenses of the cast to decide on."""

from collections.abc import Callable

import pytest

from service.expenses.models import Expense
from service.sandbox.simulation import spend_some
from tests.service.house import House

Spend = Callable[..., list[Expense]]


@pytest.fixture
def spend(house: House) -> Spend:
    """`spend("Carla", 3)`: PENDING expenses of that person, newest first."""

    def by(name: str = "Carla", count: int = 1, **options: object) -> list[Expense]:
        return spend_some(house.business, [house.person(name)], count, **{"with_receipts": False, **options})

    return by
