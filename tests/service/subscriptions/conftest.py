"""Subscriptions over HTTP, and charges of them."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from service.businesses.models import Employee
from service.expenses.models import Expense
from service.expenses.new_expense import NewExpense
from service.expenses.posting import spend
from service.ids import object_id
from tests.service.cards.conftest import make  # noqa: F401  for tests with cards
from tests.service.house import House

VENDOR = "Cloud Co"


def subscription(house: House, by: str | None = "Ada", **more: Any) -> dict[str, Any]:
    body = {"name": "Drive", "vendor": VENDOR, "currency": "KES", "amount": 1500, **more}
    answer = house.post("/subscriptions/create", body, by=by)
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def charge(
    house: House, amount: float = 1500, *, days_ago: float = 0, at: datetime | None = None, vendor: str = VENDOR, card_id: str = "",
    person: Employee | None = None,
) -> Expense:  # fmt: skip
    """An expense, paid for."""
    new = NewExpense(
        employee=person or house.person("Carla"),
        org_wallet_ref="1",
        currency="KES",
        amount_minor=round(amount * 100),
        transaction_ref=f"t-{object_id()}",
        transaction_date=at or timezone.now() - timedelta(days=days_ago),
        receiver=vendor,
        card_id=card_id,
    )
    return spend(house.caller("Ada"), new)
