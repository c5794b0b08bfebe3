"""What a new account of a vendor stops, or lets go: named before it is confirmed, and after."""

import re
import time
from typing import Any

import pytest
import requests

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin, Vendor
from tests.dashboard.bills.upstream import bill
from tests.dashboard.bills.upstream import payment as requested_payment
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.payouts.test_payouts import approve, make, only, pay_with_code, post, table, upstream
from tests.dashboard.vendors.test_payee_changes import called, propose, signed_in, vendor, waiting
from tests.sandbox import sandbox_headers

__all__ = ["vendor"]


def changes_page(world: World, person: str = "Apollo") -> str:
    shown = world.client(person).get(world.address("vendors/payee-changes/")).content.decode()
    return str(shown).replace("\xa0", " ")


def test_bills_and_payouts_that_wait_for_the_only_account_are_named_and_let_go_when_it_is_confirmed(
    world: World,
) -> None:
    """As the service makes them wait: a bill of a vendor without another account, and a payout that was approved to the account
    before anybody proposed it."""
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    made = ask(world, "Ada", "POST", "/vendors", {"name": "Baobab Print", "phone": "254712345678"})
    billed = bill(world, made, amount=250, number="INV-7")
    make(world, table("Baobab Print\tMPESA_TILL\t512345\t\t\t300\t"))
    payout = only(world)
    assert post(world, "Ada", f"{payout.remote_id}/initiate").status_code == 302
    world.sync("vendors", "bills_whole", "approvals")
    vendor = Vendor.objects.get(business=world.business, name="Baobab Print")
    propose(world, vendor)
    approve(world, payout)
    if upstream(world, payout)["status"] == "AWAITING_CODE":
        pay_with_code(world, payout)
    held = until_held(world, payout)
    upsert("payout", world.business, [held], Origin.POLL)
    shown = changes_page(world)
    assert f"Bill {billed['bill_no']}, KES 250.00" in shown
    assert f"Payout Wages, KES 300.00 ({payout.ref})" in shown
    client = signed_in(world, "Apollo")
    address = world.address(f"vendors/{vendor.remote_id}/account/{waiting(world, vendor)['_id']}/confirm/")
    answer = client.post(address, called(world), follow=True).content.decode()
    assert "1 bill that waited for it can be paid. 1 payout that waited for it can go on." in answer


def settle(world: World) -> None:
    """What is due is worked on, and the rails answer."""
    address = f"{world.service}/sandbox/businesses/{world.made['business_id']}/settle"
    requests.post(address, headers=sandbox_headers(), timeout=30)


def until_held(world: World, payout: Any) -> Any:
    """The payout once a worker has looked at it."""
    for _ in range(100):
        settle(world)
        whole = upstream(world, payout)
        if whole["status"] == "ON_HOLD":
            break
        time.sleep(0.3)
    assert whole["hold_reason"] == "payee_quarantined"
    return {name: value for name, value in whole.items() if name != "items"}


def test_what_a_replacement_stops_is_named_before_and_after_it_is_confirmed_with_the_way_out(
    world: World, vendor: Vendor
) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    made = world.upstream(f"/vendors/{vendor.remote_id}")
    billed = bill(world, made, amount=1000, number="INV-9")
    payment = requested_payment(world, billed)
    make(world, table("Acacia Supplies\tMPESA_TILL\t400111\t\t\t300\t"))
    payout = only(world)
    world.sync("vendors", "bills_whole", "approvals")
    upsert("bill_payment", world.business, [payment], Origin.POLL)
    propose(world, vendor, instruction_id=made["payment_instructions"][0]["_id"])
    names = [f"Bill INV-9, KES 1,000.00 ({payment['payment_ref']})", f"Payout Wages, KES 300.00 ({payout.ref})"]
    shown = changes_page(world)
    assert "No longer paid once it is confirmed" in shown
    for name in names:
        assert name in shown, name
    # An account beside those in use stops nothing.
    client = signed_in(world, "Apollo")
    address = world.address(f"vendors/{vendor.remote_id}/account/{waiting(world, vendor)['_id']}/confirm/")
    answer = client.post(address, called(world), follow=True).content.decode().replace("\xa0", " ")
    assert "Not paid any more, because the account before is no longer in use" in answer
    for name in names:
        assert name in answer, name
    ask(world, "Zawadi", "POST", f"/bills/{billed['_id']}/payments/{payment['payment_ref']}/approve")
    for _ in range(100):
        settle(world)
        now = world.upstream(f"/bills/payments/{payment['payment_ref']}/status")
        if now["hold_reason"]:
            break
        time.sleep(0.3)
    assert now["hold_reason"] == "payee_changed"
    page = world.client("Ada").get(world.address(f"bills/{billed['_id']}/")).content.decode()
    assert "account was replaced by another one. Withdraw the payment and request approval again" in page


def test_a_replaced_paybill_stops_what_is_paid_under_its_reference_and_nothing_else(world: World) -> None:
    """Though another vendor is paid on the same paybill, under another reference."""
    made = {}
    for name, reference in (("Acacia Supplies", "OLD"), ("Baobab Print", "OTHER")):
        account = {"channel": "MPESA_PAYBILL", "account": "400200", "account_reference": reference}
        made[name] = ask(world, "Ada", "POST", "/vendors", {"name": name, "payment_instructions": [account]})
    for title, reference, amount in (("Stopped", "OLD", 300), ("Goes on", "OTHER", 400)):
        rows = table(f"{title}\tMPESA_PAYBILL\t400200\t\t{reference}\t{amount}\t")
        assert make(world, rows, name=title).status_code == 302
    world.sync("vendors", "bills_whole", "approvals")
    acacia = Vendor.objects.get(business=world.business, name="Acacia Supplies")
    propose(world, acacia, instruction_id=made["Acacia Supplies"]["payment_instructions"][0]["_id"])
    text = changes_page(world)
    assert "Payout Stopped, KES 300.00" in text
    assert "Payout Goes on" not in text


def test_a_payout_to_an_account_that_ends_like_another_vendors_is_named_with_what_is_not_known(
    world: World, vendor: Vendor
) -> None:
    ask(world, "Ada", "POST", "/vendors", {
        "name": "Baobab Print", "payment_instructions": [{"channel": "MPESA_TILL", "account": "990111"}],
    })  # fmt: skip
    made = world.upstream(f"/vendors/{vendor.remote_id}")
    make(world, table("Acacia Supplies\tMPESA_TILL\t400111\t\t\t300\t"))
    world.sync("vendors", "approvals")
    propose(world, vendor, instruction_id=made["payment_instructions"][0]["_id"])
    page = changes_page(world)
    assert f"Payout Wages, KES 300.00 ({only(world).ref})" in page
    assert "Another vendor may have the account that is replaced in use" in page
    # What is held is known all the same.
    assert re.search(r"<dt>Held until it is confirmed</dt>\s*<dd>Nothing</dd>", page)


def test_an_account_that_is_another_vendors_too_is_said_where_it_is_decided_on(world: World, vendor: Vendor) -> None:
    ask(world, "Ada", "POST", "/vendors", {
        "name": "Baobab Print", "payment_instructions": [{"channel": "MPESA_TILL", "account": "512345"}],
    })  # fmt: skip
    propose(world, vendor)
    shown = re.sub(r"<[^>]+>", "", changes_page(world))
    assert "The account ···2345 is also that of vendor Baobab Print." in shown


def test_an_account_beside_those_in_use_holds_and_stops_nothing(world: World, vendor: Vendor) -> None:
    billed = bill(world, world.upstream(f"/vendors/{vendor.remote_id}"), amount=1000, number="INV-9")
    world.sync("vendors", "bills_whole", "approvals")
    upsert("bill_payment", world.business, [requested_payment(world, billed)], Origin.POLL)
    propose(world, vendor)
    shown = changes_page(world)
    assert "No longer paid once it is confirmed" not in shown
    assert "INV-9" not in shown


def test_that_not_all_that_wait_are_shown_is_said(
    world: World, vendor: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose(world, vendor)
    for module in ("selectors.payee_changes", "presenters.payee_changes"):
        monkeypatch.setattr(f"dashboard.pages.vendors.{module}.MAX_WAITING", 1)
    address = world.address("vendors/payee-changes/")
    assert "vendors by name are shown" not in world.client("Apollo").get(address).content.decode()
    world.send("POST", "/vendors", {"name": "Baobab Print"})
    world.sync("vendors")
    propose(world, Vendor.objects.get(business=world.business, name="Baobab Print"))
    shown = world.client("Apollo").get(address).content.decode()
    assert "The accounts of the first 1 vendors by name are shown" in shown
    assert shown.count("Confirm account") == 1
