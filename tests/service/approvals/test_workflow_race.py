"""A request that is made while its workflow changes has the new steps where the change holds for those in flight: with real commits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections, transaction

from service.approvals import workflows
from service.approvals.models import ActionType, Approval
from service.approvals.schemas_workflows import WorkflowChange
from service.bills import approvals as bill_approvals
from tests.service.approvals.test_in_flight import change
from tests.service.approvals.test_workflows import create_workflow
from tests.service.bills.conftest import add, bill, request_votes
from tests.service.business_policies.conftest import create_policy, workflow
from tests.service.business_policies.test_changing_workflows import patch, step
from tests.service.business_policies.test_pending_expenses import latest
from tests.service.business_policies.test_spending import spend
from tests.service.house import House

Work = Callable[[], Any]


def beside(held: Work, late: Work) -> Any:
    """Does `held` in a transaction that stays open for another half second after `late` was begun on another connection. What
    `late` answered."""
    inside, go, answers = threading.Event(), threading.Event(), list[Any]()

    def holding() -> None:
        try:
            with transaction.atomic():
                held()
                inside.set()
                go.wait(10)
        finally:
            connections.close_all()

    def following() -> None:
        try:
            answers.append(late())
        finally:
            connections.close_all()

    first, second = threading.Thread(target=holding), threading.Thread(target=following)
    first.start()
    assert inside.wait(10)
    second.start()
    second.join(0.5)
    go.set()
    first.join(10)
    second.join(10)
    return answers[0]


def version_of(subject_id: str) -> tuple[str, int, int]:
    """How the open request about something stands: its workflow's name, that one's version, and the votes that it needs."""
    row = Approval.objects.get(subject_id=subject_id, status="PENDING")
    return str(row.mandate_snapshot["name"]), row.mandate_snapshot["version"], row.approvals_required


def test_a_bill_that_is_requested_while_its_workflow_changes_follows_it(committed_house: House) -> None:
    house = committed_house
    made = create_workflow(house, {"role": "APPROVER"})
    paid = add(house, bill(house)).json()
    caller = house.caller("Ada")
    answer = beside(
        lambda: bill_approvals.request_approval(caller, paid["bill_id"], paid["payment_ref"]),
        lambda: change(house, made, {"role": "APPROVER", "min_approvals": 2}),
    )
    assert answer.status_code == 200
    assert version_of(paid["_id"]) == ("Bills", 2, 2)


@pytest.mark.parametrize("also_waiting", [True, False])
def test_a_bill_that_is_requested_during_a_change_has_the_steps_that_it_leaves(
    committed_house: House, *, also_waiting: bool
) -> None:
    house = committed_house
    made = create_workflow(house, {"role": "APPROVER"})
    paid = add(house, bill(house)).json()
    steps = [{"order": 1, "role": "APPROVER", "min_approvals": 2}]
    changes = WorkflowChange.model_validate({"steps": steps, "also_waiting": also_waiting})
    caller, workflow_id = house.caller("Ada"), made.json()["_id"]
    answer = beside(
        lambda: workflows.change(caller, ActionType.BILL_PAYMENT, workflow_id, changes),
        lambda: request_votes(house, paid),
    )
    assert answer.status_code == 200
    assert version_of(paid["_id"]) == ("Bills", 2, 2)


def test_two_payments_of_a_bill_one_requested_while_the_other_follows_do_not_stop_each_other(
    committed_house: House,
) -> None:
    """Following, the other payment is approved, for which its bill is locked."""
    house = committed_house
    made = create_workflow(house, {"role": "APPROVER", "min_approvals": 2})
    of_one_bill = bill(house)
    first, second = (add(house, of_one_bill, amount=amount).json() for amount in (500, 300))
    assert request_votes(house, first).status_code == 200
    open_one = Approval.objects.get(subject_id=first["_id"])
    assert house.post("/approvals/approve", {"approval_id": open_one.id}, by="Apollo").status_code == 200
    caller = house.caller("Ada")
    answer = beside(
        lambda: bill_approvals.request_approval(caller, second["bill_id"], second["payment_ref"]),
        lambda: change(house, made, {"role": "APPROVER"}),
    )
    assert answer.status_code == 200
    open_one.refresh_from_db()
    assert open_one.status == "APPROVED"
    assert version_of(second["_id"]) == ("Bills", 2, 1)


def test_an_expense_that_is_posted_while_the_workflow_of_its_policy_changes_follows_it(committed_house: House) -> None:
    house = committed_house
    flow = workflow(house)
    create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=flow["_id"])
    answer = beside(
        lambda: spend(house, 100), lambda: patch(house, flow, steps=[step(house, "Juma")], also_waiting=True)
    )
    assert answer.status_code == 200
    assert version_of(latest(house).id) == ("Anybody", 2, 1)


def test_an_expense_that_is_posted_while_a_workflow_is_made_that_takes_it_goes_by_that(committed_house: House) -> None:
    house = committed_house
    workflow(house, priority=5)
    create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL")
    assert beside(lambda: spend(house, 100), lambda: workflow(house, name="First", priority=1, also_waiting=True))
    assert version_of(latest(house).id)[0] == "First"
