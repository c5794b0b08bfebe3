"""A workflow of policies that holds for what waits as well: open requests are made anew by it, once, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.approvals.models import Approval, Mandate, Workflow
from tests.service.approvals.conftest import no_worker, vote  # noqa: F401
from tests.service.business_policies.conftest import create_policy, workflow
from tests.service.business_policies.test_changing_workflows import patch, step
from tests.service.business_policies.test_pending_expenses import pending_expense
from tests.service.business_policies.test_spending import spend
from tests.service.house import House, code
from tests.service.payments.conftest import initiated, item


def asking(house: House, **more: Any) -> dict[str, Any]:
    """A policy that sends everything paid by M-Pesa for approval; by any workflow, unless one is given."""
    return create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", **more)


def rounds(expense: Any) -> list[tuple[str, str, int]]:
    rows = Approval.objects.filter(subject_id=expense.id).order_by("created_at")
    return [(row.status, row.mandate_snapshot["workflow_id"], row.mandate_snapshot["version"]) for row in rows]


def test_other_steps_hold_for_what_is_voted_on_where_that_is_asked_for(house: House) -> None:
    flow = workflow(house, steps=[{"order": 1, "role": "APPROVER", "min_approvals": 2}])
    asking(house, workflow_id=flow["_id"])
    expense = pending_expense(house)
    assert vote(house, Approval.objects.get(subject_id=expense.id), "Apollo").status_code == 200
    assert code(patch(house, flow, steps=[step(house, "Juma")])) == (409, "in_use")
    assert patch(house, flow, steps=[step(house, "Juma")], also_waiting=True).status_code == 200
    assert rounds(expense) == [("WITHDRAWN", flow["_id"], 1), ("PENDING", flow["_id"], 2)]
    # The same once more asks nobody twice, though it is a version of its own.
    assert patch(house, flow, steps=[step(house, "Juma")], also_waiting=True).status_code == 200
    assert len(rounds(expense)) == 2
    open_now = Approval.objects.get(subject_id=expense.id, status="PENDING")
    assert code(vote(house, open_now, "Apollo")) == (403, "insufficient_role")
    assert vote(house, open_now, "Juma").status_code == 200
    expense.refresh_from_db()
    assert expense.policy_flags == []


def test_a_payout_that_a_policy_sent_to_votes_keeps_the_steps_from_changing(house: House) -> None:
    """It is not made anew, and would go on by the steps as they were."""
    Mandate.objects.filter(business=house.business).update(active=False)
    flow = workflow(house)
    asking(house, workflow_id=flow["_id"])
    begun = initiated(house, item(1500))
    pending = Approval.objects.get(id=begun["approvals"][-1])
    for more in ({}, {"also_waiting": True}):
        assert code(patch(house, flow, steps=[step(house, "Juma")], **more)) == (409, "in_use")
    pending.refresh_from_db()
    assert (pending.status, pending.mandate_snapshot["version"]) == ("PENDING", 1)


def test_the_same_steps_given_again_change_nobodys_vote(house: House) -> None:
    flow = workflow(house, steps=[step(house, "Juma", "Zawadi")])
    asking(house, workflow_id=flow["_id"])
    expense = pending_expense(house)
    for more in ({}, {"also_waiting": True}):
        body = {"name": "Renamed", "steps": [step(house, "Juma", "Zawadi")], **more}
        assert patch(house, flow, **body).status_code == 200
    assert rounds(expense) == [("PENDING", flow["_id"], 1)]


def test_a_new_one_takes_what_it_matches_first_and_leaves_what_a_policy_names(house: House) -> None:
    first = workflow(house)
    asking(house)
    create_policy(house, "CHANNEL", "BANK", action="REQUIRE_APPROVAL", workflow_id=first["_id"])
    matched, named = pending_expense(house), pending_expense(house, payment_type="BANK")
    below = pending_expense(house, 20)
    conditions = {"currency": "KES", "min_amount": 50}
    workflow(house, name="New items only", priority=3, conditions=conditions)
    assert len(rounds(matched)) == 1
    taking = workflow(house, name="Large", priority=2, conditions=conditions, also_waiting=True)
    assert rounds(matched) == [("WITHDRAWN", first["_id"], 1), ("PENDING", taking["_id"], 1)]
    assert rounds(named) == rounds(below) == [("PENDING", first["_id"], 1)]


def test_taken_out_of_use_what_it_asked_for_falls_to_the_next(house: House) -> None:
    flow, other = workflow(house, priority=1), workflow(house, name="Others", priority=2)
    asking(house)
    expense = pending_expense(house)
    assert code(patch(house, flow, active=False)) == (409, "in_use")
    assert patch(house, flow, active=False, also_waiting=True).status_code == 200
    assert rounds(expense) == [("WITHDRAWN", flow["_id"], 1), ("PENDING", other["_id"], 1)]


def test_a_request_that_would_still_go_by_it_keeps_it_in_use(house: House) -> None:
    flow = workflow(house)
    workflow(house, name="Others", priority=2)
    policy = asking(house, workflow_id=flow["_id"])
    expense = pending_expense(house)
    assert house.send("PUT", f"/business-policies/{policy['_id']}", {"status": "INACTIVE"}).status_code == 200
    assert code(patch(house, flow, active=False, also_waiting=True)) == (409, "in_use")
    assert rounds(expense) == [("PENDING", flow["_id"], 1)]
    assert Workflow.objects.get(pk=flow["_id"]).active


def test_steps_that_nobody_could_complete_for_one_of_them_change_nothing(house: House) -> None:
    flow = workflow(house)
    asking(house, workflow_id=flow["_id"])
    # Whoever entered it does not vote on it.
    assert spend(house, 100, employee_id=house.person("Juma").id).status_code == 201
    answer = patch(house, flow, steps=[step(house, "Juma")], also_waiting=True)
    assert code(answer) == (409, "approvers_insufficient")
    assert Approval.objects.get(business=house.business).status == "PENDING"
    assert Workflow.objects.get(pk=flow["_id"]).version == 1


def test_more_than_can_be_made_anew_at_once_are_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.business_policies.pending_expenses.MOST_CHANGED", 1)
    flow = workflow(house)
    asking(house, workflow_id=flow["_id"])
    one, other = pending_expense(house), pending_expense(house)
    answer = patch(house, flow, steps=[step(house, "Juma")], also_waiting=True)
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["field"] == "also_waiting"
    assert rounds(one) == rounds(other) == [("PENDING", flow["_id"], 1)]


def test_neither_another_businesss_requests_nor_workflows_of_bills_know_it(
    house: House, houses: Callable[[], House]
) -> None:
    theirs = houses()
    workflow(theirs)
    asking(theirs)
    expense = pending_expense(theirs)
    workflow(house, priority=0, also_waiting=True)
    assert [status for status, _, _ in rounds(expense)] == ["PENDING"]
    of_bills = {"name": "B", "steps": [{"order": 1, "role": "APPROVER"}], "also_waiting": True}
    assert code(house.post("/bills/workflow", of_bills)) == (422, "validation_failed")
