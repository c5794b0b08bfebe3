"""Changing a profile and a team: whose, by whom, and what stays."""

from collections.abc import Callable
from typing import Any

import pytest

from service.sandbox.simulation import spend_some
from tests.service.house import House, code


def change(house: House, who: str | None = "Carla", by: str | None = "Ada", **fields: Any) -> Any:
    body = {"employee_id": house.person(who).id, **fields} if who else fields
    return house.post("/employees/update-profile", body, by=by)


@pytest.mark.parametrize("by", ["Carla", "Rita", "Apollo", "Ada", "Sam"])
def test_everybody_changes_their_own_name_and_phone(house: House, by: str) -> None:
    answer = change(house, None, by, name="New Name", phone_number="254799999999").json()
    assert (answer["_id"], answer["name"], answer["phone"]) == (house.person(by).id, "New Name", "254799999999")
    assert answer["version"] == 2


@pytest.mark.parametrize(
    ("by", "who", "refusal"),
    [
        ("Carla", "Cyrus", (404, "not_found")),
        ("Rita", "Cyrus", (404, "not_found")),
        ("Rita", "Carla", (403, "insufficient_role")),
        ("Apollo", "Carla", (403, "insufficient_role")),
    ],
)
def test_only_an_admin_changes_others(house: House, by: str, who: str, refusal: tuple[int, str]) -> None:
    assert code(change(house, who, by, name="X")) == refusal
    assert change(house, who, "Ada", name="X").status_code == 200


def test_address_and_supervisor_are_an_admin_s_to_change(house: House) -> None:
    rita = house.person("Rita").id
    for fields in ({"organization_email": "me@example.com"}, {"supervisor_id": rita}, {"supervisor_id": None}):
        assert code(change(house, None, "Carla", **fields)) == (403, "insufficient_role")
        assert change(house, "Carla", "Ada", **fields).status_code == 200


def test_a_supervisor_is_somebody_else_of_the_business(house: House, houses: Callable[..., House]) -> None:
    for who in (house.person("Carla").id, houses().person("Rita").id):
        answer = change(house, supervisor_id=who)
        assert code(answer) == (422, "validation_failed")
        assert answer.json()["errors"][0]["field"] == "supervisor_id"
    rita = house.person("Rita").id
    assert change(house, supervisor_id=rita).json()["supervisor_id"] == rita
    assert change(house, supervisor_id=None).json()["supervisor_id"] is None


def test_what_is_as_it_was_is_no_change(house: House) -> None:
    assert change(house, name="Carla Kamau").json()["version"] == 1
    assert change(house).json()["version"] == 1


def test_a_taken_address_is_refused(house: House) -> None:
    assert code(change(house, organization_email=house.person("Cyrus").email.upper())) == (409, "duplicate")
    assert code(change(house, None, None, name="Who")) == (422, "validation_failed")


def test_a_move_takes_the_person_not_what_they_spent(house: House, houses: Callable[..., House]) -> None:
    [expense] = spend_some(house.business, [house.person("Carla")], 1, with_receipts=False)
    carla = house.person("Carla").id
    moved = house.post("/employees/move-to-team", {"employee_id": carla, "team_code": "OFFICE"}).json()
    assert (moved["team_code"], moved["version"]) == ("OFFICE", 2)
    assert code(house.get(f"/employees/{carla}", by="Rita")) == (404, "not_found")
    expense.refresh_from_db()
    assert expense.team.code == "FIELD"
    again = house.post("/employees/move-to-team", {"employee_id": carla, "team_id": moved["team_id"]}).json()
    assert again["version"] == 2


def test_a_move_needs_one_active_team_of_the_business(house: House, houses: Callable[..., House]) -> None:
    carla = house.person("Carla").id
    other = houses()
    quiet = house.post("/teams", {"name": "Quiet", "status": "INACTIVE"}).json()["_id"]
    for fields in (
        {},
        {"team_code": "NONE"},
        {"team_id": other.opened.teams["FIELD"].id},
        {"team_id": quiet},
        {"team_id": quiet, "team_code": "OFFICE"},
    ):
        assert code(house.post("/employees/move-to-team", {"employee_id": carla, **fields})) == (
            422,
            "validation_failed",
        )
    body = {"employee_id": other.person("Carla").id, "team_code": "OFFICE"}
    assert code(house.post("/employees/move-to-team", body)) == (404, "not_found")
    for by in ("Carla", "Rita", "Apollo"):
        body = {"employee_id": carla, "team_code": "OFFICE"}
        assert code(house.post("/employees/move-to-team", body, by=by)) == (403, "insufficient_role")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("role=APPROVER", {"Apollo Mutua", "Zawadi Njeri", "Juma Hassan"}),
        ("role=CARD%20USER", {"Carla Kamau", "Cyrus Kiptoo", "Chebet Langat"}),
        ("status=SUSPENDED", {"Cyrus Kiptoo"}),
    ],
)
def test_the_list_is_filtered(house: House, query: str, names: set[str]) -> None:
    house.send("PATCH", f"/employees/{house.person('Cyrus').id}/suspend-employee")
    assert {each["name"] for each in house.get(f"/employees?{query}").json()["docs"]} == names
    assert code(house.get("/employees?status=DELETED")) == (400, "invalid_parameters")
