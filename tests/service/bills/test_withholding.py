"""What is withheld of a payment goes by the day on which it is paid, and by what else is under way in its month."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.approvals.models import Mandate
from service.bills.models import BillPayment
from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.rails.mobile_money import rail
from service.rails.outcomes import Outcome, State
from service.taxes.models import TaxTransaction
from tests.days import business_day
from tests.service.bills.conftest import OPENING, add, bill, has, pay, request_votes, say, till
from tests.service.bills.test_payments import dated_rate, shown, taxed
from tests.service.house import House


def test_wht_posted(unmandated: House) -> None:
    """The vendor gets the net, the authority is owed the rest, in one posting; the deduction is written down."""
    tax = next(each for each in unmandated.get("/taxes").json()["docs"] if each["code"] == "WHT_PROFESSIONAL")
    lines = [{"description": "Advice", "unit_price": 100_000, "tax_rate": 16}]
    created = bill(unmandated, line_items=lines, withholding_tax_ids=[tax["_id"]])
    assert created["withholding"][0]["amount"] == 5000
    row = request_votes(unmandated, add(unmandated, created).json()).json()
    assert (row["amount"], row["withheld_amount"], row["net_amount"]) == (116_000, 5000, 111_000)
    assert pay(row) == "SUCCEEDED"
    business = unmandated.business
    assert has(unmandated) == (OPENING - 11_600_000, 0)
    assert balance(system_account(business, "WHT_PAYABLE", "KES")).posted == 500_000
    assert balance(system_account(business, "MOBILE_FLOAT", "KES")).posted == 11_100_000
    (deducted,) = unmandated.get("/taxes/transactions").json()["docs"]
    assert (deducted["base_amount"], deducted["tax_amount"], deducted["rate_bps"]) == (100_000, 5000, 500)
    assert (deducted["status"], deducted["bill_payment_ref"]) == ("DEDUCTED", row["payment_ref"])
    written = TaxTransaction.objects.get(business=business)
    assert written.ledger_transaction_id == BillPayment.objects.get(pk=row["_id"]).ledger_transaction_id
    assert shown(unmandated, row)["status"] == "PAID"


def test_below_the_threshold_nothing_is_withheld_until_the_month_is_above_it(unmandated: House) -> None:
    tax = next(each for each in unmandated.get("/taxes").json()["docs"] if each["code"] == "WHT_PROFESSIONAL")
    created = bill(unmandated, 30_000, withholding_tax_ids=[tax["_id"]])
    first = request_votes(unmandated, add(unmandated, created, 14_000).json()).json()
    assert first["withheld_amount"] == 0
    assert pay(first) == "SUCCEEDED"
    assert add(unmandated, created, 10_000).json()["withheld_amount"] == 500
    assert not TaxTransaction.objects.filter(business=unmandated.business).exists()


def approve(house: House, row: dict[str, Any]) -> dict[str, Any]:
    """As many votes as the mandate wants."""
    for by in ("Apollo", "Zawadi", "Juma"):
        voted: dict[str, Any] = say(house, row, "approve", by=by).json()
        if voted["status"] != "PENDING_APPROVAL":
            break
    assert voted["status"] == "APPROVED"
    return voted


def test_what_is_withheld_goes_by_the_rate_of_the_day_on_which_it_is_paid(unmandated: House) -> None:
    created = taxed(unmandated, 100_000)
    day = timezone.now() + timedelta(days=40)
    dated_rate(unmandated, 1000, (day - timedelta(days=5)).date())
    later_on = add(unmandated, created, 50_000, scheduled_for=day.isoformat()).json()
    assert later_on["withheld_amount"] == 5000
    assert add(unmandated, created, 50_000).json()["withheld_amount"] == 2500


def test_a_payment_of_which_more_is_withheld_by_now_than_was_approved_goes_back_to_approval(house: House) -> None:
    created = taxed(house, 100_000)
    row = request_votes(house, add(house, created).json()).json()
    assert row["withheld_amount"] == 5000
    approve(house, row)
    dated_rate(house, 1000, business_day())
    assert pay(row) == "PENDING_APPROVAL"
    now = house.get(f"/bills/payments/{row['payment_ref']}/status").json()
    assert (now["hold_reason"], now["approval_status"]) == ("withholding_changed", "PENDING")
    assert (now["withheld_amount"], now["net_amount"]) == (10_000, 90_000)
    assert len(now["approvals"]) == 2
    assert has(house) == (OPENING, 0)
    assert approve(house, row)["hold_reason"] == ""
    assert pay(row) == "SUCCEEDED"
    assert balance(system_account(house.business, "WHT_PAYABLE", "KES")).posted == 1_000_000


def test_what_was_reserved_for_a_day_is_given_back_where_another_rate_came_before_it(house: House) -> None:
    created = taxed(house, 100_000)
    day = timezone.now() + timedelta(days=3)
    row = request_votes(house, add(house, created, scheduled_for=day.isoformat()).json()).json()
    approve(house, row)
    assert pay(row) == "SCHEDULED"
    assert has(house) == (OPENING, 10_000_000)
    dated_rate(house, 1000, business_day())
    BillPayment.objects.filter(pk=row["_id"]).update(scheduled_for=timezone.now())
    assert pay(row) == "PENDING_APPROVAL"
    assert has(house) == (OPENING, 0)


def test_a_failed_payment_is_tried_again_only_with_what_is_withheld_by_now(house: House) -> None:
    created = taxed(house, 100_000, till=till("0001"))
    row = request_votes(house, add(house, created).json()).json()
    approve(house, row)
    assert pay(row) == "FAILED"
    dated_rate(house, 1000, business_day())
    again = house.post(f"/bills/payments/{row['payment_ref']}/retry").json()
    assert (again["status"], again["hold_reason"]) == ("PENDING_APPROVAL", "withholding_changed")
    assert again["withheld_amount"] == 10_000


@pytest.mark.parametrize("votes", [False, True])
def test_a_first_attempt_that_had_paid_is_posted_with_what_was_withheld_of_it(
    house: House, monkeypatch: pytest.MonkeyPatch, votes: bool
) -> None:
    """The rate changed before the second attempt, and the rail says then that the first one had gone through."""
    Mandate.objects.filter(business=house.business).update(active=votes)
    row = request_votes(house, add(house, taxed(house, 100_000, till=till("0001"))).json()).json()
    if votes:
        approve(house, row)
    assert pay(row) == "FAILED"
    dated_rate(house, 1000, business_day())
    again = house.post(f"/bills/payments/{row['payment_ref']}/retry").json()
    assert again["net_amount"] == 90_000
    if votes:
        approve(house, row)
    queried: list[int] = []
    monkeypatch.setattr(
        type(rail), "status", lambda _, order, *__: queried.append(order.amount_minor) or Outcome(State.SUCCEEDED, "L")
    )
    assert pay(row) == "SUCCEEDED"
    assert queried == [9_500_000]
    assert has(house) == (OPENING - 10_000_000, 0)
    assert balance(system_account(house.business, "MOBILE_FLOAT", "KES")).posted == 9_500_000
    assert balance(system_account(house.business, "WHT_PAYABLE", "KES")).posted == 500_000
    assert TaxTransaction.objects.get(business=house.business).tax_minor == 500_000
    now = house.get(f"/bills/payments/{row['payment_ref']}/status").json()
    assert (now["withheld_amount"], now["net_amount"]) == (5000, 95_000)


def test_payments_under_way_count_towards_the_threshold_of_the_month(house: House) -> None:
    """Two that are approved side by side: the one added first is below the threshold, the other above it with the first."""
    created = taxed(house, 30_000)
    first = request_votes(house, add(house, created, 14_000).json()).json()
    approve(house, first)
    second = request_votes(house, add(house, created, 14_000).json()).json()
    assert second["withheld_amount"] == 700
    approve(house, second)
    assert pay(first) == "SUCCEEDED"
    assert pay(second) == "SUCCEEDED"
    assert balance(system_account(house.business, "WHT_PAYABLE", "KES")).posted == 70_000


def test_a_payment_that_awaits_votes_does_not_count_and_what_is_withheld_is_computed_again(house: House) -> None:
    """The one that is paid first is below the threshold; of the other more is withheld by then, so it is voted on again."""
    created = taxed(house, 30_000)
    first = request_votes(house, add(house, created, 14_000).json()).json()
    second = request_votes(house, add(house, created, 14_000).json()).json()
    assert (first["withheld_amount"], second["withheld_amount"]) == (0, 0)
    approve(house, second)
    assert pay(second) == "SUCCEEDED"
    approve(house, first)
    assert pay(first) == "PENDING_APPROVAL"
    approve(house, first)
    assert pay(first) == "SUCCEEDED"
    assert balance(system_account(house.business, "WHT_PAYABLE", "KES")).posted == 70_000


def test_a_payment_on_its_way_counts_though_it_was_added_later(house: House) -> None:
    """What it is paid with is settled: the earlier one, sent while it is on its way, is the one above the threshold."""
    created = taxed(house, 30_000)
    first = request_votes(house, add(house, created, 14_000).json()).json()
    second = request_votes(house, add(house, created, 14_000).json()).json()
    approve(house, first)
    BillPayment.objects.filter(pk=second["_id"]).update(status="PROCESSING")
    assert pay(first) == "PENDING_APPROVAL"
    assert house.get(f"/bills/payments/{first['payment_ref']}/status").json()["withheld_amount"] == 700


def test_a_bill_says_what_is_withheld_of_what_is_open_and_of_the_month(unmandated: House) -> None:
    """Not of its total, a part of which was paid by then, and not as if nothing else were paid in the month."""
    created = taxed(unmandated, 30_000)
    assert created["withholding"][0]["amount"] == 1500
    row = request_votes(unmandated, add(unmandated, created, 20_000).json()).json()
    assert pay(row) == "SUCCEEDED"
    [rest] = unmandated.get(f"/bills/{created['_id']}").json()["withholding"]
    assert (rest["base_amount"], rest["amount"]) == (10_000, 500)
    last = request_votes(unmandated, add(unmandated, created).json()).json()
    assert pay(last) == "SUCCEEDED"
    [nothing] = unmandated.get(f"/bills/{created['_id']}").json()["withholding"]
    assert (nothing["base_amount"], nothing["amount"]) == (0, 0)
