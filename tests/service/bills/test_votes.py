"""Votes on bill payments: a matching workflow decides, else the mandate, else nobody; maker never checks."""

from typing import Any

import pytest
from django.utils import timezone

from service.approvals import services as approvals
from service.approvals.models import Approval, Vote
from service.bills.models import BillPayment
from tests.service.bills.conftest import (
    OPENING,
    add,
    bill,
    has,
    pay,
    payment_in_approval,
    request_votes,
    say,
    status,
    till,
)
from tests.service.house import House, code
from tests.service.vendors.conftest import account, decide, vendor


def workflow(house: House, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = {"name": "Bills", "steps": list(steps) or [{"order": 1, "role": "APPROVER", "min_approvals": 2}], **more}
    answer = house.post("/bills/workflow", body)
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def test_the_mandate_decides_where_no_workflow_matches(house: House) -> None:
    workflow(house, conditions={"currency": "KES", "min_amount": 5000})
    row = payment_in_approval(house, 1160)
    request = Approval.objects.get(subject_id=row["_id"])
    assert (request.kind, request.action_type, request.approvals_required) == ("BILL_PAYMENT", 3, 1)
    assert request.mandate_snapshot["mandate_id"]
    assert row["approvals"] == [request.id]


def test_a_matching_workflow_decides_step_by_step(house: House) -> None:
    people = [house.person(name).id for name in ("Zawadi", "Apollo")]
    steps = [{"order": place, "approver_ids": [each]} for place, each in enumerate(people, start=1)]
    workflow(house, *steps, conditions={"currency": "KES", "min_amount": 1000})
    row = payment_in_approval(house, 1160)
    assert code(say(house, row, "approve", by="Apollo")) == (409, "invalid_state")  # not at their turn
    assert say(house, row, "approve", by="Zawadi").json()["status"] == "PENDING_APPROVAL"
    assert say(house, row, "approve", by="Apollo").json()["status"] == "APPROVED"


def test_workflows_are_made_changed_and_deleted_by_admins(house: House) -> None:
    created = workflow(house)
    path = f"/bills/workflow/{created['_id']}"
    assert created["action_type"] == 3
    assert house.get("/bills/workflow", by="Apollo").json()["docs"] == [created]
    assert house.send("PATCH", path, {"active": False}).json()["active"] is False
    for method, body in (("PATCH", {"active": True}), ("DELETE", None)):
        assert code(house.send(method, path, body, by="Apollo")) == (403, "insufficient_role")
        assert code(house.send(method, f"/bills/workflow/{'0' * 24}", body)) == (404, "not_found")
    assert code(house.get("/bills/workflow", by="Rita"))[0] == 403
    assert house.send("DELETE", path).status_code == 200
    assert house.get("/bills/workflow").json()["total"] == 0


@pytest.mark.parametrize("role", ["adds", "asks", "makes the bill"])
def test_maker_never_checks(house: House, role: str) -> None:
    created = bill(house, by="Apollo" if role == "makes the bill" else "Ada")
    row = add(house, created, by="Apollo" if role == "adds" else "Ada").json()
    request_votes(house, row, by="Apollo" if role == "asks" else "Ada")
    for verb in ("approve", "reject"):
        assert code(say(house, row, verb, by="Apollo")) == (403, "self_approval_forbidden")
    assert say(house, row, "approve", by="Zawadi").status_code == 200


def test_one_rejection_rejects_and_again_keeps_the_old_votes(house: House) -> None:
    row = payment_in_approval(house)
    assert say(house, row, "reject").json()["status"] == "REJECTED"
    again = request_votes(house, row).json()
    assert again["status"] == "PENDING_APPROVAL"
    assert len(again["approvals"]) == 2
    assert say(house, row, "approve").json()["status"] == "APPROVED"
    votes = Vote.objects.filter(approval__subject_id=row["_id"]).order_by("created_at")
    assert [each.decision for each in votes] == ["REJECT", "APPROVE"]


def test_withdrawn_by_its_requester_or_an_admin_only(house: House) -> None:
    row = request_votes(house, add(house, bill(house), by="Apollo").json(), by="Apollo").json()
    assert code(say(house, row, "withdraw", by="Zawadi")) == (403, "insufficient_role")
    assert say(house, row, "withdraw", by="Apollo").json()["status"] == "WITHDRAWN"
    assert Approval.objects.get(subject_id=row["_id"]).status == "WITHDRAWN"
    assert code(say(house, row, "approve", by="Zawadi")) == (409, "invalid_state")
    request_votes(house, row, by="Apollo")
    assert say(house, row, "withdraw", by="Ada").json()["approval_status"] == "TERMINATED"


def test_a_draft_is_withdrawn_by_whoever_added_it_and_claims_nothing_any_more(house: House) -> None:
    of = bill(house, 100)
    row = add(house, of, by="Apollo").json()
    assert code(add(house, of)) == (422, "limit_exceeded")
    assert code(say(house, row, "withdraw", by="Zawadi")) == (403, "insufficient_role")
    withdrawn = say(house, row, "withdraw", by="Apollo").json()
    assert (withdrawn["status"], withdrawn["approval_status"]) == ("WITHDRAWN", "TERMINATED")
    assert code(say(house, row, "withdraw", by="Apollo")) == (409, "invalid_state")
    assert add(house, of).status_code == 201


def test_the_approvals_pages_reject_works_on_it_too(house: House) -> None:
    row = payment_in_approval(house)
    body = {"approval_id": row["approvals"][0], "reason": "Paid twice."}
    answer = house.send("DELETE", "/approvals/bills/reject", body, by="Apollo")
    assert answer.json()["status"] == "REJECTED"
    assert status(row) == "REJECTED"


def test_a_request_that_expires_withdraws_the_payment(house: House) -> None:
    row = payment_in_approval(house)
    Approval.objects.filter(subject_id=row["_id"]).update(expires_at=timezone.now())
    assert approvals.expire_due() == 1
    assert status(row) == "WITHDRAWN"


def test_a_scheduled_payment_holds_its_funds_until_its_day(house: House) -> None:
    day = (timezone.now() + timezone.timedelta(days=3)).isoformat()
    row = request_votes(house, add(house, bill(house, 100), scheduled_for=day).json()).json()
    say(house, row, "approve")
    assert pay(row) == "SCHEDULED"
    assert has(house) == (OPENING, 10_000)
    assert pay(row) == "SCHEDULED"
    BillPayment.objects.filter(pk=row["_id"]).update(scheduled_for=timezone.now())
    assert pay(row) == "SUCCEEDED"
    assert has(house) == (OPENING - 10_000, 0)


def test_a_withdrawn_scheduled_payment_gives_its_funds_back(house: House) -> None:
    day = (timezone.now() + timezone.timedelta(days=3)).isoformat()
    row = request_votes(house, add(house, bill(house, 100), scheduled_for=day).json()).json()
    say(house, row, "approve")
    pay(row)
    assert say(house, row, "withdraw", by="Ada").status_code == 200
    assert has(house) == (OPENING, 0)


def test_a_new_account_that_waits_never_blocks_the_one_in_use(house: House) -> None:
    """Whatever is proposed beside it, in its place, or for another vendor: what is in use is paid to."""
    first, second = payment_in_approval(house, 100), None
    say(house, first, "approve")
    path = f"/vendors/{first['vendor_id']}/payment-instruction"
    assert house.post(path, account("254722000111")).status_code == 200
    assert house.post(f"{path}/add", account("254722000222")).status_code == 201
    other = vendor(house, account("254722000333"))
    copied = house.post(f"/vendors/{other['_id']}/payment-instruction/add", till())
    assert copied.status_code == 201
    assert pay(first) == "SUCCEEDED"
    second = request_votes(
        house, add(house, bill(house, 50, vendor_id=first["vendor_id"], bill_no="INV-2")).json()
    ).json()
    say(house, second, "approve")
    assert pay(second) == "SUCCEEDED"


def test_an_account_that_waits_is_not_paid_to_itself(house: House) -> None:
    created = vendor(house)
    waiting = house.post(f"/vendors/{created['_id']}/payment-instruction/add", account("254722000111")).json()
    new = next(each["_id"] for each in waiting["payment_instructions"] if each["status"] == "QUARANTINED")
    mine = bill(house, 50, vendor_id=created["_id"])
    assert code(add(house, mine, payment_instruction_id=new)) == (409, "payee_quarantined")
    decide(house, waiting, "confirm")
    assert add(house, mine, payment_instruction_id=new).status_code == 201


def test_after_a_confirmed_change_votes_are_about_the_new_account(house: House) -> None:
    row = payment_in_approval(house, 100)
    say(house, row, "approve")
    changed = house.post(f"/vendors/{row['vendor_id']}/payment-instruction", account("254722000111")).json()
    decide(house, changed, "confirm", by="Zawadi")
    assert pay(row) == "APPROVED"
    assert BillPayment.objects.get(pk=row["_id"]).hold_reason == "payee_changed"
    say(house, row, "withdraw", by="Ada")
    again = request_votes(house, row).json()
    assert (again["account"], again["status"]) == ("254722000111", "PENDING_APPROVAL")


def test_without_funds_it_waits(house: House) -> None:
    row = payment_in_approval(house, 60_000_000)
    for name in ("Apollo", "Zawadi", "Juma"):
        if say(house, row, "approve", by=name).json().get("status") == "APPROVED":
            break
    assert pay(row) == "APPROVED"
    assert BillPayment.objects.get(pk=row["_id"]).hold_reason == "insufficient_funds"
    house.post(f"/sandbox/businesses/{house.business.id}/top-up", {"amount": 20_000_000})
    assert pay(row) == "SUCCEEDED"
