"""Teams in the old interface: fields, a bare array, balances of members."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.service.house import House

TEAM = {
    "_id", "name", "status", "reviewers", "code", "createdAt", "updatedAt", "__v", "updated_by", "employee_count",
    "employees", "balance",
}  # fmt: skip
REVIEWER = {"employee_id", "name", "read_only", "_id", "added_on"}
MEMBER = {"name", "phone", "organization_email", "employee_id", "role", "team_code", "key", "balance"}


def test_the_list_is_a_bare_array_with_balances(house: House) -> None:
    for who, amount in (("Carla", 100.25), ("Rita", 50)):
        house.v1("POST", "/employees/addMoney", {"employee_id": house.person(who).id, "amount": amount})
    teams = house.v1("GET", "/teams").json()
    assert isinstance(teams, list)
    assert {each["code"] for each in teams} == {"FIELD", "OFFICE"}
    [field] = [each for each in teams if each["code"] == "FIELD"]
    assert set(field) == TEAM
    assert all(set(each) == REVIEWER for each in field["reviewers"])
    assert all(set(each) == MEMBER for each in field["employees"])
    assert (field["employee_count"], field["balance"]) == (3, 150.25)
    assert {each["name"]: each["balance"] for each in field["employees"]}["Carla Kamau"] == 100.25
    assert {each["role"] for each in field["employees"]} == {"CARD USER", "REVIEWER"}
    assert house.v1("GET", f"/teams/{field['_id']}").json() == field


def test_a_team_is_made_changed_and_deleted(house: House) -> None:
    created = house.v1("POST", "/teams", {"name": "Night", "code": "NIGHT", "status": "ACTIVE"})
    assert (created.status_code, set(created.json()), created.json()["balance"]) == (201, TEAM, 0)
    address = f"/teams/{created.json()['_id']}"
    assert house.v1("PUT", address, {"name": "Night shift"}).json()["name"] == "Night shift"
    rita = house.person("Rita").id
    changed = house.v1("PUT", address, {"reviewers": [{"employee_id": rita, "read_only": True}]}).json()
    assert [(each["name"], each["read_only"]) for each in changed["reviewers"]] == [("Rita Wanjiru", True)]
    assert house.v1("DELETE", address).json()["status"] == "DELETED"
    assert house.v1("GET", address).status_code == 404


def test_a_team_with_members_is_not_deleted(house: House) -> None:
    answer = house.v1("DELETE", f"/teams/{house.opened.teams['FIELD'].id}")
    assert (answer.status_code, answer.json()["status"]) == (409, 409)


@pytest.mark.parametrize(("method", "body"), [("GET", None), ("PUT", {"name": "X"}), ("DELETE", None)])
def test_another_business_s_team_is_not_found(
    house: House, houses: Callable[..., House], method: str, body: dict[str, Any] | None
) -> None:
    answer = house.v1(method, f"/teams/{houses().opened.teams['FIELD'].id}", body)
    assert answer.json() == {"errorMessage": "There is no such team.", "status": 404}


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": "X", "status": "GONE"}, {"name": "X", "colour": 1}, []])
def test_bad_bodies_are_400(house: House, body: Any) -> None:
    assert house.v1("POST", "/teams", body).status_code == 400


def test_a_taken_code_is_409(house: House) -> None:
    assert house.v1("POST", "/teams", {"name": "X", "code": "FIELD"}).status_code == 409


def test_the_list_takes_as_many_statements_whatever_its_length(
    house: House, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for place in range(5):
        house.v1("POST", "/teams", {"name": f"Team {place}"})
    with django_assert_max_num_queries(4):
        house.v1("GET", "/teams")
