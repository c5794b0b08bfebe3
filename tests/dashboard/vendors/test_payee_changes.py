"""The account a vendor is paid on: proposed by one person, in quarantine at the service, decided by another after a call."""

import re
import time
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Vendor
from dashboard.notifications.models import Notice
from dashboard.times import local
from tests.dashboard.conftest import World

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
