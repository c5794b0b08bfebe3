"""Bills without a payment are expected on the day they are due; what a payment claims of one is expected as the payment."""

from datetime import date
from typing import Any

import pytest

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin
from tests.dashboard.forecast.test_sources import expected, payment
from tests.dashboard.pages.conftest import House, make_house


@pytest.fixture
def house(db: None) -> House:
    return make_house()


def bill(house: House, number: str, **given: Any) -> None:
    row = {
        "_id": number, "bill_no": number, "vendor_id": "v1", "vendor_name": "Acme", "currency": "KES", "status": "OPEN",
        "total_minor": 500_00, "balance_minor": 500_00, "issued_at": "2026-11-01", "due_at": "2026-12-03", "version": 1,
    }  # fmt: skip
    upsert("bill", house.business, [row | given], Origin.POLL)


def test_a_bill_without_a_payment_goes_out_on_the_day_it_is_due(house: House) -> None:
    bill(house, "INV-1")
    bill(house, "INV-PAID", status="PAID", balance_minor=0)
    bill(house, "INV-DRAFT", status="DRAFT")
    bill(house, "INV-FAR", due_at="2027-12-03")
    [item] = expected(house).values()
    assert (item.minor, item.day, item.unsent) == (-500_00, date(2026, 12, 3), False)
    assert (item.title, item.about) == ("Bill INV-1, Acme", "no payment yet, due 3 Dec")
    assert item.href == house.address("bills/INV-1/")


def test_what_a_payment_claims_of_it_is_counted_once(house: House) -> None:
    bill(house, "INV-1")
    bill(house, "INV-2")
    payment(house, "bill_payment", "PENDING_APPROVAL", "BP-1", payload={"due_at": "2026-12-03", "bill_id": "INV-1"})
    payment(
        house,
        "bill_payment",
        "DRAFT",
        "BP-2",
        amount_minor=500_00,
        payload={"due_at": "2026-12-03", "bill_id": "INV-2"},
    )
    found = expected(house)
    assert found["bill:INV-1"].minor == -400_00
    assert "bill:INV-2" not in found
    assert sum(item.minor or 0 for item in found.values()) == -1_000_00


def test_the_discount_that_a_payment_takes_is_paid_by_nobody(house: House) -> None:
    bill(house, "INV-1", total_minor=1_000_00, balance_minor=1_000_00)
    payload = {"due_at": "2026-12-03", "bill_id": "INV-1", "discount_minor": 20_00}
    payment(house, "bill_payment", "APPROVED", "BP-1", amount_minor=980_00, payload=payload)
    items = expected(house)
    assert list(items) == ["payment:BP-1"]
    assert items["payment:BP-1"].minor == -980_00
