"""A bill of a closed month that is entered and paid after the close: its payment is of the open month, the closed one stays."""

from __future__ import annotations

from typing import Any

from service.ledger.post import today
from tests.service.accounting.conftest import close, month, spend
from tests.service.bills.conftest import add, bill, pay, request_votes
from tests.service.house import House


def trial(house: House, name: str) -> Any:
    return house.get(f"/accounting/periods/{name}/trial-balance").json()["accounts"]


def test_a_bill_that_is_entered_and_paid_late_is_of_the_open_month(unmandated: House) -> None:
    house, last = unmandated, month(unmandated, 1)
    spend(house, "rent", 700_00, last.first)
    assert close(house, last, accept_open_items=True).status_code == 200
    before = trial(house, last.name)
    made = bill(house, 1_160, bill_no="LATE-1", issued_at=str(last.first), due_at=str(last.last))
    payment = request_votes(house, add(house, made).json()).json()
    assert pay(payment) == "SUCCEEDED"
    [row] = [row for row in house.get("/transactions?limit=200").json()["docs"] if row["ref"] == payment["payment_ref"]]
    assert row["effective_on"] == str(today(house.business))
    posting = house.get(f"/accounting/postings/{row['ledger_transaction_id']}").json()
    assert posting["effective_on"] == str(today(house.business))
    assert trial(house, last.name) == before
    assert house.get(f"/accounting/periods/{last.name}").json()["status"] == "CLOSED"
