"""Handing an account over: who may, what the heir inherits, and what becomes of the account that is left."""

from collections.abc import Callable
from typing import Any

import pytest

from service import grants
from service.businesses.models import Employee
from tests.service.house import House, code


def hand_over(house: House, who: str, by: str | None = "Ada", **fields: Any) -> Any:
    body = {
        "employee_id": house.person(who).id,
        "name": "Nadia Wekesa",
        "organization_email": "nadia@example.com",
        "phone_number": "254711000111",
        **fields,
    }
    return house.post("/employees/transfer-ownership", body, by=by)


def test_the_heir_inherits_team_supervisor_and_reports(house: House) -> None:
    rita, apollo, carla = (house.person(name).id for name in ("Rita", "Apollo", "Carla"))
    house.post("/employees/update-profile", {"employee_id": rita, "supervisor_id": apollo})
    house.post("/employees/update-profile", {"employee_id": carla, "supervisor_id": rita})
    answer = hand_over(house, "Rita")
    heir = answer.json()
    assert answer.status_code == 201
    assert (heir["team_code"], heir["supervisor_id"], heir["role"]) == ("FIELD", apollo, "REVIEWER")
    assert (heir["status"], heir["replaces"], heir["name"]) == ("ACTIVE", rita, "Nadia Wekesa")
    assert (heir["replaced"]["_id"], heir["replaced"]["status"]) == (rita, "SUSPENDED")
    assert house.get(f"/employees/{carla}").json()["supervisor_id"] == heir["_id"]


def test_the_account_may_be_deleted_and_its_address_taken_over(house: House) -> None:
    cyrus = house.person("Cyrus")
    answer = hand_over(house, "Cyrus", existing="DELETE", organization_email=cyrus.email)
    assert (answer.status_code, answer.json()["replaced"]["status"]) == (201, "DELETED")
    assert code(house.get(f"/employees/{cyrus.id}")) == (404, "not_found")


def test_a_suspended_account_can_still_be_handed_over(house: House) -> None:
    house.send("PATCH", f"/employees/{house.person('Cyrus').id}/suspend-employee")
    assert hand_over(house, "Cyrus").json()["replaced"]["status"] == "SUSPENDED"


@pytest.mark.parametrize(
    ("who", "by", "role", "status"),
    [
        ("Rita", "Ada", "CARD_USER", 201),
        ("Carla", "Ada", "REVIEWER", 403),
        ("Carla", "Sam", "REVIEWER", 403),
        ("Apollo", "Ada", None, 403),
        ("Apollo", "Ada", "REVIEWER", 201),
        ("Apollo", "Sam", None, 201),
        ("Apollo", "Sam", "ADMIN", 403),
        ("Abel", "Sam", "SUPER_ADMIN", 403),
        ("Selma", "Sam", "SUPER_ADMIN", 201),
    ],
)
def test_role_ceiling(house: House, who: str, by: str, role: str | None, status: int) -> None:
    before = Employee.objects.filter(business=house.business).count()
    assert hand_over(house, who, by, role=role).status_code == status
    assert Employee.objects.filter(business=house.business).count() == before + (status == 201)
    assert house.get(f"/employees/{house.person(who).id}").json()["status"] == (
        "SUSPENDED" if status == 201 else "ACTIVE"
    )


def test_not_self(house: House) -> None:
    assert code(hand_over(house, "Ada", "Ada", role="CARD_USER")) == (403, "self_approval_forbidden")


@pytest.mark.parametrize("by", ["Carla", "Rita", "Apollo"])
def test_without_the_role_it_needs_people_edit(house: House, by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert code(hand_over(house, "Cyrus", by)) == (403, "insufficient_role")
    holder = house.person(by).id

    def held(caller: Any, grant: str) -> frozenset[str]:
        return frozenset({grants.EVERYTHING}) if caller.employee_id == holder else frozenset()

    monkeypatch.setitem(grants._LOOKUPS, "PEOPLE_EDIT", held)
    assert hand_over(house, "Cyrus", by).status_code == 201
    assert code(hand_over(house, "Abel", by, organization_email="other@example.com")) == (403, "insufficient_role")
    assert code(hand_over(house, by, by)) == (403, "self_approval_forbidden")


def test_another_business_s_account_is_not_found(house: House, houses: Callable[..., House]) -> None:
    house.people["Stranger"] = houses().person("Carla")
    assert code(hand_over(house, "Stranger")) == (404, "not_found")


def test_a_taken_address_leaves_everything_as_it_was(house: House) -> None:
    answer = hand_over(house, "Cyrus", organization_email=house.person("Carla").email)
    assert code(answer) == (409, "duplicate")
    assert house.get(f"/employees/{house.person('Cyrus').id}").json()["status"] == "ACTIVE"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": ""}, "name"),
        ({"organization_email": "x"}, "organization_email"),
        ({"existing": "KEEP"}, "existing"),
        ({"role": "KING"}, "role"),
        ({"employee_id": "nobody"}, "employee_id"),
    ],
)
def test_bad_bodies_name_the_field(house: House, fields: dict[str, Any], field: str) -> None:
    answer = hand_over(house, "Cyrus", **fields)
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["field"] == field


def test_without_an_active_team_there_is_nothing_to_inherit(house: House) -> None:
    house.send("PUT", f"/teams/{house.opened.teams['FIELD'].id}", {"status": "INACTIVE"})
    answer = hand_over(house, "Carla")
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["field"] == "employee_id"
