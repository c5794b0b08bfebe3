"""A payout from draft to its end: every move from every state, and who may take it back."""

import pytest

from service.approvals.models import Approval
from service.events.models import AuditEvent, Event
from service.payments import execution
from service.payments.models import Batch, Status
from service.payments.transitions import FINAL, MOVES
from tests.service.house import House, code
from tests.service.payments.conftest import draft, initiated, item, state


def test_no_state_that_is_final_is_left_and_every_other_can_be() -> None:
    starts = frozenset[str]().union(*(move.starts for move in MOVES.values()))
    assert starts.isdisjoint(FINAL)
    assert starts | FINAL == set(Status.values)


ADDRESSES = {
    "initiate": ("PATCH", "/payments/{no}/initiate", {Status.DRAFT}),
    "draft": ("PATCH", "/payments/{no}/draft", MOVES["draft"].starts),
    "cancel": ("POST", "/payments/payout/cancel", MOVES["cancel"].starts),
}


@pytest.mark.parametrize("status", Status.values)
@pytest.mark.parametrize("verb", ADDRESSES)
def test_every_move_from_every_state(house: House, verb: str, status: str) -> None:
    number = draft(house)["batch_no"]
    Batch.objects.filter(business=house.business, batch_no=number).update(status=status)
    method, path, starts = ADDRESSES[verb]
    answer = house.send(method, path.format(no=number), {"batch_no": number} if verb == "cancel" else None)
    if status in starts:
        assert answer.status_code == 200
    else:
        assert code(answer) == (409, "invalid_state")
        assert state(house, number)["status"] == status


def test_initiating_asks_for_votes_under_the_mandate(house: House) -> None:
    found = initiated(house)
    assert found["status"] == "PENDING_APPROVAL"
    requested = Approval.objects.get(id=found["approvals"][0])
    assert (requested.ref, requested.amount_minor, requested.approvals_required) == (found["batch_no"], 150050, 1)
    assert requested.maker_ids == [house.person("Ada").id]
    kinds = Event.objects.filter(business=house.business).order_by("created_at", "id").values_list("kind", flat=True)
    assert list(kinds) == ["payout.created", "approval.requested", "payout.initiated"]


def test_without_a_mandate_it_is_approved_at_once_and_paid(unmandated: House) -> None:
    found = initiated(unmandated)
    assert (found["status"], found["approvals"]) == ("APPROVED", [])
    batch = Batch.objects.get(business=unmandated.business, batch_no=found["batch_no"])
    assert execution.execute(batch.id) == "COMPLETED"


def test_returned_to_draft_the_votes_are_void_and_a_new_round_asks_again(house: House) -> None:
    found = initiated(house, item(150_000))
    first = found["approvals"][0]
    assert house.post("/approvals/approve", {"approval_id": first}, by="Apollo").status_code == 200
    back = house.send("PATCH", f"/payments/{found['batch_no']}/draft")
    assert back.json()["status"] == "DRAFT"
    assert Approval.objects.get(id=first).status == "WITHDRAWN"
    assert code(house.post("/approvals/approve", {"approval_id": first}, by="Zawadi")) == (409, "invalid_state")
    again = house.send("PATCH", f"/payments/{found['batch_no']}/initiate").json()
    assert (again["status"], len(again["approvals"])) == ("PENDING_APPROVAL", 2)
    assert Approval.objects.get(id=again["approvals"][1]).approvals_given == 0


def test_only_the_requester_or_an_admin_takes_it_back(house: House) -> None:
    mine = initiated(house, by="Apollo")["batch_no"]
    for method, path, body in (
        ("PATCH", f"/payments/{mine}/draft", None),
        ("POST", "/payments/payout/cancel", {"batch_no": mine}),
    ):
        assert code(house.send(method, path, body, by="Zawadi")) == (403, "insufficient_role")
    assert house.send("PATCH", f"/payments/{mine}/draft", by="Apollo").status_code == 200
    assert house.post("/payments/payout/cancel", {"batch_no": mine}, by="Abel").json()["status"] == "CANCELLED"


def test_cancelling_ends_the_request_and_is_noted(house: House) -> None:
    found = initiated(house)
    house.post("/payments/payout/cancel", {"batch_no": found["batch_no"], "reason": "Wrong month"})
    assert Approval.objects.get(id=found["approvals"][0]).status == "CANCELLED"
    line = AuditEvent.objects.get(business=house.business, action="payout.cancel")
    assert line.after == {"status": "CANCELLED", "reason": "Wrong month"}
    assert line.acting_employee_id == house.person("Ada").id


def test_a_rejected_payout_can_be_drafted_again(house: House) -> None:
    found = initiated(house)
    body = {"approval_id": found["approvals"][0], "reason": "Not ours"}
    assert house.post("/approvals/reject", body, by="Juma").json()["status"] == "REJECTED"
    assert state(house, found["batch_no"])["status"] == "REJECTED"
    assert house.send("PATCH", f"/payments/{found['batch_no']}/draft").json()["status"] == "DRAFT"


def test_whoever_returned_it_to_draft_does_not_vote_on_it_either(house: House) -> None:
    found = initiated(house, by="Apollo")
    number = found["batch_no"]
    house.send("PATCH", f"/payments/{number}/draft", by="Abel")
    again = house.send("PATCH", f"/payments/{number}/initiate", by="Zawadi").json()
    requested = Approval.objects.get(id=again["approvals"][-1])
    assert set(requested.maker_ids) == {house.person(name).id for name in ("Apollo", "Abel", "Zawadi")}
    for name in ("Apollo", "Zawadi"):
        answer = house.post("/approvals/approve", {"approval_id": requested.id}, by=name)
        assert code(answer) == (403, "self_approval_forbidden")


def test_a_mandate_that_nobody_could_fulfil_refuses_the_payout(house: House) -> None:
    for name in ("Zawadi", "Juma"):
        person = house.person(name)
        person.status = "SUSPENDED"
        person.save()
    created = draft(house, item(150_000), by="Apollo")
    answer = house.send("PATCH", f"/payments/{created['batch_no']}/initiate", by="Apollo")
    assert code(answer) == (409, "approvers_insufficient")
    assert state(house, created["batch_no"])["status"] == "DRAFT"
