"""Steps that ask the reviewers of the spender's team: found when votes are asked for, never the spender, nobody else."""

from typing import Any

import pytest

from service.approvals.models import Approval, Mandate
from service.businesses.models import Employee, TeamReviewer
from service.cards import authorizations
from service.cards.authorizations import Swipe
from service.cards.models import Card
from service.expenses.models import Expense
from tests.service.approvals.conftest import no_worker, vote  # noqa: F401
from tests.service.bills.conftest import add, bill, request_votes
from tests.service.business_policies.conftest import create_policy, workflow
from tests.service.business_policies.test_spending import spend
from tests.service.cards.test_swipe import swipe as used
from tests.service.house import House, code
from tests.service.payments.conftest import initiated, item

ASKS_REVIEWERS: dict[str, Any] = {"order": 1, "role": "TEAM_REVIEWER"}


def seat(house: House, reviewer: str, of: str = "Carla", *, read_only: bool = False) -> TeamReviewer:
    """Makes somebody a reviewer of somebody's team."""
    team_id = house.person(of).team_id
    assert team_id is not None
    return TeamReviewer.objects.create(team_id=team_id, employee=house.person(reviewer), read_only=read_only)


def policy_by_reviewers(house: House, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A workflow by the reviewers of teams, and M-Pesa that needs it; answers the workflow."""
    made = workflow(house, name="Team reviewers", steps=list(steps or (ASKS_REVIEWERS,)))
    create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=made["_id"], **more)
    return made


def voters_by_step(house: House, row: Approval) -> list[list[str]]:
    names = dict(Employee.objects.filter(business=house.business).values_list("id", "name"))
    return [
        sorted(names[employee_id].split()[0] for employee_id in step["employee_ids"])
        for step in row.mandate_snapshot["steps"]
    ]


def newest(house: House) -> Approval:
    return Approval.objects.filter(business=house.business).latest("id")


def test_the_reviewers_of_the_spenders_team_vote_and_nobody_else(house: House) -> None:
    seat(house, "Apollo")
    seat(house, "Juma", read_only=True)
    seat(house, "Zawadi", of="Cyrus")
    made = policy_by_reviewers(house)
    assert made["steps"] == [{"order": 1, "approver_ids": None, "role": "TEAM_REVIEWER", "min_approvals": 1}]
    assert spend(house).status_code == 201
    row = newest(house)
    # Rita reviews the team as well, and is no approver: she reviews the expense, and does not vote.
    assert voters_by_step(house, row) == [["Apollo"]]
    assert vote(house, row, "Zawadi").status_code == 403
    assert vote(house, row, "Juma").status_code == 403
    assert vote(house, row, "Apollo").json()["status"] == "APPROVED"
    assert spend(house, employee_id=house.person("Cyrus").id).status_code == 201
    assert voters_by_step(house, newest(house)) == [["Zawadi"]]


def test_whoever_reviewed_the_team_when_it_was_asked_for_votes_still(house: House) -> None:
    own = seat(house, "Apollo")
    policy_by_reviewers(house)
    assert spend(house).status_code == 201
    row = newest(house)
    own.delete()
    seat(house, "Zawadi")
    assert vote(house, row, "Zawadi").status_code == 403
    assert vote(house, row, "Apollo").json()["status"] == "APPROVED"


def test_nobody_votes_on_their_own_and_without_a_reviewer_it_is_refused(house: House) -> None:
    office = house.person("Apollo")
    seat(house, "Apollo", of="Apollo")
    policy_by_reviewers(house)
    refused = spend(house, employee_id=office.id)
    assert refused.status_code == 409
    assert spend(house).status_code == 409, "nobody reviews this team who could vote"
    assert spend(house, employee_id=None).status_code == 409, "of no team"
    assert not Expense.objects.filter(business=house.business).exists()
    assert spend(house, employee_id=house.person("Cyrus").id).status_code == 201


def test_a_card_is_declined_where_nobody_could_vote(house: House) -> None:
    used(house)
    card = Card.objects.get(business=house.business)
    made = workflow(house, name="Team reviewers", steps=[{"order": 1, "role": "APPROVER"}])
    seat(house, "Apollo", of="Cyrus")
    assert (
        house.send("PATCH", f"/business-policies/workflows/{made['_id']}", {"steps": [ASKS_REVIEWERS]}).status_code
        == 200
    )
    create_policy(house, "CHANNEL", "CARD", action="REQUIRE_APPROVAL", workflow_id=made["_id"])
    assert (
        authorizations.authorize(house.caller(), card.id, Swipe(1000, "Shell", channel="ATM")).code == "policy_blocked"
    )
    seat(house, "Apollo", of="Carla")
    assert authorizations.authorize(house.caller(), card.id, Swipe(1000, "Shell", channel="ATM")).code == ""


def test_nobody_sits_in_a_step_of_all_and_in_one_of_the_reviewers(house: House) -> None:
    seat(house, "Apollo")
    seat(house, "Juma")
    named = {"order": 2, "approver_ids": [house.person("Juma").id]}
    policy_by_reviewers(house, ASKS_REVIEWERS, named, {"order": 3, "role": "APPROVER"})
    assert spend(house).status_code == 201
    assert voters_by_step(house, newest(house)) == [["Apollo"], ["Juma"], ["Zawadi"]]


def test_a_workflow_that_no_team_could_complete_is_not_made(house: House) -> None:
    body = {"name": "Team reviewers", "steps": [{**ASKS_REVIEWERS, "min_approvals": 2}]}
    seat(house, "Apollo")
    seat(house, "Juma", read_only=True)
    assert code(house.post("/business-policies/workflows", body)) == (409, "approvers_insufficient")
    seat(house, "Zawadi")
    assert house.post("/business-policies/workflows", body).status_code == 201


def test_only_a_workflow_of_policies_asks_the_reviewers(house: House) -> None:
    seat(house, "Apollo")
    refused = house.post("/bills/workflow", {"name": "Bills", "steps": [ASKS_REVIEWERS]})
    assert code(refused) == (422, "validation_failed")
    assert refused.json()["errors"][0]["field"] == "steps.role"


@pytest.mark.parametrize("kind", ["bill", "payout"])
def test_what_is_paid_for_a_team_is_asked_of_its_reviewers_or_of_those_of_whoever_asks(house: House, kind: str) -> None:
    Mandate.objects.filter(business=house.business).update(active=False)
    seat(house, "Zawadi", of="Ada")
    seat(house, "Apollo", of="Carla")
    policy_by_reviewers(house)
    if kind == "payout":
        initiated(house, item(1500))
        assert voters_by_step(house, newest(house)) == [["Zawadi"]]
        return
    assert request_votes(house, add(house, bill(house)).json(), by="Ada").status_code == 200
    assert voters_by_step(house, newest(house)) == [["Zawadi"]]
    of_team = bill(house, bill_no="INV-2", team_id=house.person("Carla").team_id)
    assert request_votes(house, add(house, of_team).json(), by="Ada").status_code == 200
    assert voters_by_step(house, newest(house)) == [["Apollo"]]


def test_a_change_for_those_in_flight_asks_the_reviewers_of_each_team(house: House) -> None:
    seat(house, "Apollo")
    seat(house, "Zawadi", of="Cyrus")
    made = policy_by_reviewers(house, {"order": 1, "role": "APPROVER"})
    for person in ("Carla", "Cyrus"):
        assert spend(house, employee_id=house.person(person).id).status_code == 201
    changed = {"steps": [ASKS_REVIEWERS], "also_waiting": True}
    assert house.send("PATCH", f"/business-policies/workflows/{made['_id']}", changed).status_code == 200
    rows = Approval.objects.filter(business=house.business, status="PENDING")
    assert sorted(voters_by_step(house, row)[0][0] for row in rows) == ["Apollo", "Zawadi"]
