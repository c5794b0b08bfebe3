"""The workflows that policies ask for: changed as another version, taken out of use, never under a vote that runs."""

from collections.abc import Callable
from typing import Any

import pytest

from service.approvals.models import Approval, Workflow
from service.events.models import AuditEvent, Event
from tests.service.approvals.conftest import no_worker, vote  # noqa: F401
from tests.service.business_policies.conftest import create_policy, workflow
from tests.service.business_policies.test_spending import spend
from tests.service.house import House, code


def patch(house: House, row: dict[str, Any], by: str = "Ada", **body: Any) -> Any:
    return house.send("PATCH", f"/business-policies/workflows/{row['_id']}", body, by=by)


def deactivate(house: House, row: dict[str, Any], by: str = "Ada") -> Any:
    return house.send("DELETE", f"/business-policies/workflows/{row['_id']}", by=by)


def step(house: House, *names: str) -> dict[str, Any]:
    return {"order": 1, "approver_ids": [house.person(name).id for name in names]}


def test_a_change_is_another_version_with_its_event(house: House) -> None:
    flow = workflow(house)
    answer = patch(house, flow, name="Two", steps=[step(house, "Juma", "Zawadi")])
    assert answer.status_code == 200, answer.json()
    now = answer.json()
    assert (now["name"], now["version"], now["action_type"]) == ("Two", 2, 11)
    event = Event.objects.get(business=house.business, kind="workflow.updated")
    assert (event.payload["object"]["version"], event.payload["previous"]["name"]) == (2, flow["name"])
    assert AuditEvent.objects.get(resource_id=flow["_id"], action="workflow.update").after["name"] == "Two"
    create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=flow["_id"])
    assert spend(house).status_code == 201
    assert Approval.objects.get(business=house.business).mandate_snapshot["version"] == 2


def test_deactivated_it_is_kept_and_asked_for_no_more(house: House) -> None:
    flow, other = workflow(house), workflow(house, name="Other")
    gone = deactivate(house, flow).json()
    assert (gone["active"], gone["version"]) == (False, 2)
    assert deactivate(house, flow).json()["version"] == 2, "again is a no-op"
    assert house.get("/business-policies/workflows").json()["total"] == 2
    create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL")
    assert spend(house).status_code == 201
    assert Approval.objects.get(business=house.business).mandate_snapshot["workflow_id"] == other["_id"]
    assert patch(house, flow, active=True).json()["active"] is True


def test_while_a_vote_runs_by_it_neither_its_steps_nor_its_use_change(house: House) -> None:
    flow = workflow(house)
    policy = create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=flow["_id"])
    assert spend(house).status_code == 201
    off = {"status": "INACTIVE"}
    assert house.send("PUT", f"/business-policies/{policy['_id']}", off).status_code == 200
    for refused in (
        patch(house, flow, steps=[step(house, "Juma")]),
        patch(house, flow, active=False),
        deactivate(house, flow),
    ):
        assert code(refused) == (409, "in_use")
    assert patch(house, flow, name="Renamed").status_code == 200
    assert vote(house, Approval.objects.get(business=house.business), "Apollo").status_code == 200
    assert patch(house, flow, steps=[step(house, "Juma")]).status_code == 200
    assert deactivate(house, flow).status_code == 200


def test_what_an_active_policy_needs_is_not_deactivated(house: House) -> None:
    named, last = workflow(house), workflow(house, name="Last")
    policy = create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=named["_id"])
    assert code(deactivate(house, named)) == (409, "in_use")
    create_policy(house, "CHANNEL", "AIRTIME", action="REQUIRE_APPROVAL")
    assert house.send("DELETE", f"/business-policies/{policy['_id']}").status_code == 200
    assert deactivate(house, named).status_code == 200
    assert code(deactivate(house, last)) == (409, "in_use"), "one that names none needs any"
    assert Workflow.objects.get(pk=last["_id"]).active


def test_no_active_policy_asks_for_an_inactive_workflow(house: House) -> None:
    flow = workflow(house)
    policy = create_policy(
        house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=flow["_id"], status="INACTIVE"
    )
    assert deactivate(house, flow).status_code == 200
    refused = house.send("PUT", f"/business-policies/{policy['_id']}", {"status": "ACTIVE"})
    assert code(refused) == (422, "validation_failed")
    assert refused.json()["errors"][0] | {"message": ""} == {"field": "workflow_id", "code": "inactive", "message": ""}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"steps": []}, "steps"),
        ({"conditions": {"vendor_ids": ["0" * 24]}}, "conditions.vendor_ids"),
        ({"priority": -1}, "priority"),
        ({"more": 1}, "more"),
    ],
)
def test_what_makes_no_sense_is_named(house: House, body: dict[str, Any], field: str) -> None:
    flow = workflow(house)
    answer = patch(house, flow, **body)
    assert code(answer) == (422, "validation_failed")
    assert field in [each["field"] for each in answer.json()["errors"]]
    assert Workflow.objects.get(pk=flow["_id"]).version == 1


@pytest.mark.parametrize("by", ["Carla", "Rita", "Apollo"])
def test_only_admins_change_workflows(house: House, by: str) -> None:
    flow = workflow(house)
    assert code(patch(house, flow, by=by, name="X")) == (403, "insufficient_role")
    assert code(deactivate(house, flow, by=by)) == (403, "insufficient_role")


def test_neither_another_businesss_nor_one_of_bills_is_there(house: House, houses: Callable[[], House]) -> None:
    of_bills = house.post("/bills/workflow", {"name": "B", "steps": [{"order": 1, "role": "APPROVER"}]}).json()
    for row in (workflow(houses()), of_bills):
        assert code(patch(house, row, name="X")) == (404, "not_found")
        assert code(deactivate(house, row)) == (404, "not_found")
