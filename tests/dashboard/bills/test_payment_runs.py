"""Several bills are paid in one run: planned to the wallet's last shilling, each by a payment of its own, against the real
service."""

import json
from typing import Any

import pytest

from dashboard.bulk.models import Batch
from dashboard.mirror.models import Wallet
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_paying import bank_vendor, payments, pesalink_fee, signed_in
from tests.dashboard.bulk.conftest import batch_page, no_queue, plan, planned, work
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask

__all__ = ["no_queue"]


def run_of(world: World, *bills: Any, person: str = "Ada") -> Batch:
    """The plan of a run over these bills."""
    return planned(world, person, "bills", "pay", ids=[bill["_id"] for bill in bills])


def begun(world: World, batch: Batch, person: str = "Ada") -> Batch:
    """The run, begun by somebody who has just shown that it is them, and worked on until it is over."""
    answer = signed_in(world, person).post(world.address(f"bulk/{batch.pk}/begin/"))
    assert answer.status_code == 302, answer.content.decode()
    work(batch)
    return batch


def why(batch: Batch) -> dict[str, tuple[str, str]]:
    """State and reason of each row, by the number of its bill."""
    rows = batch.rows.values_list("title", "state", "why")
    return {title.split(" of ")[0]: (state, words) for title, state, words in rows}


def test_a_plan_says_what_goes_what_does_not_and_what_the_wallet_holds_after(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    quarantined = ask(world, "Ada", "POST", "/vendors", {"name": "Acacia Supplies"})
    account = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{quarantined['_id']}/payment-instruction/add", account)
    bare = ask(world, "Ada", "POST", "/vendors", {"name": "Bare Ltd"})
    first = upstream.bill(world, number="INV-GO-1", amount=1000, due=1)
    second = upstream.bill(world, bank_vendor(world), number="INV-GO-2", amount=1000, due=2)
    held = upstream.bill(world, quarantined, number="INV-HELD", amount=100)
    without = upstream.bill(world, bare, number="INV-BARE", amount=100)
    asked = upstream.bill(world, number="INV-ASKED", amount=100)
    upstream.payment(world, asked)
    large = upstream.bill(world, number="INV-LARGE", amount=900_000, due=9)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    wallet = Wallet.objects.get(business=world.business, org_wallet_ref="1")
    Wallet.objects.filter(business=world.business).exclude(pk=wallet.pk).update(available_minor=0)
    Wallet.objects.filter(pk=wallet.pk).update(available_minor=86_200_000)
    # With the fee of the one that goes by PesaLink.
    fees = pesalink_fee(world)
    short = f"short of KES\xa0{(4_000_000 + fees) / 100:,.2f}"
    batch = run_of(world, first, second, held, without, asked, large)
    assert why(batch) == {
        "INV-GO-1": ("WAITING", ""), "INV-GO-2": ("WAITING", ""),
        "INV-HELD": ("LEFT_OUT", "on hold: payee change"), "INV-BARE": ("LEFT_OUT", "without payment details"),
        "INV-ASKED": ("LEFT_OUT", "in approval"), "INV-LARGE": ("LEFT_OUT", short),
    }  # fmt: skip
    (balance,) = batch.balances
    moved = (balance["ref"], balance["moved"], balance["after"], balance["before_fees"])
    assert moved == ("1", -200_000 - fees, 86_000_000 - fees, False)
    shown = batch_page(world, "Ada", batch)
    assert "2 will go · 1 on hold: payee change · 1 in approval" in shown
    assert "KES 862,000.00" in shown
    assert f"KES {(86_000_000 - fees) / 100:,.2f}" in shown
    assert "Nothing is done yet." in shown
    assert payments(world, first) == []


def test_the_account_in_use_is_paid_to_while_a_new_one_waits_and_the_plan_says_so(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    vendor = upstream.vendor(world, "Acacia Supplies", account="771234")
    bill = upstream.bill(world, vendor, number="INV-1", amount=1000)
    account = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{vendor['_id']}/payment-instruction/add", account)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    batch = run_of(world, bill)
    assert why(batch) == {"INV-1": ("WAITING", "to the account in use")}
    shown = batch_page(world, "Ada", batch)
    assert "A new account of Acacia Supplies is awaiting confirmation: the account in use is paid to" in shown
    begun(world, batch)
    (payment,) = payments(world, bill)
    assert (payment["account"], payment["status"]) == ("771234", "PENDING_APPROVAL")


def test_each_bill_gets_a_payment_of_its_own_and_begun_twice_it_is_one(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    bills = [upstream.bill(world, amount=amount) for amount in (300, 400)]
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    batch = run_of(world, *bills)
    unverified = world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"))
    assert "reauthenticate" in unverified["Location"]
    assert [payments(world, bill) for bill in bills] == [[], []]
    begun(world, batch)
    signed_in(world, "Ada").post(world.address(f"bulk/{batch.pk}/begin/"))
    work(batch)
    found = [payments(world, bill) for bill in bills]
    assert [[(one["amount_minor"], one["status"]) for one in of] for of in found] == [
        [(30_000, "PENDING_APPROVAL")], [(40_000, "PENDING_APPROVAL")],
    ]  # fmt: skip
    assert set(batch.rows.values_list("state", flat=True)) == {"DONE"}
    again = run_of(world, *bills)
    assert {words for _, words in why(again).values()} == {"in approval"}


def test_what_is_refused_stays_beside_what_went_and_is_retried_alone(proxied_world: World) -> None:
    world = proxied_world
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    bills = [upstream.bill(world, number=f"INV-{n}", amount=100) for n in (1, 2)]
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    assert world.proxy is not None
    world.proxy.fail("403", method="PATCH", path=bills[0]["_id"], times=1)
    batch = begun(world, run_of(world, *bills))
    assert {title: state for title, (state, _) in why(batch).items()} == {"INV-1": "REFUSED", "INV-2": "DONE"}
    answer = world.client("Ada").post(world.address(f"bulk/{batch.pk}/retry/"))
    again = Batch.objects.get(pk=answer["Location"].rstrip("/").rsplit("/", 1)[-1])
    assert set(why(again)) == {"INV-1"}
    begun(world, again)
    # The draft that the first run had added is continued: there is no second payment.
    (payment,) = payments(world, bills[0])
    assert payment["status"] == "PENDING_APPROVAL"
    assert len(payments(world, bills[1])) == 1


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_lost_answer_is_asked_for_with_the_same_key_and_pays_once(proxied_world: World, method: str) -> None:
    world = proxied_world
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    bill = upstream.bill(world, amount=100)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    assert world.proxy is not None
    world.proxy.fail("lost reply", method=method, path=bill["_id"], times=1)
    batch = begun(world, run_of(world, bill))
    assert set(batch.rows.values_list("state", flat=True)) == {"DONE"}
    (payment,) = payments(world, bill)
    assert payment["status"] == "PENDING_APPROVAL"


def test_it_pays_from_the_wallet_that_is_chosen(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    bill = upstream.bill(world, amount=100)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    second = Wallet.objects.get(business=world.business, org_wallet_ref="1")
    second.pk, second.remote_id, second.org_wallet_ref, second.available_minor = None, "another", "another", 1_000_000
    second.name = "Second wallet"
    second.save()
    ref = second.org_wallet_ref
    batch = run_of(world, bill)
    address = world.address(f"bills/runs/{batch.pk}/wallets/")
    assert "Pay bills in KES from" in world.client("Ada").get(address).content.decode()
    assert world.client("Ada").post(address, {"wallet-KES": "no-such"}).status_code == 422
    chosen = world.client("Ada").post(address, {"wallet-KES": ref})
    again = Batch.objects.get(pk=chosen["Location"].rstrip("/").rsplit("/", 1)[-1])
    assert json.loads(again.given) == {"wallets": {"KES": ref}, "discounted": []}
    assert [balance["ref"] for balance in again.balances] == [ref]
    assert world.client("Apollo").get(address).status_code == 404
    begun(world, batch)
    assert world.client("Ada").get(address).status_code == 404


@pytest.mark.parametrize("person", ["Selma", "Rita", "Carla"])
def test_who_pays_no_bills_plans_no_run(world: World, person: str) -> None:
    assert plan(world, person, "bills", "pay", ids=["nothing"]).status_code == 403
    if person == "Selma":
        assert "Review bulk pay" not in upstream.page(world, person, "bills/")
