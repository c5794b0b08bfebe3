"""A bill is paid from its page, against the real service: whole or in part, by request, withdrawn, and again after failing."""

import re
import time
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.commands.run import CommandResult
from dashboard.pages.bills.views.payments import _requested
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask


def signed_in(world: World, person: str) -> Client:
    """A browser of somebody who has just shown that it is them."""
    client = world.client(person)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session.save()
    return client


@pytest.fixture
def bill(world: World) -> Any:
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    made = upstream.bill(world, number="INV-1", amount=1000)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    return made


def pay(world: World, bill: Any, client: Client | None = None, **form: str) -> Any:
    vendor = world.upstream(f"/vendors/{bill['vendor_id']}")
    account = vendor["payment_instructions"][0]["_id"]
    sent = {"org_wallet_ref": "1", "amount": "1,000", "account": account, "scheduled_on": "", **form}
    return (client or signed_in(world, "Ada")).post(world.address(f"bills/{bill['_id']}/pay/"), sent)


def payments(world: World, bill: Any) -> list[Any]:
    refs = world.upstream(f"/bills/{bill['_id']}")["payments"]
    return [world.upstream(f"/bills/payments/{ref}/status") for ref in refs]


def pesalink_fee(world: World) -> int:
    """What a payment over PesaLink costs, in minor units of shillings, as the service says it."""
    channels = world.upstream("/payments/channels")["docs"]
    return int(next(row["fee"] for row in channels if row["code"] == "BANK_PESALINK") * 100)


def bank_vendor(world: World) -> Any:
    """A vendor that is paid over PesaLink."""
    account = {"channel": "BANK_PESALINK", "account": "0110234567", "bank_code": "68"}
    return ask(world, "Ada", "POST", "/vendors", {"name": "Banked Ltd", "payment_instructions": [account]})


def test_what_it_costs_stands_beside_the_account_and_is_what_is_charged(world: World, bill: Any) -> None:
    assert re.search(r"M-Pesa till ···\d{4}, no fee</option>", upstream.page(world, "Ada", f"bills/{bill['_id']}/pay/"))
    fee, banked = pesalink_fee(world), upstream.bill(world, bank_vendor(world), number="INV-2", amount=1000)
    assert fee > 0
    world.sync("vendors", "bills_whole", "approvals")
    shown = upstream.page(world, "Ada", f"bills/{banked['_id']}/pay/")
    assert re.search(rf"PesaLink ···4567, fee KES\s{fee / 100:,.2f}</option>", shown)
    for paid, charged in ((bill, 0), (banked, fee)):
        assert pay(world, paid).status_code == 302
        assert [payment["fee_minor"] for payment in payments(world, paid)] == [charged]


def test_where_the_fee_cannot_be_read_the_form_says_so_and_pays_all_the_same(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    bill = upstream.bill(world, number="INV-1", amount=1000)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    world.proxy.fail("reset", path="/payments/channels")
    assert "fee not known now</option>" in upstream.page(world, "Ada", f"bills/{bill['_id']}/pay/")
    assert pay(world, bill).status_code == 302


def test_a_part_is_requested_and_the_page_leads_to_the_approver(world: World, bill: Any) -> None:
    shown = upstream.page(world, "Ada", f"bills/{bill['_id']}/pay/")
    assert "available as of" in shown
    assert 'value="1000.00"' in shown
    assert pay(world, bill, amount="400").status_code == 302
    (payment,) = payments(world, bill)
    assert (payment["amount_minor"], payment["status"]) == (40_000, "PENDING_APPROVAL")
    row = upstream.copied(world, "INV-1")
    assert row.approval_status == "PENDING"
    ask(world, "Apollo", "POST", f"/bills/{bill['_id']}/payments/{payment['payment_ref']}/approve")
    assert payments(world, bill)[0]["approval_status"] == "APPROVED"
    ends = time.monotonic() + 30
    # It is paid by a worker of the service: until both are read again, bill and payment may be of different moments.
    while (
        "KES\xa0600.00 is not claimed" not in (shown := upstream.page(world, "Ada", f"bills/{bill['_id']}/"))
        and time.monotonic() < ends
    ):
        time.sleep(0.5)
    assert "Awaiting approval" not in shown
    assert "KES\xa0600.00 is not claimed" in shown


def test_one_that_failed_says_why_and_is_sent_again_as_another_attempt(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    bill = upstream.bill(world, upstream.vendor(world, account="770001"), amount=1000)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    pay(world, bill)
    ref = payments(world, bill)[0]["payment_ref"]
    ask(world, "Apollo", "POST", f"/bills/{bill['_id']}/payments/{ref}/approve")
    ends = time.monotonic() + 60
    while payments(world, bill)[0]["status"] != "FAILED" and time.monotonic() < ends:
        time.sleep(0.5)
    shown = upstream.page(world, "Ada", f"bills/{bill['_id']}/")
    assert "Attempt 1 to M-Pesa till ···0001: failed: account not found" in shown
    assert "Retry payment" in shown
    address = world.address(f"bills/{bill['_id']}/payments/{ref}/retry/")
    answer = signed_in(world, "Ada").post(address, follow=True).content.decode()
    assert f"{ref} is being sent again." in answer
    assert len(payments(world, bill)[0]["attempts"]) == 2


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        ("PROCESSING", "is being sent again."),
        ("PENDING_APPROVAL", "its approval was requested again."),
        ("APPROVED", "It is paid as soon as its wallet holds enough."),
        ("WITHDRAWN", "was not sent again but withdrawn"),
    ],
)
def test_what_became_of_a_retried_payment_goes_by_its_status(
    world: World, bill: Any, monkeypatch: pytest.MonkeyPatch, status: str, sentence: str
) -> None:
    """Where other taxes are withheld by now the service sends nothing: it asks again, or withdraws the payment."""
    pay(world, bill)
    ref = payments(world, bill)[0]["payment_ref"]
    monkeypatch.setattr(
        "dashboard.commands.bills.retry_payment", lambda *_, **__: CommandResult({"status": status}, "req")
    )
    address = world.address(f"bills/{bill['_id']}/payments/{ref}/retry/")
    answer = signed_in(world, "Ada").post(address, follow=True).content.decode()
    assert f"{ref} " in answer
    assert sentence in answer
    assert ("is being sent again" in answer) == (status == "PROCESSING")


@pytest.mark.parametrize("amount", ["400", "600", "1,000"])
def test_sent_twice_it_is_one_payment_whatever_it_leaves_of_the_bill(world: World, bill: Any, amount: str) -> None:
    client = signed_in(world, "Ada")
    for _ in range(2):
        assert pay(world, bill, client, amount=amount, key="the-same").status_code == 302
    assert len(payments(world, bill)) == 1


def test_a_draft_asks_nobody_and_is_requested_later(world: World, bill: Any) -> None:
    assert pay(world, bill, world.client("Apollo"), draft="1").status_code == 302
    (payment,) = payments(world, bill)
    assert payment["status"] == "DRAFT"
    address = world.address(f"bills/{bill['_id']}/payments/{payment['payment_ref']}/request/")
    assert "reauthenticate" in world.client("Apollo").post(address)["Location"]
    assert signed_in(world, "Apollo").post(address).status_code == 302
    assert payments(world, bill)[0]["status"] == "PENDING_APPROVAL"


def test_a_payment_for_a_later_day_is_not_said_to_be_paid_now(world: World) -> None:
    """In the words of what the service answers where a mandate asks for no vote."""
    later = (timezone.now() + timedelta(days=9)).isoformat()
    approved = {"status": "APPROVED", "scheduled_for": None}
    now, then = (
        _requested(world.actor("Ada"), CommandResult({**approved, **more}, "req"), "BP-1")
        for more in ({}, {"scheduled_for": later})
    )
    assert now == "BP-1 needs no approval: it is paid as soon as its wallet holds enough."
    assert then.startswith("BP-1 needs no approval: it is paid on its day, ")


def test_a_draft_is_withdrawn_and_what_it_claimed_is_free_again(world: World, bill: Any) -> None:
    pay(world, bill, world.client("Apollo"), draft="1")
    (payment,) = payments(world, bill)
    shown = upstream.page(world, "Apollo", f"bills/{bill['_id']}/")
    assert "Withdraw draft" in shown
    assert "is not claimed" not in shown
    address = world.address(f"bills/{bill['_id']}/payments/{payment['payment_ref']}/withdraw/")
    assert world.client("Apollo").post(address).status_code == 302
    assert payments(world, bill)[0]["status"] == "WITHDRAWN"
    assert "KES\xa01,000.00 is not claimed" in upstream.page(world, "Apollo", f"bills/{bill['_id']}/")


def test_who_has_not_just_shown_that_it_is_them_does_so_before_approval_is_requested(world: World, bill: Any) -> None:
    assert "reauthenticate" in pay(world, bill, world.client("Ada"))["Location"]
    assert payments(world, bill) == []


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        (
            {"amount": "1,000.01"},
            'id_amount_error">At most KES\xa01,000.00 is left to pay.',
        ),
        ({"amount": "0"}, "id_amount_error"),
        ({"amount": "1.001"}, "id_amount_error"),
        ({"scheduled_on": "2020-01-01"}, "This day is over."),
        ({"org_wallet_ref": "none"}, "id_org_wallet_ref_error"),
    ],
)
def test_what_cannot_be_paid_is_said_and_nothing_is_added(
    world: World, bill: Any, form: dict[str, str], problem: str
) -> None:
    answer = pay(world, bill, **form)
    assert answer.status_code in {409, 422}
    assert problem in answer.content.decode()
    assert payments(world, bill) == []


def test_an_account_that_awaits_confirmation_is_not_offered(world: World) -> None:
    vendor = ask(world, "Ada", "POST", "/vendors", {"name": "Acacia Supplies"})
    account = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{vendor['_id']}/payment-instruction/add", account)
    made = upstream.bill(world, vendor)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    shown = upstream.page(world, "Ada", f"bills/{made['_id']}/pay/")
    assert "Acacia Supplies has no confirmed account" in shown
    assert "Request approval" not in shown


def test_it_is_withdrawn_and_what_it_claimed_is_free_again(world: World, bill: Any) -> None:
    pay(world, bill)
    (payment,) = payments(world, bill)
    assert "not claimed" not in upstream.page(world, "Ada", f"bills/{bill['_id']}/")
    address = world.address(f"bills/{bill['_id']}/payments/{payment['payment_ref']}/withdraw/")
    assert world.client("Ada").post(address).status_code == 302
    shown = upstream.page(world, "Ada", f"bills/{bill['_id']}/")
    assert "KES\xa01,000.00 is not claimed" in shown
    assert "Request approval" in shown


@pytest.mark.parametrize("person", ["Selma", "Rita", "Carla"])
def test_who_pays_no_bills(world: World, bill: Any, person: str) -> None:
    assert pay(world, bill, signed_in(world, person)).status_code == 403
    assert payments(world, bill) == []
    if person == "Selma":
        assert "Pay bill" not in upstream.page(world, person, f"bills/{bill['_id']}/")
