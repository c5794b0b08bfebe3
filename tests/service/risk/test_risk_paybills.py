"""Payees on one paybill are told apart by the account there: in risk signals, among the recently paid, and in the attempts of payments."""

from __future__ import annotations

from typing import Any

import pytest

from service.approvals.models import Approval
from tests.service.bills.conftest import bill, till
from tests.service.house import House
from tests.service.payments.conftest import initiated, item
from tests.service.risk.test_risk import paid, signals
from tests.service.risk.test_risk_payables import known
from tests.service.risk.test_risk_payables import paid as bill_paid

pytestmark = pytest.mark.usefixtures("settled_people")
PAYBILL = "400200"


def to(reference: str) -> dict[str, Any]:
    return {"channel": "MPESA_PAYBILL", "account_reference": reference}


def payout_signals(house: House, reference: str, name: str, amount: float = 1510) -> dict[str, Any]:
    payout = initiated(house, item(amount, PAYBILL, receiver_name=name, **to(reference)))
    return signals(Approval.objects.get(id=payout["approvals"][-1]))


def test_another_account_at_the_same_paybill_is_another_payee(house: House) -> None:
    paid(house, 1500, PAYBILL, 60, receiver_name="Meter one", **to("M-1"))
    found = payout_signals(house, "M-2", "Meter two", 1500)
    assert "shared_payee_account" not in found
    assert "duplicate_invoice" not in found
    assert "new_vendor_first_payment" in found
    again = payout_signals(house, "m 1", "Meter one")
    assert "new_vendor_first_payment" not in again
    assert payout_signals(house, "M-1", "Somebody else")["shared_payee_account"]["also"] == "Meter one"


def test_another_account_at_the_paybill_for_a_known_name_is_a_changed_one(house: House) -> None:
    paid(house, 1500, PAYBILL, 60, receiver_name="Acacia Supplies", **to("0110234567"))
    assert "payee_details_changed" in payout_signals(house, "0110999111", "Acacia Supplies")
    assert "payee_details_changed" not in payout_signals(house, "0110-234567", "Acacia Supplies")


def test_who_was_paid_lately_on_one_paybill_is_a_row_for_each_account_there(house: House) -> None:
    paid(house, 1500, PAYBILL, receiver_name="Meter one", **to("M-1"))
    paid(house, 200, PAYBILL, receiver_name="Meter one", **to("m1"))
    paid(house, 300, PAYBILL, receiver_name="Meter two", **to("M-2"))
    body = {"name": "Meter two Ltd", "payment_instructions": [{"account": PAYBILL, **to("M-2")}]}
    vendor = house.post("/vendors", body, by="Ada").json()
    rows = house.get("/vendors/recent/MPESA_PAYBILL").json()["docs"]
    assert {(row["name"], row["account_reference"].replace("-", "").upper(), row["count"], row.get("_id")) for row in rows} == {
        ("Meter one", "M1", 2, None), ("Meter two Ltd", "M2", 1, vendor["_id"]),
    }  # fmt: skip


def test_an_attempt_says_where_it_went_by_its_last_digits(house: House) -> None:
    created = known(house)
    row = bill(house, 700.5, vendor_id=created["_id"], bill_no="NEW")
    bill_paid(house, row)
    ref = house.get(f"/bills/{row['_id']}").json()["payments"][-1]
    [attempt] = house.get(f"/bills/payments/{ref}/status").json()["attempts"]
    number = till()["account"]
    assert (attempt["channel"], attempt["account_ends"]) == ("MPESA_TILL", number[-4:])
    assert number not in str(attempt)
