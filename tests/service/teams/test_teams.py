"""Changing and deleting teams, and who reviews them."""

from collections.abc import Callable
from typing import Any

import pytest

from service.events.models import Event
from tests.service.house import House, code


def field(house: House) -> str:
    return house.opened.teams["FIELD"].id


def put(house: House, team_id: str, body: dict[str, Any], **options: Any) -> Any:
    return house.send("PUT", f"/teams/{team_id}", body, **options)


def kinds(house: House) -> list[str]:
    return list(
        Event.objects.filter(business=house.business).order_by("created_at", "id").values_list("kind", flat=True)
    )


def seats(body: dict[str, Any]) -> dict[str, bool]:
    return {each["name"].split()[0]: each["read_only"] for each in body["reviewers"]}


def test_a_team_is_changed_where_something_is_said(house: House) -> None:
    body = put(house, field(house), {"name": "Sales", "status": "INACTIVE"}).json()
    assert (body["name"], body["code"], body["status"], body["version"]) == ("Sales", "FIELD", "INACTIVE", 2)
    assert (body["updated_by"], body["employee_count"]) == (house.person("Ada").id, 3)
    assert put(house, field(house), {"name": "Sales"}).json()["version"] == 2
    assert kinds(house) == ["team.updated"]


def test_reviewers_are_replaced_as_a_set(house: House) -> None:
    expected = [("Rex", False), ("Cyrus", True)]
    body = {"reviewers": [{"employee_id": house.person(who).id, "read_only": only} for who, only in expected]}
    changed = put(house, field(house), body).json()
    assert seats(changed) == {"Rex": False, "Cyrus": True}
    assert set(changed["manager_ids"]) == {house.person("Rex").id, house.person("Cyrus").id}
    assert sorted(kinds(house)) == ["team.reviewer_added", "team.reviewer_removed", "team.updated"]
    # A seat is no role.
    assert house.get(f"/employees/{house.person('Cyrus').id}").json()["role"] == "CARD_USER"
    assert code(house.get("/teams", by="Rita")) == (200, "")
    assert house.get("/teams", by="Rita").json()["total"] == 0


def test_a_reviewer_is_added_and_removed(house: House) -> None:
    apollo = house.person("Apollo").id
    body = {"employee_id": apollo, "team_code": "FIELD", "read_only": True}
    assert seats(house.post("/employees/make-employee-team-reviewer", body).json())["Apollo"] is True
    assert house.post("/employees/make-employee-team-reviewer", body).status_code == 200
    assert kinds(house) == ["team.reviewer_added"]
    assert house.get(f"/employees/{apollo}").json()["role"] == "APPROVER"
    address = f"/employees/remove-employee-team-reviewer?employee_id={apollo}&team_id={field(house)}"
    assert "Apollo" not in seats(house.send("DELETE", address).json())
    assert code(house.send("DELETE", address)) == (404, "not_found")
    assert code(house.send("DELETE", "/employees/remove-employee-team-reviewer")) == (400, "invalid_parameters")


def test_reviewers_are_active_people_of_the_business(house: House, houses: Callable[..., House]) -> None:
    other = houses()
    house.send("PATCH", f"/employees/{house.person('Cyrus').id}/suspend-employee")
    for who in (other.person("Rita").id, house.person("Cyrus").id, "0" * 24):
        answer = put(house, field(house), {"reviewers": [{"employee_id": who}]})
        assert code(answer) == (422, "validation_failed")
        assert answer.json()["errors"][0]["field"] == "reviewers.0.employee_id"
        body = {"employee_id": who, "team_code": "FIELD"}
        assert code(house.post("/employees/make-employee-team-reviewer", body)) == (422, "validation_failed")
    assert seats(house.get(f"/teams/{field(house)}").json()) == {"Rita": False, "Rex": True}


def test_a_team_with_members_is_in_use(house: House) -> None:
    refused = house.send("DELETE", f"/teams/{field(house)}")
    assert code(refused) == (409, "in_use")
    assert "3 members" in refused.json()["detail"]
    for who in ("Carla", "Rita", "Rex"):
        house.post("/employees/move-to-team", {"employee_id": house.person(who).id, "team_code": "OFFICE"})
    deleted = house.send("DELETE", f"/teams/{field(house)}").json()
    assert (deleted["status"], deleted["reviewers"]) == ("DELETED", [])
    assert code(house.get(f"/teams/{field(house)}")) == (404, "not_found")
    assert code(house.send("DELETE", f"/teams/{field(house)}")) == (404, "not_found")
    assert house.post("/teams", {"name": "Field again", "code": "FIELD"}).status_code == 201


def test_a_code_belongs_to_one_team(house: House) -> None:
    assert code(put(house, field(house), {"code": "OFFICE"})) == (409, "duplicate")


@pytest.mark.parametrize("by", ["Carla", "Rita", "Apollo"])
def test_only_admins_change_teams(house: House, by: str) -> None:
    refused = (403, "insufficient_role")
    assert code(put(house, field(house), {"name": "X"}, by=by)) == refused
    assert code(house.send("DELETE", f"/teams/{field(house)}", by=by)) == refused
    body = {"employee_id": house.person("Carla").id, "team_code": "FIELD"}
    assert code(house.post("/employees/make-employee-team-reviewer", body, by=by)) == refused
    address = f"/employees/remove-employee-team-reviewer?employee_id={house.person('Rex').id}&team_id={field(house)}"
    assert code(house.send("DELETE", address, by=by)) == refused


def test_another_business_s_team_is_not_found(house: House, houses: Callable[..., House]) -> None:
    theirs = field(houses())
    assert code(put(house, theirs, {"name": "X"})) == (404, "not_found")
    assert code(house.send("DELETE", f"/teams/{theirs}")) == (404, "not_found")
    address = f"/employees/remove-employee-team-reviewer?employee_id={house.person('Rex').id}&team_id={theirs}"
    assert code(house.send("DELETE", address)) == (404, "not_found")


@pytest.mark.parametrize(
    ("body", "name"), [({"name": ""}, "name"), ({"status": "DELETED"}, "status"), ({"colour": 1}, "colour")]
)
def test_bad_bodies_name_the_field(house: House, body: dict[str, Any], name: str) -> None:
    answer = put(house, field(house), body)
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["field"] == name
