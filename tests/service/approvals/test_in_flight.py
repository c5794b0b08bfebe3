"""A workflow that changes leaves those in flight as they were, or is followed by them: the votes of those who still sit in it count."""

from typing import Any

from service.approvals.models import Approval
from service.bills.models import BillPayment
from service.events.models import AuditEvent, Event
from tests.service.approvals.conftest import vote
from tests.service.approvals.test_workflows import create_workflow, ids, request
from tests.service.bills.conftest import payment_in_approval
from tests.service.house import House, code


def numbered(*steps: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"order": place, **step} for place, step in enumerate(steps, start=1)]


def change(house: House, made: Any, *steps: dict[str, Any], by: str | None = None, **more: Any) -> Any:
    body = {"also_waiting": True, **({"steps": numbered(*steps)} if steps else {}), **more}
    return house.send("PATCH", f"/bills/workflow/{made.json()['_id']}", body, by=by)


def read(row: Approval) -> Approval:
    row.refresh_from_db()
    return row


def test_those_in_flight_keep_their_steps_unless_it_is_said(house: House) -> None:
    made = create_workflow(house, {"role": "APPROVER"})
    row = request(house)
    assert change(house, made, {"role": "APPROVER", "min_approvals": 2}, also_waiting=False).status_code == 200
    assert read(row).approvals_required == 1
    assert change(house, made, {"role": "APPROVER", "min_approvals": 3}).status_code == 200
    assert (read(row).approvals_required, row.mandate_snapshot["version"]) == (3, 3)
    assert len(row.mandate_snapshot["steps"]) == 1


def test_the_vote_of_who_still_sits_in_it_counts_and_is_not_given_twice(house: House) -> None:
    """Zawadi voted in the only step, and sits in the second of the new ones."""
    made = create_workflow(house, {"role": "APPROVER", "min_approvals": 2})
    row = request(house)
    assert vote(house, row, "Zawadi").status_code == 200
    steps = [{"approver_ids": ids(house, "Juma")}, {"approver_ids": ids(house, "Zawadi")}]
    assert change(house, made, *steps).status_code == 200
    assert (read(row).status, row.approvals_given, row.approvals_required) == ("PENDING", 1, 2)
    assert code(vote(house, row, "Zawadi")) == (409, "duplicate")
    assert code(vote(house, row, "Apollo")) == (403, "insufficient_role")
    done = vote(house, row, "Juma").json()
    assert (done["status"], done["approvals_given"]) == ("APPROVED", 2)


def test_the_vote_of_who_sits_in_it_no_more_stays_for_the_record_alone(house: House) -> None:
    made = create_workflow(house, {"role": "APPROVER", "min_approvals": 2})
    row = request(house)
    vote(house, row, "Apollo")
    assert change(house, made, {"approver_ids": ids(house, "Juma", "Zawadi"), "min_approvals": 2}).status_code == 200
    assert (read(row).approvals_given, row.votes.count()) == (0, 1)
    assert vote(house, row, "Juma").json()["status"] == "PENDING"
    assert vote(house, row, "Zawadi").json()["status"] == "APPROVED"
    assert read(row).votes.count() == 3


def test_one_that_has_its_votes_by_the_new_steps_is_approved_and_goes_on(house: House) -> None:
    made = create_workflow(house, {"role": "APPROVER", "min_approvals": 2})
    row = request(house)
    vote(house, row, "Apollo")
    other = payment_in_approval(house, bill_no="INV-2")
    assert change(house, made, {"role": "APPROVER"}).status_code == 200
    assert read(row).status == "APPROVED"
    assert BillPayment.objects.get(ref=row.ref).status in ("APPROVED", "PROCESSING", "PAID", "SUCCEEDED")
    assert BillPayment.objects.get(ref=other["payment_ref"]).status == "PENDING_APPROVAL"
    decided = Event.objects.filter(business=house.business, kind="approval.decided").latest("pk").payload
    assert (decided["object"]["ref"], decided["object"]["status"]) == (row.ref, "APPROVED")
    followed = AuditEvent.objects.filter(business=house.business, action="approval.follow_workflow")
    assert followed.count() == 2


def test_the_maker_does_not_vote_by_the_new_steps_and_one_without_voters_refuses_the_change(house: House) -> None:
    made = create_workflow(house, {"approver_ids": ids(house, "Juma", "Zawadi")})
    row = request(house, by="Apollo")
    answer = change(house, made, {"approver_ids": ids(house, "Apollo")})
    assert code(answer) == (409, "approvers_insufficient")
    assert row.ref in answer.json()["detail"]
    assert read(row).mandate_snapshot["version"] == 1
    assert house.get("/bills/workflow").json()["docs"][0]["version"] == 1
    both = change(house, made, {"approver_ids": ids(house, "Apollo", "Juma"), "min_approvals": 2})
    assert code(both) == (409, "approvers_insufficient")


def test_who_has_voted_cannot_vote_in_a_second_step_either(house: House) -> None:
    """Juma and Zawadi are enough for two votes, but not for one each in two steps of which Juma fills the first alone."""
    made = create_workflow(house, {"role": "APPROVER", "min_approvals": 2})
    row = request(house, by="Apollo")
    vote(house, row, "Zawadi")
    assert change(house, made, {"approver_ids": ids(house, "Juma")}, {"role": "APPROVER"}).status_code == 200
    assert (read(row).approvals_given, row.approvals_required) == (1, 2)
    assert vote(house, row, "Juma").json()["status"] == "APPROVED"


def test_what_is_decided_and_what_waits_under_another_workflow_stays(house: House) -> None:
    made = create_workflow(house, {"role": "APPROVER"})
    decided = request(house)
    vote(house, decided, "Apollo")
    other = create_workflow(house, {"role": "APPROVER"}, priority=1, name="Other")
    assert other.status_code == 201
    paid = payment_in_approval(house, bill_no="INV-2")
    under_other = Approval.objects.get(ref=paid["payment_ref"])
    assert change(house, made, {"role": "APPROVER", "min_approvals": 3}).status_code == 200
    assert read(decided).approvals_required == 1
    before = under_other.mandate_snapshot
    assert read(under_other).mandate_snapshot == before


def test_only_by_admins_and_only_yes_or_no(house: House) -> None:
    made = create_workflow(house, {"role": "APPROVER"})
    assert code(change(house, made, {"role": "APPROVER"}, by="Apollo")) == (403, "insufficient_role")
    assert change(house, made, also_waiting="perhaps").status_code == 422
