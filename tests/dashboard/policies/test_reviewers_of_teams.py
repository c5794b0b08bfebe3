"""Steps that ask the reviewers of the spender's team: chosen in the editor, read in words, tried for each team, replayed."""

from typing import Any

import pytest
import requests

from dashboard.mirror.models import Team
from dashboard.offboarding.dead_ends import with_heir
from dashboard.policies.drafts import step_body
from dashboard.policies.models import ReplayChange
from dashboard.policies.names import Names
from dashboard.policies.routing import lacking, step_seats
from dashboard.policies.workflow_text import sentences_of
from dashboard.schemas.workflows import OF_POLICIES, Step, Workflow
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import (
    channel,
    confirmed,
    create_policy,
    create_workflow,
    flow,
    page,
    workflows_at,
)
from tests.dashboard.policies.test_replay import begun, done, spend

ASKS = {"order": 1, "role": "TEAM_REVIEWER"}
TYPED: dict[str, Any] = flow({"who": "reviewers", "votes": "1"}, currency="", min_amount="", name="Team reviewers")


def at(world: World, rest: str = "") -> str:
    return world.address(f"policies/{rest}")


def seat(world: World, reviewer: str, team: str) -> None:
    """Makes somebody a reviewer of a team, by its name, at the service and in the copy."""
    row = Team.objects.get(business=world.business, name=team)
    body = {"employee_id": world.people[reviewer].employee_id, "team_id": row.remote_id, "read_only": False}
    world.send("POST", "/employees/make-employee-team-reviewer", body)
    world.sync()


def test_it_is_chosen_in_the_editor_read_in_words_and_said_for_which_team_nobody_is_there(world: World) -> None:
    seat(world, "Apollo", "Field sales")
    ada, address = world.client("Ada"), at(world, "workflows/policies/new/")
    assert "The reviewers of the spender" in page(ada.get(address))
    assert "An expense is reviewed besides, by any reviewer of the team" in page(ada.get(address))
    assert "The reviewers of the spender" not in page(ada.get(at(world, "workflows/bills/new/")))
    shown = page(ada.post(address, TYPED)).replace("&#x27;", "'")
    assert "Step 1: Any reviewer of the spender's team approves." in shown
    assert (
        "Nobody could complete it for spending of Head office: step 1 needs 1 approval, and of the team's reviewers who are "
        "active approvers nobody could give them."
    ) in shown
    assert confirmed(world, "Ada", address, TYPED).status_code == 302
    [row] = workflows_at(world)
    assert [(step["role"], step["approver_ids"]) for step in row["steps"]] == [("TEAM_REVIEWER", None)]
    edit = at(world, f"workflows/policies/{row['_id']}/edit/")
    assert 'value="reviewers" checked' in _radios(page(ada.get(edit)))
    typed = TYPED | {"name": "By team", "steps-0-votes": "1"}
    assert confirmed(world, "Ada", edit, typed).status_code == 302
    restored = ada.post(at(world, f"workflows/{row['_id']}/restore/1/"), {"step": "confirm", "key": "r1"})
    assert restored.status_code == 302
    [row] = workflows_at(world)
    assert (row["name"], row["steps"][0]["role"]) == ("Team reviewers", "TEAM_REVIEWER")


def _radios(shown: str) -> str:
    """The page with the attributes of its radio buttons in one order."""
    return shown.replace('id="id_steps-0-who_1" ', "").replace("required ", "")


def test_whose_own_items_and_who_is_away_is_said_by_team(world: World) -> None:
    seat(world, "Apollo", "Field sales")
    seat(world, "Apollo", "Head office")
    shown = page(world.client("Ada").post(at(world, "workflows/policies/new/"), TYPED))
    assert "Where Apollo" in shown
    world.people["Apollo"].is_active = False
    world.people["Apollo"].save(update_fields=["is_active"])
    away = page(world.client("Ada").post(at(world, "workflows/policies/new/"), TYPED | {"key": "w2"}))
    assert "Nobody could complete it now: step 1 needs 1 approval" in away
    assert "has no access here" in away


def test_nobody_who_could_ever_vote_is_refused_by_the_service_at_the_form(world: World) -> None:
    answer = confirmed(world, "Ada", at(world, "workflows/policies/new/"), TYPED)
    assert answer.status_code == 409
    assert workflows_at(world) == []


@pytest.mark.parametrize("spender", ["Carla", "Cyrus", "Apollo", "Zawadi"])
def test_the_replay_finds_nobody_where_the_service_did(world: World, spender: str) -> None:
    """Zawadi reviews the office, of which she is, and nobody reviews field sales: her own items and Carla's find nobody."""
    seat(world, "Zawadi", "Head office")
    made = create_workflow(world, name="Team reviewers", steps=[ASKS])
    person = next(row for row in world.upstream("/employees", limit=100)["docs"] if row["name"].startswith(spender))
    spend(world, 300, employee_id=person["_id"])
    world.sync()
    typed = channel(limit="250", period="", action="REQUIRE_APPROVAL", workflow_id=made["_id"])
    replayed = done(begun(world, at(world, "new/CHANNEL/"), typed)).result["changes"]
    create_policy(world, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=made["_id"])
    headers = {"x-api-key": world.made["api_key"]}
    body = {"amount": 300, "currency": "KES", "employee_id": person["_id"], "payment_type": "MPESA"}
    decided = requests.post(f"{world.service}/v1/expenses", json=body, headers=headers, timeout=30).status_code
    expected = {"Carla": 409, "Cyrus": 201, "Apollo": 201, "Zawadi": 409}[spender]
    assert decided == expected
    assert replayed == {ReplayChange.NOBODY if decided == 409 else ReplayChange.APPROVAL: 1}


def workflow(*steps: Step) -> Workflow:
    return Workflow(id="w", action_type=OF_POLICIES, steps=list(steps))


def test_who_is_asked_as_a_reviewer_sits_in_no_step_of_all() -> None:
    steps = [
        Step(order=1, role="TEAM_REVIEWER"), Step(order=2, approver_ids=["juma"]), Step(order=3, role="APPROVER"),
    ]  # fmt: skip
    seats = step_seats(steps, ["apollo", "juma", "zawadi"], reviewers={"apollo", "juma", "rita"})
    assert [row.employee_ids for row in seats] == [("apollo",), ("juma",), ("zawadi",)]
    own = lacking(step_seats(steps, ["apollo", "juma", "zawadi"], {"apollo"}, reviewers={"apollo"}))
    assert own is not None
    assert own.order == 1
    said = sentences_of(workflow(*steps), Names(people={"juma": "Juma"}))[1:]
    assert said == [
        "Step 1: Any reviewer of the spender's team approves, apart from those named in another step.",
        "Step 2: Juma approves.",
        "Step 3: Any approver approves, apart from those named in another step and the reviewers of the spender's team.",
    ]


def test_a_successor_takes_a_named_seat_and_the_other_steps_stay_what_they_are() -> None:
    before = workflow(
        Step(order=1, role="TEAM_REVIEWER"), Step(order=2, approver_ids=["juma"]), Step(order=3, role="APPROVER")
    )
    assert [step_body(row) for row in with_heir(before, "juma", "zawadi").steps] == [
        {"order": 1, "min_approvals": 1, "role": "TEAM_REVIEWER"},
        {"order": 2, "min_approvals": 1, "approver_ids": ["zawadi"]},
        {"order": 3, "min_approvals": 1, "role": "APPROVER"},
    ]
