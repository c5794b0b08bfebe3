"""A payment of a bill that waits, or is refused, for its vendor's account leads to the payee change: against the real service."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.mirror.models import Vendor
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_paying import pay, signed_in
from tests.dashboard.bills.test_payment_runs import run_of, why
from tests.dashboard.bulk.conftest import no_queue
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask

__all__ = ["no_queue"]

SENTENCE = "An account of this vendor is awaiting confirmation by a second person."


@pytest.fixture
def bill(world: World) -> Any:
    """A bill of a vendor whose only account waits for a second person."""
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    vendor = ask(world, "Ada", "POST", "/vendors", {"name": "Acacia Supplies"})
    account = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{vendor['_id']}/payment-instruction/add", account)
    made = upstream.bill(world, vendor, number="INV-9", amount=1000)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    return made


def link(world: World) -> str:
    """The link to the change, as it stands on a page."""
    [waiting] = Vendor.objects.get(business=world.business, name="Acacia Supplies").instructions
    where = world.address(f"vendors/payee-changes/#change-{waiting['id']}")
    return f'href="{where}"><bdi>Payee change: Acacia Supplies ···2345</bdi>'


def test_the_page_of_the_bill_and_that_of_its_payment_lead_to_the_change(world: World, bill: Any) -> None:
    shown = upstream.page(world, "Ada", f"bills/{bill['_id']}/")
    assert SENTENCE in shown
    assert link(world) in shown
    assert link(world) in upstream.page(world, "Ada", f"bills/{bill['_id']}/pay/")
    # Another vendor's bill says nothing of it.
    other = upstream.bill(world, number="INV-10", amount=1000)
    world.sync("vendors", "bills_whole")
    for rest in ("", "pay/"):
        assert "payee-changes" not in upstream.page(world, "Ada", f"bills/{other['_id']}/{rest}").split("<main")[1]


def test_what_a_run_leaves_out_for_it_is_a_bill_whose_page_leads_there(world: World, bill: Any) -> None:
    run = run_of(world, bill)
    assert why(run) == {"INV-9": ("LEFT_OUT", "on hold: payee change")}
    shown = signed_in(world, "Ada").get(world.address(f"bills/{bill['_id']}/")).content.decode()
    assert link(world) in shown


def test_a_refusal_for_it_leads_to_all_changes_where_the_copy_knows_of_none(world: World, bill: Any) -> None:
    vendor = Vendor.objects.get(business=world.business, name="Acacia Supplies")
    vendor.instructions = [{**row, "status": "ACTIVE"} for row in vendor.instructions]
    vendor.quarantined = False
    vendor.save(update_fields=["instructions", "quarantined"])
    answer = pay(world, bill)
    shown = answer.content.decode()
    assert answer.status_code == 409, shown
    assert "waits for a second person&#x27;s confirmation" in shown
    assert f'href="{world.address("vendors/payee-changes/")}"><bdi>All payee changes</bdi>' in shown
