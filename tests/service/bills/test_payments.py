"""Bill payments: both axes, sums never above the balance, withheld taxes posted, the rail's silence, retries."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from service.approvals.models import Approval, Mandate
from service.bills import execution
from service.bills.models import Attempt, Bill, BillPayment
from service.categories.models import Subcategory
from service.events.models import Event
from service.journal.models import Transaction
from service.ledger.invariants import breaches
from service.rails.mobile_money import rail
from service.rails.outcomes import Outcome, RailTimeoutError, State
from service.taxes.models import TaxRate
from tests.service.bills.conftest import (
    OPENING,
    add,
    bill,
    has,
    later,
    pay,
    payment_in_approval,
    request_votes,
    say,
    status,
    till,
)
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once
from tests.service.transactions.conftest import put


def shown(house: House, row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = house.get(f"/bills/{row['bill_id']}").json()
    return found


def test_what_pays_a_bill_is_filed_by_its_lines_and_not_split(house: House) -> None:
    paid = add(house, bill(house, 1160)).json()
    say(house, request_votes(house, paid).json(), "approve")
    assert pay(paid) == "SUCCEEDED"
    [row] = [row for row in house.get("/transactions?limit=1000").json()["docs"] if row["ref"] == paid["payment_ref"]]
    whole = Decimal(row["amount_minor"]) / 100
    ids = [filed.id for filed in house.opened.subcategories[:2]]
    parts = [
        {"subcategory_id": ids[0], "amount": "0.01"},
        {"subcategory_id": ids[1], "amount": str(whole - Decimal("0.01"))},
    ]
    answer = put(house, f"/transactions/{row['_id']}/parts", {"version": row["version"], "parts": parts}, by="Ada")
    assert code(answer) == (409, "split_not_allowed")


def test_both_axes(house: House) -> None:
    """How far a bill is paid and what was decided about its payments are two things."""
    created = bill(house, 1160)
    first = add(house, created, 1000).json()
    assert (first["status"], first["approval_status"]) == ("DRAFT", "INITIALIZED")
    waiting = request_votes(house, first).json()
    assert (waiting["status"], waiting["approval_status"]) == ("PENDING_APPROVAL", "PENDING")
    assert [shown(house, first)[axis] for axis in ("status", "approval_status")] == ["OPEN", "PENDING"]
    approved = say(house, first, "approve").json()
    assert (approved["status"], approved["approval_status"]) == ("APPROVED", "APPROVED")
    assert pay(first) == "SUCCEEDED"
    assert [shown(house, first)[axis] for axis in ("status", "approval_status")] == ["PARTIALLY_PAID", "APPROVED"]
    second = request_votes(house, add(house, created).json()).json()
    rejected = say(house, second, "reject").json()
    assert (rejected["status"], rejected["approval_status"]) == ("REJECTED", "REJECTED")
    assert [shown(house, first)[axis] for axis in ("status", "approval_status")] == ["PARTIALLY_PAID", "REJECTED"]
    assert house.get("/bills?approval_status=REJECTED").json()["total"] == 1


def test_what_a_bill_is_filed_under_is_in_use_and_its_payment_is_booked_even_without_it(unmandated: House) -> None:
    [travel] = [row for row in unmandated.get("/categories").json()["docs"] if row["code"] == "TRAVEL"]
    fuel, taxi = (
        next(row["_id"] for row in travel["subcategories"] if row["code"] == wanted) for wanted in ("FUEL", "TAXI")
    )
    line = {"description": "Rides", "unit_price": 1160, "subcategory_id": taxi}
    row = payment_in_approval(unmandated, line_items=[line], subcategory_id=fuel)
    for used in (fuel, taxi):
        refused = unmandated.send("DELETE", f"/categories/{travel['_id']}/subcategories/{used}")
        assert code(refused) == (409, "in_use")
        assert "is in use: 1 bill." in refused.json()["detail"]
    # However it came to be gone: money that has left is written down.
    Subcategory.objects.filter(id=fuel).delete()
    assert pay(row) == "SUCCEEDED"
    connection.check_constraints()
    assert Transaction.objects.get(ref=row["payment_ref"]).subcategory_id is None


def test_a_paid_bill_with_its_posting_book_and_events(unmandated: House) -> None:
    row = payment_in_approval(unmandated, 1160)
    assert (row["status"], row["approval_status"]) == ("APPROVED", "NOT_REQUIRED")
    assert pay(row) == "SUCCEEDED"
    assert pay(row) == "SUCCEEDED"
    assert has(unmandated) == (OPENING - 116_000, 0)
    now = shown(unmandated, row)
    assert (now["status"], now["balance"], now["amount_paid"]) == ("PAID", 0, 1160)
    assert Transaction.objects.get(business=unmandated.business, ref=row["payment_ref"]).amount_minor == 116_000
    kinds = list(
        Event.objects.filter(business=unmandated.business, kind__startswith="bill")
        .order_by("id")
        .values_list("kind", flat=True)
    )
    assert kinds == [
        "bill.created", "bill_payment.created", "bill_payment.approval_requested", "bill_payment.processing",
        "bill_payment.succeeded", "bill.paid",
    ]  # fmt: skip


def test_sums_never_above_the_balance(house: House) -> None:
    created = bill(house, 1000)
    assert code(add(house, created, 1000.01)) == (422, "limit_exceeded")
    first = add(house, created, 600).json()
    assert code(add(house, created, 400.01)) == (422, "limit_exceeded")
    second = add(house, created, 400).json()
    assert code(add(house, created)) == (422, "limit_exceeded")
    request_votes(house, first)
    say(house, first, "withdraw", by="Ada")  # claims nothing any more
    third = add(house, created, 600).json()
    assert code(request_votes(house, first)) == (422, "limit_exceeded")
    assert {status(each) for each in (second, third)} == {"DRAFT"}


def test_sums_never_above_the_balance_when_many_are_added_at_once(committed_house: House) -> None:
    created = bill(committed_house, 1000)
    caller = committed_house.caller("Ada")

    def first(_: int) -> str:
        from service.bills import payments
        from service.bills.schemas_payments import NewPayment
        from service.errors import ServiceError

        try:
            return payments.add(caller, created["_id"], NewPayment(amount="300")).ref
        except ServiceError as refusal:
            return refusal.code

    results = at_once(8, first)
    assert results.count("limit_exceeded") == 5
    assert sum(row.amount_minor for row in BillPayment.objects.filter(bill_id=created["_id"])) == 90_000


@pytest.mark.parametrize(("ending", "now", "outcome"), [
    ("0001", "FAILED", "FAILED"), ("0003", "PROCESSING", "SUCCEEDED"), ("0004", "UNKNOWN", "SUCCEEDED"),
    ("0005", "UNKNOWN", "FAILED"), ("0006", "PROCESSING", "FAILED"),
])  # fmt: skip
def test_silence_is_neither_success_nor_failure(unmandated: House, ending: str, now: str, outcome: str) -> None:
    row = payment_in_approval(unmandated, 100, till=till(ending))
    assert pay(row) == now
    later(row)
    answer = unmandated.get(f"/bills/payments/{row['payment_ref']}/status").json()
    assert answer["status"] == outcome
    assert has(unmandated) == ((OPENING - 10_000, 0) if outcome == "SUCCEEDED" else (OPENING, 0))


def test_retry_only_when_no_debit_happened(unmandated: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second attempt leaves only after the rail has said that the first one took no money."""
    row = payment_in_approval(unmandated, 100, till=till("0001"))
    assert pay(row) == "FAILED"
    sent: list[str] = []
    monkeypatch.setattr(
        type(rail), "send", lambda _, order: sent.append(order.reference) or Outcome(State.SUCCEEDED, "R")
    )

    def silent(*_: Any) -> Outcome:
        raise RailTimeoutError

    retried = unmandated.post(f"/bills/payments/{row['payment_ref']}/retry")
    assert (retried.status_code, retried.json()["status"]) == (200, "PROCESSING")
    monkeypatch.setattr(type(rail), "status", silent)
    assert pay(row) == "UNKNOWN"
    assert sent == []
    again = unmandated.post(f"/bills/payments/{row['payment_ref']}/retry")
    assert code(again) == (409, "invalid_state")  # reconcile first
    monkeypatch.setattr(type(rail), "status", lambda *_: Outcome(State.FAILED, failure_code="account_not_found"))
    assert pay(row) == "SUCCEEDED"
    attempts = list(Attempt.objects.filter(payment_id=row["_id"]).order_by("number"))
    assert [each.status for each in attempts] == ["FAILED", "SUCCEEDED"]
    assert sent == [attempts[1].id]
    assert has(unmandated) == (OPENING - 10_000, 0)


def test_retry_of_what_had_been_paid_after_all_pays_nothing_more(
    unmandated: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = payment_in_approval(unmandated, 100, till=till("0001"))
    pay(row)
    unmandated.post(f"/bills/payments/{row['payment_ref']}/retry")
    sent: list[str] = []
    monkeypatch.setattr(type(rail), "send", lambda _, order: sent.append(order.reference))
    monkeypatch.setattr(type(rail), "status", lambda *_: Outcome(State.SUCCEEDED, "LATE"))
    assert pay(row) == "SUCCEEDED"
    assert sent == []
    assert [each.status for each in Attempt.objects.filter(payment_id=row["_id"]).order_by("number")] == [
        "SUCCEEDED", "CANCELLED",
    ]  # fmt: skip
    assert has(unmandated) == (OPENING - 10_000, 0)
    assert Bill.objects.get(pk=row["bill_id"]).status == "PAID"


@pytest.mark.parametrize("step", ["reserve", "claim", "_send"])
def test_a_kill_after_any_step_and_the_rerun_pay_once(
    unmandated: House, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    row = payment_in_approval(unmandated, 100)
    real, calls = getattr(execution, step), []

    def dies(*args: Any) -> Any:
        result = real(*args)
        if not calls:
            calls.append(step)
            raise KeyboardInterrupt
        return result

    monkeypatch.setattr(execution, step, dies)
    with pytest.raises(KeyboardInterrupt):
        pay(row)
    pay(row)
    later(row)
    assert row["_id"] in execution.due() or status(row) == "SUCCEEDED"
    assert pay(row) == "SUCCEEDED"
    assert has(unmandated) == (OPENING - 10_000, 0)


def test_workers_at_once_pay_once(committed_house: House) -> None:
    Mandate.objects.filter(business=committed_house.business).update(active=False)
    row = payment_in_approval(committed_house, 100)
    at_once(5, lambda _: pay(row))
    later(row)
    assert pay(row) == "SUCCEEDED"
    assert has(committed_house) == (OPENING - 10_000, 0)
    assert breaches(sealed=False) == []
    assert not Approval.objects.filter(business=committed_house.business).exists()


def taxed(house: House, amount: float, **more: Any) -> dict[str, Any]:
    """A bill from which 5 % are withheld once the vendor gets 24,000 in the month."""
    tax = next(each for each in house.get("/taxes").json()["docs"] if each["code"] == "WHT_PROFESSIONAL")
    return bill(house, amount, withholding_tax_ids=[tax["_id"]], **more)


def dated_rate(house: House, bps: int, day: date) -> None:
    """Another rate of that tax from a day on."""
    known = TaxRate.objects.filter(tax__business=house.business, tax__code="WHT_PROFESSIONAL").latest("effective_from")
    TaxRate.objects.create(
        tax=known.tax, base=known.base, resident_rate_bps=bps, non_resident_rate_bps=bps, effective_from=day,
        threshold_minor=known.threshold_minor, created_by="test",
    )  # fmt: skip
