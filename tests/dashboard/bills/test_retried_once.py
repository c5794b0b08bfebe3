"""A failed payment of a bill that is sent again is compared with payouts as a new one is; against the real service."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.http import HttpResponse

from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_paid_by_payouts import paid_by_payout, tick
from tests.dashboard.bills.test_paying import pay, payments, signed_in
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask

# The sandbox's rail knows no account that begins so.
UNKNOWN_ACCOUNT = "770001"


def failed_bill(world: World) -> tuple[Any, Any]:
    """A bill of KES 1,000 whose only payment failed, and its vendor."""
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    vendor = upstream.vendor(world, account=UNKNOWN_ACCOUNT)
    bill = upstream.bill(world, vendor, number="INV-1", amount=1000)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    assert pay(world, bill).status_code == 302
    [payment] = payments(world, bill)
    ask(world, "Apollo", "POST", f"/bills/{bill['_id']}/payments/{payment['payment_ref']}/approve")
    ends = time.monotonic() + 60
    while payments(world, bill)[0]["status"] != "FAILED" and time.monotonic() < ends:
        time.sleep(0.5)
    world.sync("vendors", "bills_whole", "approvals")
    return bill, vendor


def address_of(world: World, bill: Any) -> str:
    return world.address(f"bills/{bill['_id']}/payments/{payments(world, bill)[0]['payment_ref']}/retry/")


def retry(world: World, bill: Any, **form: str) -> HttpResponse:
    return signed_in(world, "Ada").post(address_of(world, bill), form)


def attempts(world: World, bill: Any) -> int:
    return len(payments(world, bill)[0]["attempts"])


def test_what_a_payout_paid_meanwhile_is_shown_beside_it_and_sent_again_only_where_it_is_another(world: World) -> None:
    bill, vendor = failed_bill(world)
    payout = paid_by_payout(world, vendor)
    answer = retry(world, bill)
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert f"Suppliers October, {payout['batch_no']}, row 2" in shown
    assert f'action="{address_of(world, bill)}"' in shown
    assert "It was not sent again." in shown
    assert UNKNOWN_ACCOUNT not in shown
    assert retry(world, bill, meant="0" * 64).status_code == 409
    assert attempts(world, bill) == 1
    assert retry(world, bill, meant=tick(answer)).status_code == 302
    assert attempts(world, bill) == 2


def test_another_amount_stands_in_nobodys_way(world: World) -> None:
    bill, vendor = failed_bill(world)
    paid_by_payout(world, vendor, 999)
    assert retry(world, bill).status_code == 302
    assert attempts(world, bill) == 2


def test_who_may_not_retry_sees_nothing_of_what_it_is_compared_with(world: World) -> None:
    bill, vendor = failed_bill(world)
    paid_by_payout(world, vendor)
    answer = signed_in(world, "Carla").post(address_of(world, bill))
    assert answer.status_code in (403, 404)
    assert "Suppliers October" not in answer.content.decode()
    assert attempts(world, bill) == 1


@pytest.mark.parametrize("fault", ["reset", "500"])
def test_what_could_not_be_compared_is_sent_again_only_where_that_is_acknowledged(
    proxied_world: World, fault: str
) -> None:
    world = proxied_world
    assert world.proxy is not None
    bill, _ = failed_bill(world)
    world.proxy.fail(fault, path="/payments/duplicates")
    answer = retry(world, bill)
    assert answer.status_code == 409
    assert "Payouts of the last 30 days could not be compared" in answer.content.decode()
    assert attempts(world, bill) == 1
    # A tick of what was compared is none of what was not.
    assert retry(world, bill, meant="0" * 64).status_code == 409
    assert retry(world, bill, meant=tick(answer)).status_code == 302
    assert attempts(world, bill) == 2
    world.proxy.heal()
