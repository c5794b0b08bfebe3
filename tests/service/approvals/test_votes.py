"""Votes: who has one, that each has one, and that the last one needed moves the payout on, once."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.approvals import services
from service.approvals.models import Approval, Mandate, MandateApprover, Vote
from service.events.models import AuditEvent, Event
from service.ledger.models import LedgerTransaction
from service.payments import execution
from service.payments.models import Batch
from tests.service.approvals.conftest import request_approval, vote
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once

LARGE = 150_000


def test_one_approval_is_enough_below_the_band(house: House, no_worker: list[str]) -> None:
    row = request_approval(house)
    answer = vote(house, row, "Apollo")
    assert (answer.status_code, answer.json()["status"], answer.json()["approvals_given"]) == (200, "APPROVED", 1)
    assert answer.json()["votes"][0]["employee_id"] == house.person("Apollo").id
    batch = Batch.objects.get(id=row.subject_id)
    assert batch.status == "APPROVED"
    assert execution.execute(batch.id) == "COMPLETED"
    decided = Event.objects.get(business=house.business, kind="approval.decided").payload
    assert (decided["object"]["status"], decided["previous"]["status"]) == ("APPROVED", "PENDING")
    line = AuditEvent.objects.get(business=house.business, action="approval.approve")
    assert line.acting_employee_id == house.person("Apollo").id


def test_above_it_takes_two_and_each_votes_once(house: House) -> None:
    row = request_approval(house, LARGE)
    assert row.approvals_required == 2
    first = vote(house, row, "Apollo").json()
    assert (first["status"], first["approvals_given"]) == ("PENDING", 1)
    assert house.person("Apollo").id not in [seat["employee_id"] for seat in first["eligible"]]
    assert code(vote(house, row, "Apollo")) == (409, "duplicate")
    assert code(vote(house, row, "Apollo", "reject")) == (409, "duplicate")
    assert Batch.objects.get(id=row.subject_id).status == "PENDING_APPROVAL"
    assert vote(house, row, "Juma").json()["status"] == "APPROVED"
    assert code(vote(house, row, "Zawadi")) == (409, "invalid_state")


def test_one_rejection_rejects_and_needs_a_reason(house: House) -> None:
    row = request_approval(house, LARGE)
    vote(house, row, "Apollo")
    for body in ({"approval_id": row.id}, {"approval_id": row.id, "reason": ""}):
        assert code(house.post("/approvals/reject", body, by="Juma")) == (422, "validation_failed")
    answer = vote(house, row, "Juma", "reject", "Unknown payee").json()
    assert (answer["status"], answer["votes"][1]["reason"]) == ("REJECTED", "Unknown payee")
    assert Batch.objects.get(id=row.subject_id).status == "REJECTED"


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_only_approvers_vote_and_never_a_client_that_acts_for_nobody(house: House, verb: str) -> None:
    row = request_approval(house)
    for name in ("Carla", "Rita", "Rex", "Abel", "Sam", None):
        assert code(vote(house, row, name, verb)) == (403, "insufficient_role")
    house.client.caller_role = "APPROVER"
    house.client.save()
    house._token = ""
    assert code(vote(house, row, None, verb)) == (403, "insufficient_role")
    assert not Vote.objects.filter(approval=row).exists()


def test_the_maker_does_not_vote(house: House) -> None:
    row = request_approval(house, by="Apollo")
    for verb in ("approve", "reject"):
        assert code(vote(house, row, "Apollo", verb)) == (403, "self_approval_forbidden")
    assert vote(house, row, "Zawadi").status_code == 200


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_a_request_of_another_business_is_not_there(house: House, houses: Callable[..., House], verb: str) -> None:
    stranger = houses()
    row = request_approval(house)
    assert code(vote(stranger, row, "Apollo", verb)) == (404, "not_found")
    plain = houses(entitled=False)
    assert code(vote(plain, row, "Apollo", verb)) == (403, "entitlement_required")
    reader = houses(scopes=("approvals:read", "acting_employee"))
    assert code(vote(reader, row, "Apollo", verb)) == (403, "insufficient_scope")


def test_the_mandate_names_who_votes_and_up_to_how_much(house: House) -> None:
    seats = MandateApprover.objects.filter(mandate__business=house.business)
    seats.filter(employee=house.person("Juma")).update(active=False)
    seats.filter(employee=house.person("Zawadi")).update(max_amount_minor=100_000)
    row = request_approval(house)
    assert code(vote(house, row, "Juma")) == (403, "insufficient_role")
    assert code(vote(house, row, "Zawadi")) == (403, "insufficient_role")
    assert vote(house, row, "Apollo").json()["status"] == "APPROVED"


def test_a_mandate_changed_later_does_not_change_a_running_vote(house: House) -> None:
    row = request_approval(house)
    Mandate.objects.filter(business=house.business).update(min_approvers=3)
    MandateApprover.objects.filter(mandate__business=house.business).update(active=False)
    assert vote(house, row, "Apollo").json()["status"] == "APPROVED"


def test_who_is_required_must_agree(house: House) -> None:
    seats = MandateApprover.objects.filter(mandate__business=house.business, employee=house.person("Juma"))
    seats.update(required=True)
    row = request_approval(house)
    assert vote(house, row, "Apollo").json()["status"] == "PENDING"
    assert vote(house, row, "Juma").json()["status"] == "APPROVED"


def test_a_sequential_mandate_keeps_its_order(house: House) -> None:
    Mandate.objects.filter(business=house.business).update(sequential=True)
    row = request_approval(house, LARGE)
    assert code(vote(house, row, "Zawadi")) == (409, "invalid_state")
    assert vote(house, row, "Apollo").status_code == 200
    assert vote(house, row, "Zawadi").json()["status"] == "APPROVED"


def test_a_repeat_with_the_same_key_is_the_same_vote(house: House) -> None:
    row = request_approval(house)
    body = {"approval_id": row.id}
    first, again = (house.post("/approvals/approve", body, by="Apollo", key="k") for _ in range(2))
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true"
    other = house.post("/approvals/approve", body, by="Juma", key="k")
    assert code(other) == (422, "idempotency_key_reused")


def test_a_request_runs_out(house: House) -> None:
    row = request_approval(house)
    Approval.objects.filter(pk=row.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert services.expire_due() >= 1
    row.refresh_from_db()
    assert (row.status, Batch.objects.get(id=row.subject_id).status) == ("EXPIRED", "DRAFT")
    assert Event.objects.filter(business=house.business, kind="approval.expired").count() == 1
    assert code(vote(house, row, "Apollo")) == (409, "invalid_state")


def test_there_are_no_bill_payments_to_reject(house: House) -> None:
    row = request_approval(house)
    for approval_id in (row.id, "0" * 24):
        body = {"approval_id": approval_id, "reason": "Twice"}
        assert code(house.send("DELETE", "/approvals/bills/reject", body, by="Apollo")) == (404, "not_found")
        assert code(house.send("DELETE", "/approvals/bills/reject", body, by="Ada")) == (403, "insufficient_role")
    row.refresh_from_db()
    assert row.status == "PENDING"


@pytest.mark.parametrize("body", [{}, {"approval_id": "x"}, {"approval_id": 7}, {"approval_id": "0" * 24, "all": True}])
def test_bad_input_names_its_field(house: House, body: dict[str, Any]) -> None:
    answer = house.post("/approvals/approve", body, by="Apollo")
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["field"] in ("approval_id", "all")


def test_two_last_votes_at_once_are_one_payout(committed_house: House, no_worker: list[str]) -> None:
    row = request_approval(committed_house, LARGE)
    vote(committed_house, row, "Apollo")
    answers = at_once(2, lambda n: vote(committed_house, row, ("Juma", "Zawadi")[n]))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    row.refresh_from_db()
    assert (row.status, row.approvals_given, row.votes.count()) == ("APPROVED", 2, 2)
    assert no_worker == [row.subject_id]
    at_once(3, lambda _: execution.execute(row.subject_id))
    execution.execute(row.subject_id)
    assert LedgerTransaction.objects.filter(business=committed_house.business, kind="PAYOUT").count() == 1


def test_an_approval_and_a_rejection_at_once_are_one_decision(committed_house: House) -> None:
    row = request_approval(committed_house)
    answers = at_once(2, lambda n: vote(committed_house, row, ("Juma", "Zawadi")[n], ("approve", "reject")[n]))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    row.refresh_from_db()
    assert Batch.objects.get(id=row.subject_id).status == row.status


def test_a_vote_and_a_cancellation_at_once_do_not_both_win(committed_house: House) -> None:
    row = request_approval(committed_house)

    def work(n: int) -> Any:
        return (
            vote(committed_house, row, "Juma")
            if n
            else committed_house.post("/payments/payout/cancel", {"batch_no": row.ref})
        )

    answers = at_once(2, work)
    assert sorted(answer.status_code for answer in answers) in ([200, 409], [409, 200])
    row.refresh_from_db()
    status = Batch.objects.get(id=row.subject_id).status
    assert (row.status, status) in {("APPROVED", "APPROVED"), ("CANCELLED", "CANCELLED")}


def test_an_acting_employee_of_another_business_is_refused(house: House, houses: Callable[[], House]) -> None:
    row, stranger = request_approval(house), houses()
    headers = {"X-Acting-Employee": stranger.person("Apollo").id}
    answer = house.post("/approvals/approve", {"approval_id": row.id}, by=None, headers=headers)
    assert code(answer) == (403, "insufficient_role")
