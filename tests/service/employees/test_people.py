"""Employees and teams: who sees whom, who adds whom."""

from collections.abc import Callable
from typing import Any

import pytest

from service.businesses.models import Employee
from tests.service.house import House, code


def new(**fields: Any) -> dict[str, Any]:
    return {
        "name": "Nadia Wekesa",
        "organization_email": "nadia@example.com",
        "phone_number": "254711000111",
        "role": "CARD_USER",
        "team_code": "FIELD",
        **fields,
    }


@pytest.mark.parametrize(
    ("who", "count"), [("Rita", 3), ("Rex", 3), ("Apollo", 12), ("Ada", 12), ("Sam", 12), (None, 12)]
)
def test_a_reviewer_sees_their_team_the_office_everybody(house: House, who: str | None, count: int) -> None:
    assert house.get("/employees", by=who).json()["total"] == count


def test_a_card_user_lists_nobody_and_reads_themselves(house: House, houses: Callable[..., House]) -> None:
    carla, cyrus = house.person("Carla").id, house.person("Cyrus").id
    assert code(house.get("/employees", by="Carla")) == (403, "insufficient_role")
    assert house.get(f"/employees/{carla}", by="Carla").json()["organization_email"] == "carla.kamau@example.com"
    assert code(house.get(f"/employees/{cyrus}", by="Carla")) == (404, "not_found")
    assert code(house.get(f"/employees/{cyrus}", by="Rita")) == (404, "not_found")
    assert code(houses().get(f"/employees/{carla}")) == (404, "not_found")


def test_an_employee_is_added(house: House) -> None:
    body = house.post("/employees", new(role="CARD USER"), by="Ada").json()
    assert (body["role"], body["team"]["code"], body["status"]) == ("CARD_USER", "FIELD", "ACTIVE")
    assert house.get(f"/employees/{body['_id']}").json() == body


@pytest.mark.parametrize(
    ("who", "role", "status"),
    [("Ada", "REVIEWER", 201), ("Ada", "APPROVER", 403), ("Ada", "SUPER_ADMIN", 403), ("Sam", "APPROVER", 201),
     ("Apollo", "CARD_USER", 403), ("Rita", "CARD_USER", 403), ("Carla", "CARD_USER", 403)],
)  # fmt: skip
def test_who_gives_which_role(house: House, who: str, role: str, status: int) -> None:
    assert house.post("/employees", new(role=role), by=who).status_code == status


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"organization_email": "nobody"}, "organization_email"),
        ({"organization_email": "a@b@c.de"}, "organization_email"),
        ({"phone_number": "call me"}, "phone_number"),
        ({"role": "KING"}, "role"),
        ({"team_code": "NOWHERE"}, "team_code"),
        ({"name": "\u0007"}, "name"),
        ({"salary": 1}, "salary"),
    ],
)
def test_bad_bodies_name_the_field(house: House, fields: dict[str, Any], field: str) -> None:
    before = Employee.objects.filter(business=house.business).count()
    answer = house.post("/employees", new(**fields), by="Sam")
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["field"] == field
    assert Employee.objects.filter(business=house.business).count() == before


def test_an_address_belongs_to_one_person_of_a_business(house: House, houses: Callable[..., House]) -> None:
    house.post("/employees", new())
    assert code(house.post("/employees", new(organization_email="NADIA@example.com"))) == (409, "duplicate")
    assert houses().post("/employees", new()).status_code == 201


def test_teams_are_seen_and_made(house: House, houses: Callable[..., House]) -> None:
    assert [team["code"] for team in house.get("/teams", by="Rita").json()["docs"]] == ["FIELD"]
    [field] = [team for team in house.get("/teams").json()["docs"] if team["code"] == "FIELD"]
    assert {reviewer["name"]: reviewer["read_only"] for reviewer in field["reviewers"]} == {
        "Rita Wanjiru": False,
        "Rex Otieno": True,
    }
    assert field["employee_count"] == 3
    created = house.post("/teams", {"name": "Night shift"}, by="Ada").json()
    assert created["code"] == "NIGHT_SHIFT"
    assert code(house.post("/teams", {"name": "Night shift"}, by="Ada")) == (409, "duplicate")
    assert code(house.post("/teams", {"name": "Day shift"}, by="Apollo")) == (403, "insufficient_role")
    assert code(house.get(f"/teams/{created['_id']}", by="Rita")) == (404, "not_found")
    assert code(houses().get(f"/teams/{created['_id']}")) == (404, "not_found")


def test_categories_are_seen_by_all_and_made_by_admins(house: House, houses: Callable[..., House]) -> None:
    [travel] = [each for each in house.get("/categories", by="Carla").json()["docs"] if each["code"] == "TRAVEL"]
    assert {child["name"] for child in travel["subcategories"]} == {"Fuel", "Taxi", "Flights", "Hotel"}
    children = house.get(f"/categories/{travel['_id']}/subcategories", by="Carla").json()
    assert children["total"] == 4
    created = house.post(f"/categories/{travel['_id']}/subcategories", {"name": "Parking"}, by="Sam").json()
    assert created["category"] == {"_id": travel["_id"], "name": "Travel"}
    assert house.get(f"/categories/{travel['_id']}/subcategories/{created['_id']}").json() == created
    assert code(house.post(f"/categories/{travel['_id']}/subcategories", {"name": "Parking"})) == (409, "duplicate")
    other = houses()
    assert code(other.get(f"/categories/{travel['_id']}")) == (404, "not_found")
    assert code(other.get(f"/categories/{travel['_id']}/subcategories")) == (404, "not_found")
    assert code(other.post(f"/categories/{travel['_id']}/subcategories", {"name": "X"})) == (404, "not_found")
    assert code(house.get(f"/categories/{travel['_id']}/subcategories/{'0' * 24}")) == (404, "not_found")
