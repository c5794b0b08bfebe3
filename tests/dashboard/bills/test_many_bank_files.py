"""A business that downloaded bank files of more payouts than the service is asked about at once pays its bills all the same."""

from __future__ import annotations

from dashboard.cash.earlier_payments import NAMED_AT_ONCE, ComparedPayment, earlier_payouts
from dashboard.payout_files.models import BankFileDownload
from dashboard.payout_files.services import remember_bank_file
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_paid_by_payouts import paid_by_payout, vendor_of
from tests.dashboard.bills.test_payment_runs import run_of, why
from tests.dashboard.bulk.conftest import no_queue
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask

__all__ = ["no_queue"]


def downloaded(world: World, count: int = NAMED_AT_ONCE + 1) -> None:
    """Bank files of so many payouts, whose ids come before those of all that there are."""
    BankFileDownload.objects.bulk_create(
        BankFileDownload(
            business=world.business, payout_id=f"{number:024x}", by_name="Ada", rows=[1], sum_minor=100
        )
        for number in range(1, count + 1)
    )  # fmt: skip


def test_a_run_pays_what_none_of_many_payouts_has_paid_and_finds_what_the_last_of_them_did(
    proxied_world: World,
) -> None:
    """The last of those named was cancelled here, and the bank has a file of it."""
    world = proxied_world
    assert world.proxy is not None
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    first, second = (upstream.bill(world, number=f"INV-{n}", amount=500 * n) for n in (1, 2))
    cancelled = paid_by_payout(world, vendor_of(world, second))
    ask(world, "Ada", "POST", "/payments/payout/cancel", {"batch_no": cancelled["batch_no"], "reason": "By the bank."})
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    downloaded(world)
    remember_bank_file(world.business, cancelled["_id"], by_name="Ada", rows=[2], sum_minor=100_000)
    run = run_of(world, first, second)
    assert why(run) == {"INV-1": ("WAITING", ""), "INV-2": ("LEFT_OUT", "may be paid by a payout already")}
    assert cancelled["batch_no"] in run.rows.get(state="LEFT_OUT").sentence
    assert len(world.proxy.sent("POST", "/payments/duplicates")) == 2


def test_a_payout_that_is_found_in_two_parts_is_one(world: World) -> None:
    """It is of these days, and named in the other part."""
    row = upstream.bill(world, number="INV-1", amount=1000)
    vendor = vendor_of(world, row)
    payout = paid_by_payout(world, vendor)
    downloaded(world)
    remember_bank_file(world.business, payout["_id"], by_name="Ada", rows=[2], sum_minor=100_000)
    compared = [ComparedPayment(100_000, vendor_id=vendor["_id"])]
    earlier, is_read = earlier_payouts(world.actor("Ada"), "KES", compared)
    assert is_read
    assert [(found.ref, found.row, found.is_in_bank_file) for found in earlier] == [(payout["batch_no"], 2, True)]
