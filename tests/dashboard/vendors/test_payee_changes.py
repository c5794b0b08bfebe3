"""The account a vendor is paid on: proposed by one person, in quarantine at the service, decided by another after a call."""

import re
import time
from datetime import datetime
from typing import Any

import pytest
import requests
from django.test import Client
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin, Vendor
from dashboard.notifications.models import Notice
from dashboard.times import local
from tests.dashboard.bills.upstream import bill
from tests.dashboard.bills.upstream import payment as requested_payment
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.payouts.test_payouts import approve, make, only, pay_with_code, post, table, upstream
from tests.sandbox import sandbox_headers

CALL = {"number": "0712345678", "spoke_to": "Mary Otieno", "note": ""}
TILL = {"channel": "MPESA_TILL", "account": "512345", "proposal_reason": "Letter of 3 November, by courier"}


@pytest.fixture
def vendor(world: World) -> Vendor:
    """A vendor with one account that came with it."""
    body = {
        "name": "Acacia Supplies", "phone": "254712345678",
        "payment_instructions": [{"channel": "MPESA_TILL", "account": "400111"}],
    }  # fmt: skip
    world.send("POST", "/vendors", body)
    world.sync("vendors")
    return Vendor.objects.get(business=world.business)


def signed_in(world: World, person: str) -> Client:
    """A browser of somebody who has just shown that it is them."""
    client = world.client(person)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session.save()
    return client


def called(world: World, **more: str) -> dict[str, str]:
    """A call of this minute, as it is entered."""
    return CALL | {"called_at": local(timezone.now(), world.business).strftime("%Y-%m-%dT%H:%M")} | more


def propose(world: World, vendor: Vendor, person: str = "Ada", **form: str) -> Any:
    return world.client(person).post(world.address(f"vendors/{vendor.remote_id}/account/"), TILL | form)


def waiting(world: World, vendor: Vendor) -> dict[str, Any]:
    rows = world.upstream(f"/vendors/{vendor.remote_id}")["payment_instructions"]
    found: dict[str, Any] = next(row for row in rows if row["status"] == "QUARANTINED")
    return found


def decide(world: World, vendor: Vendor, person: str, what: str, client: Client | None = None, **form: str) -> Any:
    address = world.address(f"vendors/{vendor.remote_id}/account/{waiting(world, vendor)['_id']}/{what}/")
    return (client or signed_in(world, person)).post(address, form or called(world))


def test_a_proposed_account_waits_at_the_service_and_here(world: World, vendor: Vendor) -> None:
    answer = propose(world, vendor)
    assert answer["Location"] == world.address(f"vendors/{vendor.remote_id}/")
    assert waiting(world, vendor)["account"] == "512345"
    shown = world.client("Apollo").get(world.address("vendors/payee-changes/")).content.decode()
    assert "···2345" in shown
    assert "512345" not in shown
    assert "Ada" in shown
    assert "Confirm account" in shown
    assert "Letter of 3 November, by courier" in shown
    assert "M-Pesa till, beside the accounts in use" in shown
    assert re.search(r"<dt>Held until it is confirmed</dt>\s*<dd>Nothing</dd>", shown)
    told = Notice.objects.filter(business=world.business, topic="payees").values_list(
        "membership__user__name", flat=True
    )
    assert {name.split()[0] for name in told} == {"Apollo", "Zawadi", "Juma", "Abel"}


def test_a_change_of_an_account_shows_the_old_and_the_new_digits(world: World, vendor: Vendor) -> None:
    old = world.upstream(f"/vendors/{vendor.remote_id}")["payment_instructions"][0]["_id"]
    assert propose(world, vendor, instruction_id=old).status_code == 302
    shown = world.client("Apollo").get(world.address("vendors/payee-changes/")).content.decode()
    assert "<s>···0111</s>" in shown
    assert "<ins>···2345</ins>" in shown


def test_whoever_proposed_it_does_not_decide(world: World, vendor: Vendor) -> None:
    propose(world, vendor)
    assert "Confirm account" not in world.client("Ada").get(world.address("vendors/payee-changes/")).content.decode()
    for what in ("confirm", "reject"):
        assert decide(world, vendor, "Ada", what).status_code == 403
    assert waiting(world, vendor)["status"] == "QUARANTINED"


@pytest.mark.parametrize("person", ["Rita", "Selma", "Sam"])
def test_who_changes_no_vendors_neither_proposes_nor_decides(world: World, vendor: Vendor, person: str) -> None:
    assert propose(world, vendor, person).status_code == 403
    propose(world, vendor)
    assert decide(world, vendor, person, "confirm").status_code == 403
    assert decide(world, vendor, person, "reject", reason="No").status_code == 403


def test_a_second_person_confirms_after_a_call_back(world: World, vendor: Vendor) -> None:
    propose(world, vendor)
    account, call = waiting(world, vendor)["_id"], called(world)
    assert decide(world, vendor, "Apollo", "confirm", **call).status_code == 302
    rows = world.upstream(f"/vendors/{vendor.remote_id}")["payment_instructions"]
    confirmed = next(row for row in rows if row["_id"] == account)
    assert (confirmed["status"], confirmed["verified"]) == ("ACTIVE", True)
    line = AuditEntry.objects.get(chain=world.business.pk, sentence__startswith="noted why account …2345")
    at = call["called_at"].replace("T", " ")
    assert line.reason == f"Called back 254712345678, the number on record, at {at}, spoke to Mary Otieno."
    assert not Vendor.objects.get(pk=vendor.pk).quarantined
    told = Notice.objects.get(business=world.business, membership=world.people["Ada"], topic="payees")
    assert "confirmed the account …2345 of Acacia Supplies that you proposed" in told.sentence


def test_the_page_says_until_when_it_cools_and_the_service_has_the_call(world: World, vendor: Vendor) -> None:
    propose(world, vendor)
    shown = world.client("Apollo").get(world.address("vendors/payee-changes/")).content.decode()
    assert re.search(
        r"<dt>Cool-off</dt>\s*<dd>Until .+ the finance service refuses a confirmation without a recorded call-back</dd>",
        shown,
    )
    account, entered = waiting(world, vendor)["_id"], called(world)
    assert decide(world, vendor, "Apollo", "confirm", **entered).status_code == 302
    rows = world.upstream(f"/vendors/{vendor.remote_id}")["payment_instructions"]
    call = next(row["call_back"] for row in rows if row["_id"] == account)
    assert (call["number"], call["spoke_to"]) == ("254712345678", "Mary Otieno")
    at = local(datetime.fromisoformat(call["called_at"]), world.business)
    assert at.strftime("%Y-%m-%dT%H:%M") == entered["called_at"]


@pytest.mark.parametrize("old", ["2026-01-05T10:30", "0001-01-01T00:00"])
def test_a_call_from_before_the_account_was_proposed_is_refused_at_its_field(
    world: World, vendor: Vendor, old: str
) -> None:
    propose(world, vendor)
    answer = decide(world, vendor, "Apollo", "confirm", **called(world, called_at=old))
    assert answer.status_code == 422
    assert "The call was before the account was proposed." in answer.content.decode()
    assert waiting(world, vendor)["status"] == "QUARANTINED"


def test_a_call_that_is_still_to_come_is_refused_at_its_field(world: World, vendor: Vendor) -> None:
    propose(world, vendor)
    answer = decide(world, vendor, "Apollo", "confirm", **called(world, called_at="2999-01-01T10:30"))
    assert answer.status_code == 422
    assert "This moment is still to come." in answer.content.decode()
    assert waiting(world, vendor)["status"] == "QUARANTINED"


def test_without_a_call_back_nothing_is_confirmed_and_what_was_typed_stays(world: World, vendor: Vendor) -> None:
    propose(world, vendor)
    answer = decide(world, vendor, "Apollo", "confirm", number="0712345678", spoke_to="", called_at="yesterday", note="Said yes")  # fmt: skip
    assert answer.status_code == 422
    assert "Said yes" in answer.content.decode()
    assert waiting(world, vendor)


def test_another_number_than_that_on_record_is_called_only_with_a_word_on_where_it_is_from(
    world: World, vendor: Vendor
) -> None:
    propose(world, vendor)
    other = called(world, number="0722000111")
    answer = decide(world, vendor, "Apollo", "confirm", **other)
    assert answer.status_code == 422
    assert "The number called is not the number on record, 254712345678" in answer.content.decode()
    long_note = "From the contract of 2024, " + "x" * 150
    assert decide(world, vendor, "Apollo", "confirm", **other | {"note": long_note}).status_code == 302
    line = AuditEntry.objects.get(chain=world.business.pk, sentence__startswith="noted why account …2345")
    assert "254722000111, not the number on record," in line.reason


def test_a_proposal_without_a_reason_is_refused(world: World, vendor: Vendor) -> None:
    answer = propose(world, vendor, proposal_reason="")
    assert answer.status_code == 422
    assert "the second person needs to know why" in answer.content.decode()


def test_a_rejection_is_verified_and_its_reason_may_be_long(world: World, vendor: Vendor) -> None:
    propose(world, vendor)
    reason = "The vendor knows nothing of it. " * 6
    answer = decide(world, vendor, "Apollo", "reject", client=world.client("Apollo"), reason=reason)
    assert "reauthenticate" in answer["Location"]
    assert waiting(world, vendor)
    assert decide(world, vendor, "Apollo", "reject", reason=reason).status_code == 302


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


def test_who_has_not_just_shown_that_it_is_them_does_so_first(world: World, vendor: Vendor) -> None:
    propose(world, vendor)
    answer = decide(world, vendor, "Apollo", "confirm", client=world.client("Apollo"))
    assert "reauthenticate" in answer["Location"]
    assert waiting(world, vendor)


def test_a_rejected_account_is_gone_and_what_was_in_use_stays(world: World, vendor: Vendor) -> None:
    propose(world, vendor)
    assert decide(world, vendor, "Apollo", "reject", reason="The number does not exist").status_code == 302
    rows = world.upstream(f"/vendors/{vendor.remote_id}")["payment_instructions"]
    assert [row["account"] for row in rows] == ["400111"]
    told = Notice.objects.get(business=world.business, membership=world.people["Ada"], topic="payees")
    assert told.sentence.endswith("that you proposed: The number does not exist")


def test_the_number_before_a_change_of_the_record_is_the_one_to_call(world: World, vendor: Vendor) -> None:
    form = {"name": vendor.name, "type": "BUSINESS", "phone": "0733 999999", "country": "KE", "currency": "KES"}
    world.client("Ada").post(world.address(f"vendors/{vendor.remote_id}/edit/"), form)
    propose(world, vendor)
    shown = world.client("Apollo").get(world.address("vendors/payee-changes/")).content.decode()
    assert "The phone on record was changed shortly before" in shown
    assert 'value="254712345678"' in shown


def test_a_service_that_is_not_known_to_hold_accounts_is_sent_none(world: World, vendor: Vendor) -> None:
    rows = [row | {"status": ""} for row in vendor.instructions]
    Vendor.objects.filter(pk=vendor.pk).update(instructions=rows)
    answer = propose(world, vendor)
    assert answer.status_code == 403
    assert len(world.upstream(f"/vendors/{vendor.remote_id}")["payment_instructions"]) == 1


def test_an_account_that_the_service_refuses_stands_at_its_field(world: World, vendor: Vendor) -> None:
    answer = propose(world, vendor, channel="MPESA_SEND_MONEY", account="123")
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert "It must be a phone number" in shown.split('id="id_account_error"')[1]
    assert "Propose account" in shown
