"""A payment of a bill that a payout made already, or may make, is shown beside it before it is added; against the real service."""

from __future__ import annotations

import re
from typing import Any

from django.utils import timezone

from dashboard.cash.earlier_payments import COMPARED_AT_ONCE, ComparedPayment, EarlierPayment, earlier_payouts
from dashboard.mirror.models import Wallet
from dashboard.pages.bills.presenters.paid_before import comparison_of_payment, paid_before_digest
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_paying import bill as bill
from tests.dashboard.bills.test_paying import pay, payments, signed_in
from tests.dashboard.bills.test_payment_runs import run_of, why
from tests.dashboard.bulk.conftest import no_queue
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask

__all__ = ["no_queue"]


def paid_by_payout(world: World, vendor: Any, amount: float = 1000, **more: Any) -> Any:
    """A draft of a payout that pays a vendor on its account, among others."""
    [account] = vendor["payment_instructions"]
    row = {
        "receiver_name": vendor["name"],
        "channel": "MPESA_TILL",
        "account": account["account"],
        "amount": amount,
        **more,
    }
    other = row | {"receiver_name": "Somebody else", "account": "559911"}
    body = {"name": "Suppliers October", "org_wallet_ref": "1", "items": [other, row]}
    return ask(world, "Ada", "POST", "/payments", body)


def vendor_of(world: World, bill: Any) -> Any:
    return world.upstream(f"/vendors/{bill['vendor_id']}")


def tick(answer: Any) -> str:
    mark = re.search(r'name="meant" value="([0-9a-f]{64})"', answer.content.decode())
    assert mark is not None
    return mark[1]


def test_a_payment_that_a_payout_made_is_shown_beside_it_and_added_only_where_it_is_another(
    world: World, bill: Any
) -> None:
    payout = paid_by_payout(world, vendor_of(world, bill))
    answer = pay(world, bill)
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert payments(world, bill) == []
    assert f"Suppliers October, {payout['batch_no']}, row 2" in shown
    address = world.address(f"payouts/{payout['_id']}/")
    assert f'href="{address}"' in shown
    account = vendor_of(world, bill)["payment_instructions"][0]["account"]
    assert f"M-Pesa till ···{account[-4:]}" in shown
    assert account not in shown
    assert pay(world, bill, meant="0" * 64).status_code == 409
    assert pay(world, bill, meant=tick(answer)).status_code == 302
    assert len(payments(world, bill)) == 1


def test_another_amount_another_vendor_and_one_that_was_cancelled_stand_in_nobodys_way(world: World, bill: Any) -> None:
    paid_by_payout(world, vendor_of(world, bill), 999)
    paid_by_payout(world, upstream.vendor(world))
    cancelled = paid_by_payout(world, vendor_of(world, bill))
    ask(world, "Ada", "POST", "/payments/payout/cancel", {"batch_no": cancelled["batch_no"], "reason": "Twice."})
    assert pay(world, bill).status_code == 302


def test_a_part_is_compared_as_the_part_that_it_is(world: World, bill: Any) -> None:
    paid_by_payout(world, vendor_of(world, bill), 400)
    assert pay(world, bill).status_code == 302
    another = upstream.bill(world, vendor_of(world, bill), number="INV-2", amount=1000)
    world.sync("bills_whole", "approvals")
    assert pay(world, another, amount="400").status_code == 409


def test_a_run_leaves_out_what_a_payout_may_have_paid_and_says_where(world: World, bill: Any) -> None:
    other = upstream.bill(world, number="INV-2", amount=500)
    payout = paid_by_payout(world, vendor_of(world, bill))
    world.sync("vendors", "bills_whole", "approvals")
    run = run_of(world, bill, other)
    assert why(run) == {"INV-1": ("LEFT_OUT", "may be paid by a payout already"), "INV-2": ("WAITING", "")}
    assert payout["batch_no"] in run.rows.get(state="LEFT_OUT").sentence
    (balance,) = run.balances
    assert balance["moved"] == -50_000


def test_where_payouts_cannot_be_compared_it_is_said_and_paid_all_the_same(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    row = upstream.bill(world, number="INV-1", amount=1000)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    world.proxy.fail("reset", path="/payments/duplicates")
    assert pay(world, row).status_code == 302
    assert len(payments(world, row)) == 1


def test_a_run_pays_nothing_that_could_not_be_compared_and_says_so(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    row = upstream.bill(world, number="INV-1", amount=1000)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    world.proxy.fail("reset", path="/payments/duplicates")
    run = run_of(world, row)
    assert why(run) == {"INV-1": ("LEFT_OUT", "could not be compared")}
    sentence = "Payouts of the last 30 days could not be compared: pay it alone, or try again."
    assert run.rows.get().sentence == sentence
    world.proxy.heal()


def test_more_than_the_service_compares_at_once_are_compared_in_parts(world: World, bill: Any) -> None:
    """The last of 5,001 payments is the one that a payout makes."""
    vendor = vendor_of(world, bill)
    payout = paid_by_payout(world, vendor)
    others = [
        ComparedPayment(minor, "MPESA_TILL", "559900") for minor in range(1000, 1000 + 100 * COMPARED_AT_ONCE, 100)
    ]
    compared = [*others, ComparedPayment(100_000, vendor_id=vendor["_id"])]
    earlier, is_read = earlier_payouts(world.actor("Ada"), "KES", compared)
    assert is_read
    assert [(row.place, row.ref) for row in earlier] == [(COMPARED_AT_ONCE, payout["batch_no"])]


def test_a_bill_that_is_paid_in_place_of_another_is_compared_too(world: World, bill: Any) -> None:
    """The wallet holds enough for one of two, and a payout may have paid both."""
    other = upstream.bill(world, number="INV-2", amount=1000, due=20)
    for one in (bill, other):
        paid_by_payout(world, vendor_of(world, one))
    world.sync("vendors", "bills_whole", "approvals")
    Wallet.objects.filter(business=world.business).update(available_minor=0)
    Wallet.objects.filter(business=world.business, org_wallet_ref="1").update(available_minor=100_000)
    left_out = ("LEFT_OUT", "may be paid by a payout already")
    assert why(run_of(world, bill, other)) == {"INV-1": left_out, "INV-2": left_out}


def test_a_draft_is_compared_in_a_run_and_when_its_approval_is_requested(world: World, bill: Any) -> None:
    """It was added before the payout was there."""
    assert pay(world, bill, draft="1").status_code == 302
    [draft] = payments(world, bill)
    payout = paid_by_payout(world, vendor_of(world, bill))
    world.sync("vendors", "bills_whole", "approvals")
    assert why(run_of(world, bill)) == {"INV-1": ("LEFT_OUT", "may be paid by a payout already")}
    address = world.address(f"bills/{bill['_id']}/payments/{draft['payment_ref']}/request/")
    answer = signed_in(world, "Ada").post(address)
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert f"Suppliers October, {payout['batch_no']}, row 2" in shown
    assert f'action="{address}"' in shown
    assert "Approval was not requested." in shown
    assert payments(world, bill)[0]["status"] == "DRAFT"
    assert signed_in(world, "Ada").post(address, {"meant": tick(answer)}).status_code == 302
    assert payments(world, bill)[0]["status"] == "PENDING_APPROVAL"


def test_a_tick_acknowledges_what_is_shown_and_how_many_more_there_are_is_said(world: World, bill: Any) -> None:
    rows = [
        EarlierPayment(
            place=0, title="October", ref=f"PB-{number}", href="/", at=timezone.now(), status="COMPLETED", row=1,
            receiver="Paper", channel="MPESA_TILL", account_ends="1234", amount_minor=100_000,
        )
        for number in range(5)
    ]  # fmt: skip
    paid = upstream.copied(world, "INV-1")
    [comparison] = comparison_of_payment(world.actor("Ada"), paid, 100_000, "M-Pesa till ···1234", rows)
    assert [column.heading for column in comparison.columns[1:]] == [f"October, PB-{n}, row 1" for n in range(3)]
    assert comparison.more == "And at least 2 more."
    assert paid_before_digest(100_000, rows) == paid_before_digest(100_000, rows[:3])
    assert paid_before_digest(100_000, rows[:3]) != paid_before_digest(100_000, rows[:2])
