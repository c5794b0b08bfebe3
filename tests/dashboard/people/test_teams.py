"""Teams: made, changed, deleted; who reviews them, and that their rights follow at once."""

import re
from typing import Any

import pytest

from dashboard.mirror.models import Team
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import employee, shown
from tests.dashboard.policies.conftest import create_policy, create_workflow


def teams_address(world: World, rest: str = "") -> str:
    return world.address(f"people/teams/{rest}")


def add(world: World, person: str = "Ada", **form: str) -> Any:
    posted = {"name": "Night shift", "code": "", "status": "ACTIVE"} | form
    return world.client(person).post(teams_address(world, "new/"), posted)


def new_team(world: World) -> Team:
    add(world)
    return Team.objects.get(business=world.business, name="Night shift")


def seats(world: World, team: Team) -> dict[str, bool]:
    rows = world.upstream(f"/teams/{team.remote_id}")["reviewers"]
    return {row["employee_id"]: row["read_only"] for row in rows}


def test_a_new_team_is_at_the_service_and_on_the_list(world: World) -> None:
    team = new_team(world)
    assert world.upstream(f"/teams/{team.remote_id}")["name"] == "Night shift"
    page = shown(world.client("Apollo").get(teams_address(world)))
    assert "Night shift" in page
    # Within the area of people, which the sidebar says.
    assert re.search(r'aria-current="page"\s*>(<svg.*?</svg>)?People<', page, re.S)


def test_changed_it_is_what_was_typed(world: World) -> None:
    team = new_team(world)
    posted = {"name": "Night desk", "code": "NIGHT", "status": "INACTIVE"}
    assert world.client("Ada").post(teams_address(world, f"{team.remote_id}/edit/"), posted).status_code == 302
    upstream = world.upstream(f"/teams/{team.remote_id}")
    assert (upstream["name"], upstream["code"], upstream["status"]) == ("Night desk", "NIGHT", "INACTIVE")


def test_its_description_is_sent_shown_and_emptied(world: World) -> None:
    add(world, description="Guards at night\r\nand at weekends")
    team = Team.objects.get(business=world.business, name="Night shift")
    assert world.upstream(f"/teams/{team.remote_id}")["description"] == "Guards at night\nand at weekends"
    address = teams_address(world, f"{team.remote_id}/")
    for person in ("Ada", "Apollo"):
        assert "and at weekends" in shown(world.client(person).get(address))
    posted = {"name": "Night shift", "code": team.code, "status": "ACTIVE", "description": ""}
    assert world.client("Ada").post(address + "edit/", posted).status_code == 302
    assert world.upstream(f"/teams/{team.remote_id}")["description"] == ""
    assert add(world, name="Long", description="a" * 501).status_code == 422


def test_a_code_that_is_taken_is_refused_and_what_was_typed_stays(world: World) -> None:
    taken = Team.objects.filter(business=world.business).order_by("name")[0].code
    answer = add(world, code=taken, name="Another")
    assert answer.status_code == 409
    assert "is taken" in shown(answer)
    assert 'value="Another"' in shown(answer)


def test_a_reviewer_sees_the_team_from_now_on_and_no_more_once_removed(world: World) -> None:
    team, rex = new_team(world), employee(world, "Rex").remote_id
    ada, address = world.client("Ada"), teams_address(world, f"{team.remote_id}/")
    assert world.client("Rex").get(address).status_code == 404
    assert ada.post(address + "reviewers/", {"reviewer": rex, "read_only": "on"}).status_code == 302
    assert seats(world, team) == {rex: True}
    assert world.client("Rex").get(address).status_code == 200
    assert "Read-only" in shown(ada.get(address))
    assert ada.post(address + f"reviewers/{rex}/remove/").status_code == 302
    assert seats(world, team) == {}
    assert world.client("Rex").get(address).status_code == 404


def test_a_team_with_members_is_not_offered_to_be_deleted_and_refused(world: World) -> None:
    team = Team.objects.get(business=world.business, remote_id=employee(world, "Carla").team_id)
    ada, address = world.client("Ada"), teams_address(world, f"{team.remote_id}/")
    page = shown(ada.get(address))
    assert "Delete team" not in page
    assert re.search(r"\d+ members?: move them to another team", page)
    assert "Carla" in page
    assert ada.post(address + "delete/").status_code == 409
    assert world.upstream(f"/teams/{team.remote_id}")["status"] == "ACTIVE"


def test_what_hangs_on_a_team_is_said_and_keeps_it_from_being_deleted(world: World) -> None:
    team = new_team(world)
    flow = create_workflow(world, "bills", name="Night bills", conditions={"team_ids": [team.remote_id]})
    exempt = {"team_ids": [team.remote_id], "employee_ids": []}
    policy = create_policy(world, "CHANNEL", "AIRTIME", name="No airtime", exempt=exempt)
    ada, address = world.client("Ada"), teams_address(world, f"{team.remote_id}/")
    page = shown(ada.get(address))
    assert "The workflow “Night bills” applies to it" in page
    assert world.address(f"policies/workflows/{flow['_id']}/") in page
    assert "The policy “No airtime” exempts it" in page
    assert "Delete team" not in page
    answer = ada.post(address + "delete/")
    assert answer.status_code == 409
    assert "The policy “No airtime” exempts it" in shown(answer)
    assert world.upstream(f"/teams/{team.remote_id}")["status"] == "ACTIVE"
    assert "Before it can be deleted" not in shown(world.client("Apollo").get(address)), "who may not delete it anyway"
    world.send("DELETE", f"/bills/workflow/{flow['_id']}")
    world.send("DELETE", f"/business-policies/{policy['_id']}")
    world.sync()
    assert ada.post(address + "delete/")["Location"] == teams_address(world)


def test_a_team_leads_to_its_budgets(world: World) -> None:
    team = new_team(world)
    body = {"name": "Nights", "team_id": team.remote_id, "currency": "KES", "amount": 5000, "period": "MONTH"}
    world.send("POST", "/bills/budgets", body)
    link = world.address(f"budgets/?team={team.remote_id}")
    assert f'href="{link}"' in shown(world.client("Ada").get(teams_address(world, f"{team.remote_id}/")))
    assert "Nights" in shown(world.client("Ada").get(link))


def test_an_empty_team_is_deleted(world: World) -> None:
    team = new_team(world)
    answer = world.client("Ada").post(teams_address(world, f"{team.remote_id}/delete/"))
    assert answer["Location"] == teams_address(world)
    team.refresh_from_db()
    assert team.status == "DELETED"


@pytest.mark.parametrize(
    ("person", "may"), [("Ada", True), ("Sam", True), ("Apollo", False), ("Rita", False), ("Carla", False)]
)
def test_who_may_change_teams(world: World, person: str, may: bool) -> None:
    assert (add(world, person).status_code == 302) is may
    assert Team.objects.filter(business=world.business, name="Night shift").exists() is may


def test_a_reviewer_sees_their_teams_alone_and_a_card_user_none(world: World) -> None:
    assert world.client("Carla").get(teams_address(world)).status_code == 403
    team = new_team(world)
    assert "Night shift" not in shown(world.client("Rita").get(teams_address(world)))
    assert world.client("Rita").get(teams_address(world, f"{team.remote_id}/")).status_code == 404
