"""A team is not deleted while an active workflow or a policy names it, also not in the middle of a change of one; and what is
out of use does not come back for a team that is gone."""

from __future__ import annotations

from typing import Any

import pytest

from service.approvals import workflows
from service.approvals.models import ActionType
from service.approvals.schemas_workflows import NewWorkflow
from service.businesses.models import Team
from service.teams import services
from tests.service.approvals.test_workflow_race import beside
from tests.service.approvals.test_workflows import create_workflow
from tests.service.business_policies.conftest import create_policy, group
from tests.service.house import House, code


@pytest.fixture
def committed_house(committed: None) -> House:
    """A business that is really there, for threads."""
    return House()


def new_team(house: House, name: str = "Harbour") -> str:
    made: str = house.post("/teams", {"name": name, "code": name.upper()}).json()["_id"]
    return made


def delete(house: House, team_id: str) -> Any:
    return house.send("DELETE", f"/teams/{team_id}")


def flow(house: House, team_id: str, **more: Any) -> str:
    answer = create_workflow(house, {"role": "APPROVER"}, conditions={"team_ids": [team_id]}, **more)
    assert answer.status_code == 201, answer.json()
    made: str = answer.json()["_id"]
    return made


def test_all_that_names_a_team_is_said_and_once_nothing_does_it_is_deleted(house: House) -> None:
    team_id = new_team(house)
    house.post("/employees/move-to-team", {"employee_id": house.person("Carla").id, "team_code": "HARBOUR"})
    workflow_id = flow(house, team_id, name="Harbour bills")
    policy = create_policy(house, "CHANNEL", "MPESA", action="BLOCK", name="No cash", exempt={"team_ids": [team_id]})
    refused = delete(house, team_id)
    assert code(refused) == (409, "in_use")
    for part in ("1 member:", "Harbour bills", "No cash"):
        assert part in refused.json()["detail"]
    house.post("/employees/move-to-team", {"employee_id": house.person("Carla").id, "team_code": "OFFICE"})
    assert house.send("PATCH", f"/bills/workflow/{workflow_id}", {"active": False}).status_code == 200
    assert "No cash" in delete(house, team_id).json()["detail"]
    exempts = {"exempt": {"team_ids": [], "employee_ids": []}}
    assert house.send("PUT", f"/business-policies/{policy['_id']}", exempts).status_code == 200
    assert delete(house, team_id).json()["status"] == "DELETED"


def test_what_is_out_of_use_does_not_come_back_for_a_team_that_is_gone(house: House) -> None:
    team_id = new_team(house)
    workflow_id = flow(house, team_id)
    policy = create_policy(house, "CHANNEL", "MPESA", action="BLOCK", exempt={"team_ids": [team_id]})
    house.send("PATCH", f"/bills/workflow/{workflow_id}", {"active": False})
    house.send("DELETE", f"/business-policies/{policy['_id']}")
    assert delete(house, team_id).status_code == 200
    for method, path, body, field in (
        ("PATCH", f"/bills/workflow/{workflow_id}", {"active": True}, "conditions.team_ids"),
        ("PUT", f"/business-policies/{policy['_id']}", {"status": "ACTIVE"}, "exempt.team_ids"),
    ):
        answer = house.send(method, path, body)
        assert code(answer) == (422, "validation_failed"), answer.json()
        assert answer.json()["errors"][0]["field"] == field
    with_team = {"conditions": {"team_ids": []}, "active": True}
    assert house.send("PATCH", f"/bills/workflow/{workflow_id}", with_team).status_code == 200
    again = create_workflow(house, {"role": "APPROVER"}, conditions={"team_ids": [team_id]})
    assert code(again) == (422, "validation_failed")


def test_a_workflow_that_is_being_made_for_it_keeps_a_team(committed_house: House) -> None:
    house = committed_house
    team_id, caller = new_team(house), house.caller("Ada")
    new = NewWorkflow.model_validate(
        {"name": "Harbour", "conditions": {"team_ids": [team_id]}, "steps": [{"order": 1, "role": "APPROVER"}]}
    )
    answer = beside(lambda: workflows.create(caller, ActionType.BILL_PAYMENT, new), lambda: delete(house, team_id))
    assert code(answer) == (409, "in_use")
    assert Team.objects.get(pk=team_id).status == "ACTIVE"


@pytest.mark.parametrize("what", ["workflow", "policy"])
def test_nothing_is_made_for_a_team_that_is_being_deleted(committed_house: House, what: str) -> None:
    house = committed_house
    team_id, caller = new_team(house), house.caller("Ada")
    conditions = {"team_ids": [team_id]}
    body = {"type": "CHANNEL", "target": "MPESA", "action": "BLOCK", "exempt": conditions}
    path = f"/business-policies/create/{group(house, 'CHANNEL')}"
    late = {
        "workflow": lambda: create_workflow(house, {"role": "APPROVER"}, conditions=conditions),
        "policy": lambda: house.post(path, body),
    }[what]
    answer = beside(lambda: services.delete(caller, team_id), late)
    assert code(answer) == (422, "validation_failed"), answer.json()
