"""Charges: told of by new expenses, near the limit, and what was spent per period."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from service.events.models import Event
from service.subscriptions.frequency import Span, next_charge, start_of_period
from service.subscriptions.models import Subscription
from tests.service.house import House, code
from tests.service.subscriptions.conftest import charge, subscription
from tests.service.subscriptions.test_subscriptions import card_of


def events_of(house: House, kind: str) -> list[Any]:
    rows = Event.objects.filter(business=house.business, kind=f"subscription.{kind}").order_by("id")
    return [row.payload["object"] for row in rows]


def test_an_expense_of_the_vendor_is_a_charge(house: House) -> None:
    created = subscription(house)
    charge(house, vendor="Somebody else")
    assert events_of(house, "charged") == []
    expense = charge(house, 1499.5, vendor="cloud co")
    (event,) = events_of(house, "charged")
    assert event["charge"] == {"expense_id": expense.id, "amount_minor": 149_950}
    row = Subscription.objects.get(pk=created["_id"])
    assert row.last_charge_at == expense.transaction_date
    assert row.next_charge_at == next_charge(expense.transaction_date, "MONTHLY", house.business)


def test_only_on_its_card_where_it_has_one(house: House) -> None:
    card = card_of(house, "Carla")
    subscription(house, employee_id=house.person("Carla").id, card_id=card)
    charge(house)
    assert events_of(house, "charged") == []
    charge(house, card_id=card)
    assert len(events_of(house, "charged")) == 1


@pytest.mark.parametrize(("limit", "near"), [(2000, False), (1875, True), (1500, True), (None, False)])
def test_near_its_limit_from_eighty_per_cent_on(house: House, limit: float | None, near: bool) -> None:
    subscription(house, limit=limit)
    charge(house, 1500)
    assert len(events_of(house, "limit_near")) == int(near)


def test_what_was_spent_in_which_month(house: House) -> None:
    created = subscription(house)
    for month, amount in ((1, 1500), (1, 100), (3, 1600)):
        charge(house, amount, at=datetime(2026, month, 31, 20, 59, tzinfo=UTC))
    charge(house, 9, at=datetime(2026, 3, 31, 21, 1, tzinfo=UTC))  # April already, in Nairobi
    body = {"subscription_ids": [created["_id"]], "from": "2026-01-01", "to": "2026-03-31"}
    (found,) = house.post("/subscriptions/amount-spent", body).json()["docs"]
    assert (found["total"], found["count"]) == (3200, 3)
    assert [(each["start"], each["amount"], each["count"]) for each in found["periods"]] == [
        ("2026-01-01", 1600, 2),
        ("2026-03-01", 1600, 1),
    ]
    year = house.post("/subscriptions/amount-spent", {"period": "YEAR"}).json()["docs"][0]
    assert [each["amount"] for each in year["periods"]] == [3209]
    wrong = {"from": "2026-02-01", "to": "2026-01-01"}
    assert code(house.post("/subscriptions/amount-spent", wrong)) == (422, "validation_failed")


@pytest.mark.parametrize(
    ("last", "frequency", "following"),
    [
        ("2026-01-31", "MONTHLY", "2026-02-28"),
        ("2026-12-15", "MONTHLY", "2027-01-15"),
        ("2024-02-29", "ANNUAL", "2025-02-28"),
        ("2026-11-30", "QUARTERLY", "2027-02-28"),
        ("2026-01-29", "WEEKLY", "2026-02-05"),
    ],
)
def test_the_next_charge_stays_in_its_month(house: House, last: str, frequency: str, following: str) -> None:
    at = datetime.fromisoformat(last).replace(hour=9, tzinfo=UTC)
    assert next_charge(at, frequency, house.business).date().isoformat() == following


def test_periods_begin_where_the_calendar_does() -> None:
    day = datetime(2026, 11, 19, tzinfo=UTC).date()
    starts = {span: start_of_period(span, day).isoformat() for span in Span}
    assert starts == {"WEEK": "2026-11-16", "MONTH": "2026-11-01", "QUARTER": "2026-10-01", "YEAR": "2026-01-01"}
    assert start_of_period(Span.WEEK, day) + timedelta(days=3) == day
