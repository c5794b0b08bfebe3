"""A payment that a rail took after all, once the vendor is paid on another account: posted where that attempt went."""

from typing import Any

import pytest

from service.bills.models import BillPayment
from service.journal.models import Transaction
from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.rails import bank, mobile_money
from service.rails.outcomes import Order, Outcome, State
from tests.service.bills.conftest import OPENING, has, pay, payment_in_approval, request_votes, till
from tests.service.house import House
from tests.service.vendors.conftest import decide

FLOATS = {"MPESA_TILL": "MOBILE_FLOAT", "BANK_EFT": "BANK_FLOAT"}
FEES = {"MPESA_TILL": 0, "BANK_EFT": 50_00}
BANK = {"channel": "BANK_EFT", "account": "0110230001", "bank_code": "68"}


@pytest.mark.parametrize(("first", "second"), [(till("0001"), {**BANK, "account": "0110999111"}), (BANK, till("9111"))])
def test_a_late_success_is_posted_where_its_own_attempt_went_whatever_the_vendor_is_paid_on_since(
    unmandated: House, monkeypatch: pytest.MonkeyPatch, first: dict[str, Any], second: dict[str, Any]
) -> None:
    row = payment_in_approval(unmandated, 100, till=first)
    assert pay(row) == "FAILED"
    payment = BillPayment.objects.get(pk=row["_id"])
    instruction_id = payment.instruction_id
    changed = unmandated.post(f"/vendors/{payment.vendor_id}/payment-instruction", second, by="Ada")
    assert decide(unmandated, changed.json(), "confirm").status_code == 200
    BillPayment.objects.filter(pk=row["_id"]).update(
        status="WITHDRAWN"
    )  # as ask_again leaves what nobody could approve
    assert request_votes(unmandated, row).json()["status"] == "APPROVED"
    payment.refresh_from_db()
    assert payment.instruction_id != instruction_id
    assert (payment.channel, payment.fee_minor) == (second["channel"], FEES[second["channel"]])
    asked: list[Order] = []

    def late(_: Any, order: Order, *__: Any) -> Outcome:
        asked.append(order)
        return Outcome(State.SUCCEEDED, "LATE")

    for kind in (mobile_money, bank):
        monkeypatch.setattr(type(kind.rail), "status", late)
    assert pay(row) == "SUCCEEDED"
    (order,) = asked
    assert (order.channel, order.account, order.bank_code) == (
        first["channel"], first["account"], first.get("bank_code", ""),
    )  # fmt: skip
    fee, business = FEES[first["channel"]], unmandated.business
    for channel, kind in FLOATS.items():
        credited = balance(system_account(business, kind, "KES")).posted
        assert credited == (10_000 if channel == first["channel"] else 0)
    assert balance(system_account(business, "FEE_INCOME", "KES")).posted == fee
    assert has(unmandated) == (OPENING - 10_000 - fee, 0)
    payment.refresh_from_db()
    assert (payment.channel, payment.account, payment.fee_minor) == (first["channel"], first["account"], fee)
    assert payment.instruction_id == instruction_id
    written = Transaction.objects.get(business=business, ref=payment.ref)
    assert (written.channel, written.fees_minor) == (first["channel"], fee)
