"""Workflows: which one applies, votes step by step, and what makes no sense. Here for bills; policies share them."""

from typing import Any

import pytest

from service.approvals.models import Approval, Mandate, Workflow
from service.approvals.workflows import WorkflowFacts, match, meets
from service.events.models import Event
from tests.service.approvals.conftest import vote
from tests.service.bills.conftest import payment_in_approval
from tests.service.house import House, code


def ids(house: House, *names: str) -> list[str]:
    return [house.person(name).id for name in names]


def create_workflow(house: House, *steps: dict[str, Any], **more: Any) -> Any:
    numbered = [{"order": place, **step} for place, step in enumerate(steps, start=1)]
    return house.post("/bills/workflow", {"name": "Bills", "steps": numbered, **more})


def request(house: House, by: str = "Ada", amount: float = 1160) -> Approval:
    paid = payment_in_approval(house, amount, by=by)
    return Approval.objects.get(kind="BILL_PAYMENT", ref=paid["payment_ref"], business=house.business)


def test_votes_go_step_by_step(house: House) -> None:
    assert create_workflow(house, {"approver_ids": ids(house, "Juma")}, {"role": "APPROVER"}).status_code == 201
    row = request(house)
    assert (row.approvals_required, row.mandate_snapshot["name"]) == (2, "Bills")
    assert code(vote(house, row, "Apollo")) == (409, "invalid_state"), "the second step is not at its turn"
    first = vote(house, row, "Juma").json()
    assert first["status"] == "PENDING"
    assert {(step["order"], step["status"]) for step in first["steps"]} == {(1, "APPROVE"), (2, "WAITING")}
    assert first["workflow_id"] == Workflow.objects.get(business=house.business).id
    assert house.get("/approvals/all?my_turn=true", by="Zawadi").json()["total"] == 1
    assert code(vote(house, row, "Juma")) == (409, "duplicate")
    done = vote(house, row, "Zawadi").json()
    assert (done["status"], done["approvals_given"]) == ("APPROVED", 2)


def test_two_steps_of_the_same_role_are_two_people(house: House) -> None:
    create_workflow(house, {"role": "APPROVER"}, {"role": "APPROVER"})
    row = request(house)
    vote(house, row, "Apollo")
    assert vote(house, row, "Zawadi").json()["status"] == "APPROVED"


def test_a_rejection_in_the_first_step_ends_it(house: House) -> None:
    create_workflow(house, {"approver_ids": ids(house, "Juma")}, {"role": "APPROVER", "min_approvals": 2})
    row = request(house)
    assert vote(house, row, "Juma", "reject").json()["status"] == "REJECTED"


def test_a_step_that_nobody_can_fill_refuses_the_request(house: House) -> None:
    create_workflow(house, {"approver_ids": ids(house, "Juma", "Apollo"), "min_approvals": 2})
    paid = payment_in_approval(house)
    assert paid["status"] == "PENDING_APPROVAL"
    create_workflow(house, {"approver_ids": ids(house, "Juma")}, priority=1)
    with pytest.raises(AssertionError, match="approvers_insufficient"):
        payment_in_approval(house, by="Juma", bill_no="INV-2")


PLACES = ("/bills/workflow", "/business-policies/workflows")
# Apollo, Zawadi and Juma are the approvers; each of these asks for a vote that nobody could give.
IMPOSSIBLE = {
    "by role": [{"role": "APPROVER", "min_approvals": 4}],
    "by name": [{"approver_ids": ["Juma", "Apollo"], "min_approvals": 3}],
    "twice the same name": [{"approver_ids": ["Juma", "Juma"], "min_approvals": 2}],
    "two steps of the role": [{"role": "APPROVER", "min_approvals": 2}, {"role": "APPROVER", "min_approvals": 2}],
    "the role without those named": [{"approver_ids": ["Juma"]}, {"role": "APPROVER", "min_approvals": 3}],
}


def steps_of(house: House, name: str) -> list[dict[str, Any]]:
    return [
        {
            "order": place,
            **step,
            **({"approver_ids": ids(house, *step["approver_ids"])} if "approver_ids" in step else {}),
        }
        for place, step in enumerate(IMPOSSIBLE[name], start=1)
    ]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_step_that_asks_for_more_votes_than_people_is_refused(house: House, place: str, name: str) -> None:
    answer = house.post(place, {"name": "Impossible", "steps": steps_of(house, name)})
    assert code(answer) == (409, "approvers_insufficient")
    assert not Workflow.objects.filter(business=house.business).exists()


@pytest.mark.parametrize("place", PLACES)
def test_who_is_suspended_gives_no_vote(house: House, place: str) -> None:
    body = {"name": "All three", "steps": [{"order": 1, "role": "APPROVER", "min_approvals": 3}]}
    assert house.post(place, body).status_code == 201
    Mandate.objects.filter(business=house.business).update(active=False)
    juma = house.person("Juma").id
    assert house.send("PATCH", f"/employees/{juma}/suspend-employee").status_code == 200
    assert code(house.post(place, body)) == (409, "approvers_insufficient")


def test_a_change_to_what_is_impossible_is_refused_too(house: House) -> None:
    flow = create_workflow(house, {"role": "APPROVER", "min_approvals": 3}).json()
    path = f"/bills/workflow/{flow['_id']}"
    for name in IMPOSSIBLE:
        assert code(house.send("PATCH", path, {"steps": steps_of(house, name)})) == (409, "approvers_insufficient")
    assert house.send("PATCH", path, {"active": False}).status_code == 200
    Mandate.objects.filter(business=house.business).update(active=False)
    assert house.send("PATCH", f"/employees/{house.person('Juma').id}/suspend-employee").status_code == 200
    assert code(house.send("PATCH", path, {"active": True})) == (409, "approvers_insufficient")
    assert house.send("PATCH", path, {"name": "Asleep"}).status_code == 200


def test_a_workflow_changed_later_does_not_change_a_running_vote(house: House) -> None:
    flow = create_workflow(house, {"role": "APPROVER"}).json()
    row = request(house)
    changed = house.send(
        "PATCH", f"/bills/workflow/{flow['_id']}", {"steps": [{"order": 1, "role": "APPROVER", "min_approvals": 3}]}
    )
    assert changed.json()["version"] == 2
    assert vote(house, row, "Apollo").json()["status"] == "APPROVED"
    assert house.send("DELETE", f"/bills/workflow/{flow['_id']}").status_code in (200, 204)
    kinds = list(
        Event.objects.filter(business=house.business, kind__startswith="workflow.").values_list("kind", flat=True)
    )
    assert sorted(kinds) == ["workflow.created", "workflow.deleted", "workflow.updated"]


def test_without_a_workflow_the_mandate_says_who(house: House) -> None:
    row = request(house)
    assert row.mandate_snapshot["mandate_id"] in Mandate.objects.values_list("id", flat=True)


FACTS = WorkflowFacts(5_000, "KES", frozenset({"t1"}), frozenset({"s1", "s2"}), frozenset({"v1"}))


@pytest.mark.parametrize(
    ("conditions", "met"),
    [
        ({}, True),
        ({"currency": "KES"}, True),
        ({"currency": "USD"}, False),
        ({"min_amount_minor": 5_000, "max_amount_minor": 5_000}, True),
        ({"min_amount_minor": 5_001}, False),
        ({"max_amount_minor": 4_999}, False),
        ({"min_amount_minor": 0}, True),
        ({"team_ids": ["t1"]}, True),
        ({"team_ids": ["t2"]}, False),
        ({"team_ids": []}, True),
        ({"subcategory_ids": ["s2", "s9"]}, True),
        ({"vendor_ids": ["v2"]}, False),
        ({"team_ids": ["t1"], "vendor_ids": ["v2"]}, False),
    ],
)
def test_conditions(conditions: dict[str, Any], met: bool) -> None:
    assert meets(conditions, FACTS) is met


def test_of_those_that_match_the_lowest_priority_number_goes_first(house: House) -> None:
    anybody = {"role": "APPROVER"}
    create_workflow(house, anybody, name="Usual", priority=50)
    create_workflow(house, anybody, name="Large", priority=10, conditions={"currency": "KES", "min_amount": 1000})
    create_workflow(house, anybody, name="Off", priority=1, active=False)
    found = match(house.business, 3, WorkflowFacts(100_000, "KES"))
    assert found is not None
    assert found.name == "Large"
    small = match(house.business, 3, WorkflowFacts(99_999, "KES"))
    assert small is not None
    assert small.name == "Usual"
    assert match(house.business, 11, WorkflowFacts(99_999, "KES")) is None


@pytest.mark.parametrize(
    ("steps", "more", "field"),
    [
        ([], {}, "steps"),
        ([{"role": "KING"}], {}, "steps.0.role"),
        ([{}], {}, "steps.0"),
        ([{"role": "APPROVER", "min_approvals": 0}], {}, "steps.0.min_approvals"),
        ([{"role": "APPROVER"}], {"conditions": {"min_amount": 5}}, "conditions"),
        ([{"role": "APPROVER"}], {"conditions": {"currency": "KES", "min_amount": 5.005}}, "conditions.min_amount"),
        ([{"role": "APPROVER"}], {"conditions": {"currency": "ZZZ"}}, "conditions.currency"),
        ([{"role": "APPROVER"}], {"conditions": {"team_ids": ["0" * 24]}}, "conditions.team_ids"),
        ([{"role": "APPROVER"}], {"conditions": {"vendor_ids": ["0" * 24]}}, "conditions.vendor_ids"),
        ([{"role": "APPROVER"}], {"conditions": {"currency": "KES", "min_amount": 9, "max_amount": 8}}, "conditions"),
        ([{"role": "APPROVER"}], {"priority": -1}, "priority"),
        ([{"role": "APPROVER"}], {"more": 1}, "more"),
    ],
)
def test_what_makes_no_sense_is_named(house: House, steps: list[Any], more: dict[str, Any], field: str) -> None:
    answer = create_workflow(house, *steps, **more)
    assert code(answer) == (422, "validation_failed")
    assert field in [each["field"] for each in answer.json()["errors"]]


@pytest.mark.parametrize("who", ["Ada", "Selma", "Rita", "Carla"])
def test_only_approvers_sit_in_a_step(house: House, who: str) -> None:
    answer = create_workflow(house, {"approver_ids": ids(house, who)})
    assert code(answer) == (422, "validation_failed")
    twice = create_workflow(house, {"approver_ids": ids(house, "Juma")}, {"approver_ids": ids(house, "Juma")})
    assert code(twice) == (422, "validation_failed")
