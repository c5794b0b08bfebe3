"""One-time codes: bound to what they confirm, five minutes long, five tries, and only an approver confirms."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.approvals.models import Mandate
from service.payments.models import Batch, Intent, Item
from service.rails.models import Message
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once
from tests.service.payments.conftest import draft, initiated, item, state

WRONG = "000000"


@pytest.fixture
def house(committed_house: House) -> House:
    """A business that is really there (tries are counted on a connection of their own), with no mandates."""
    Mandate.objects.filter(business=committed_house.business).update(active=False)
    return committed_house


def intent(house: House, by: str = "Apollo", **more: Any) -> dict[str, Any]:
    answer = house.post("/payments/intent", {"payment": item(), **more}, by=by)
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def sent(house: House, created: dict[str, Any]) -> str:
    return Message.objects.filter(business=house.business, subject_ref=created["intent_id"]).latest("created_at").code


def confirm(house: House, created: dict[str, Any], otp: str, by: str = "Apollo") -> Any:
    return house.post("/payments/confirm", {"intent_id": created["intent_id"], "otp": otp}, by=by)


def other_than(right: str) -> str:
    return WRONG if right != WRONG else "000001"


def test_a_transfer_waits_for_its_code_and_is_then_approved(house: House, no_worker: list[str]) -> None:
    created = intent(house)
    assert (created["status"], created["payout_status"], created["attempts_left"]) == (
        "REQUIRES_CONFIRMATION", "AWAITING_CODE", 5,
    )  # fmt: skip
    answer = confirm(house, created, sent(house, created))
    assert (answer.status_code, answer.json()["status"], answer.json()["payout_status"]) == (
        200, "CONFIRMED", "APPROVED",
    )  # fmt: skip
    assert no_worker == [Batch.objects.get(business=house.business, batch_no=created["batch_no"]).id]
    assert state(house, created["batch_no"])["kind"] == "BANK_TRANSFER"
    assert code(confirm(house, created, sent(house, created))) == (409, "invalid_state")


def test_the_code_is_kept_hashed_and_sent_to_who_may_confirm(house: House) -> None:
    created = intent(house, by="Ada", channel="EMAIL")
    row = Intent.objects.get(id=created["intent_id"])
    assert sent(house, created) not in (row.code_hash, row.digest)
    messages = Message.objects.filter(business=house.business, subject_ref=created["intent_id"])
    assert {message.employee_id for message in messages} == {
        house.person(name).id for name in ("Apollo", "Zawadi", "Juma")
    }
    assert {message.address for message in messages} >= {house.person("Apollo").email}
    assert sent(house, created) not in str(house.get("/events").json())


def test_only_an_approver_confirms(house: House) -> None:
    created = intent(house, by="Ada")
    for name in ("Ada", "Sam", "Rita", "Carla", None):
        assert confirm(house, created, sent(house, created), by=name).status_code == 403
    assert confirm(house, created, sent(house, created), by="Zawadi").status_code == 200


def test_the_fifth_wrong_code_is_the_last(house: House) -> None:
    created = intent(house)
    right = sent(house, created)
    for left in (4, 3, 2, 1, 0):
        answer = confirm(house, created, other_than(right))
        assert code(answer) == (422, "wrong_code")
        assert (answer.json()["attempts_left"], answer.json()["errors"][0]["code"]) == (left, "wrong_code")
        status = Intent.objects.get(id=created["intent_id"]).status
        assert status == ("REQUIRES_CONFIRMATION" if left else "LOCKED"), "locked with the last try, not after it"
    assert code(confirm(house, created, right)) == (409, "invalid_state")
    again = house.post("/payments/intent", {"batch_no": created["batch_no"]}, by="Apollo").json()
    assert confirm(house, again, sent(house, again)).status_code == 200


def test_many_guesses_at_once_are_five_tries(house: House) -> None:
    created = intent(house)
    wrong = other_than(sent(house, created))
    codes = [code(answer) for answer in at_once(12, lambda _: confirm(house, created, wrong))]
    assert codes.count((422, "wrong_code")) == 5
    assert codes.count((409, "invalid_state")) == 7


def test_a_code_dies_after_five_minutes(house: House) -> None:
    created = intent(house)
    Intent.objects.filter(id=created["intent_id"]).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert code(confirm(house, created, sent(house, created))) == (409, "invalid_state")


def test_a_code_is_void_when_what_it_pays_changes(house: House) -> None:
    created = intent(house)
    Item.objects.filter(batch__batch_no=created["batch_no"], batch__business=house.business).update(
        amount_minor=999_999
    )
    assert code(confirm(house, created, sent(house, created))) == (409, "invalid_state")


def test_a_newer_intent_and_a_return_to_draft_void_the_older(house: House) -> None:
    created = intent(house)
    newer = house.post("/payments/intent", {"batch_no": created["batch_no"]}, by="Apollo").json()
    assert code(confirm(house, created, sent(house, created))) == (409, "invalid_state")
    house.send("PATCH", f"/payments/{created['batch_no']}/draft", by="Apollo")
    assert code(confirm(house, newer, sent(house, newer))) == (409, "invalid_state")


def test_an_intent_of_another_business_is_not_there(house: House) -> None:
    stranger = House()
    created = intent(house)
    assert code(confirm(stranger, created, sent(house, created))) == (404, "not_found")
    assert code(stranger.post("/payments/intent", {"batch_no": created["batch_no"]})) == (404, "not_found")


def test_only_what_waits_for_a_code_gets_one(house: House) -> None:
    number = draft(house)["batch_no"]
    assert code(house.post("/payments/intent", {"batch_no": number})) == (409, "invalid_state")
    for body in ({}, {"batch_no": number, "payment": item()}, {"payment": item(), "channel": "PIGEON"}):
        assert code(house.post("/payments/intent", body)) == (422, "validation_failed")
    bad = house.post("/payments/intent", {"payment": item(amount=1.001)})
    assert "payment.amount" in bad.json()["detail"]


def test_votes_come_first_where_a_mandate_wants_them(house: House) -> None:
    Mandate.objects.filter(business=house.business).update(active=True)
    created = intent(house, by="Ada")
    assert (created["status"], created["payout_status"]) == ("REQUIRES_APPROVAL", "PENDING_APPROVAL")
    assert not Message.objects.filter(business=house.business).exists()
    assert code(confirm(house, created, WRONG)) == (409, "invalid_state")
    (requested,) = state(house, created["batch_no"])["approvals"]
    assert house.post("/approvals/approve", {"approval_id": requested}, by="Juma").json()["status"] == "APPROVED"
    assert state(house, created["batch_no"])["status"] == "AWAITING_CODE"
    again = house.post("/payments/intent", {"batch_no": created["batch_no"]}, by="Apollo").json()
    assert confirm(house, again, sent(house, again)).json()["payout_status"] == "APPROVED"


def test_a_bulk_payout_under_the_usual_mandate_needs_no_code(house: House) -> None:
    Mandate.objects.filter(business=house.business).update(active=True)
    (requested,) = initiated(house)["approvals"]
    house.post("/approvals/approve", {"approval_id": requested}, by="Apollo")
    assert Batch.objects.get(business=house.business).status == "APPROVED"
