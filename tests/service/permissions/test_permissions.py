"""Permissions of roles and of people: who changes them, about whom, and what that takes away."""

from collections.abc import Callable

import pytest

from service import grants
from service.events.models import AuditEvent, Event
from service.permissions.catalogue import NAMES
from tests.service.house import House, code


def of(house: House, who: str, by: str = "Apollo") -> dict[str, object]:
    answer = house.post(f"/permissions/employees/{house.person(who).id}", by=by)
    assert answer.status_code == 200, answer.content
    found: dict[str, object] = answer.json()
    return found


def change(house: House, who: str, by: str = "Sam", **expected: object) -> object:
    return house.send("PATCH", f"/permissions/employees/{house.person(who).id}", expected, by=by)


def test_the_list_has_every_name_and_every_role(house: House) -> None:
    seen = house.get("/permissions", by="Apollo").json()
    assert [row["name"] for row in seen["docs"]] == list(NAMES)
    assert [role["_id"] for role in seen["roles"]] == ["CARD_USER", "REVIEWER", "APPROVER", "ADMIN", "SUPER_ADMIN"]
    assert not any(role["custom"] for role in seen["roles"])
    for name in ("Carla", "Rita"):
        assert code(house.get("/permissions", by=name)) == (403, "insufficient_role")
        assert code(house.post(f"/permissions/employees/{house.person('Carla').id}", by=name))[0] == 403


def test_no_admin_of_either_kind_approves(house: House) -> None:
    roles = {role["role"]: role["permissions"] for role in house.get("/permissions").json()["roles"]}
    for role in ("ADMIN", "SUPER_ADMIN"):
        assert not [name for name in roles[role] if name.endswith("_APPROVE")]
    assert {"BILL_APPROVE", "PAYOUT_APPROVE"} <= set(roles["APPROVER"])
    answer = house.send("PUT", "/permissions/update/ADMIN", {"permissions": ["PAYOUT_APPROVE"]}, by="Sam")
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["code"] == "not_for_role"
    for who in ("Ada", "Selma", "Rita"):
        assert code(change(house, who, add=["BILL_APPROVE"])) == (422, "validation_failed")


def test_an_employee_is_given_what_their_role_lacks(house: House) -> None:
    caller = house.caller("Rita")
    assert grants.held(caller, "PEOPLE_EDIT") == frozenset()
    answer = change(house, "Rita", add=["PEOPLE_EDIT"])
    assert "PEOPLE_EDIT" in answer.json()["permissions"]  # type: ignore[attr-defined]
    assert grants.held(caller, "PEOPLE_EDIT") == {"*"}
    people = next(group for group in of(house, "Rita")["groups"] if group["group"] == "People")  # type: ignore[attr-defined]
    sources = {each["name"]: each["source"] for each in people["permissions"]}
    assert (sources["PEOPLE_EDIT"], sources["PEOPLE_VIEW"], sources["TEAM_EDIT"]) == ("GRANT", "ROLE", None)
    event = Event.objects.get(business=house.business, kind="employee.updated").payload
    assert "PEOPLE_EDIT" in event["object"]["permissions"]
    assert "PEOPLE_EDIT" not in event["previous"]["permissions"]
    assert AuditEvent.objects.filter(business=house.business, action="employee.update_permissions").count() == 1
    change(house, "Rita", add=["PEOPLE_EDIT"])
    assert AuditEvent.objects.filter(business=house.business, action="employee.update_permissions").count() == 1
    change(house, "Rita", remove=["PEOPLE_EDIT"])
    assert grants.held(caller, "PEOPLE_EDIT") == frozenset()


def test_what_is_taken_away_is_refused(house: House) -> None:
    assert house.post("/categories", {"name": "Wheels"}).status_code == 201
    change(house, "Ada", remove=["CATEGORY_EDIT"])
    assert code(house.post("/categories", {"name": "Doors"})) == (403, "insufficient_role")
    assert house.post("/categories", {"name": "Doors"}, by="Abel").status_code == 201
    assert house.get("/categories").status_code == 200
    change(house, "Ada", add=["CATEGORY_EDIT"])
    assert house.post("/categories", {"name": "Seats"}).status_code == 201


def test_a_role_is_changed_for_the_whole_business(house: House, houses: Callable[..., House]) -> None:
    other = houses()
    stored = [name for name in of(house, "Ada")["permissions"] if name != "CATEGORY_EDIT"]  # type: ignore[attr-defined]
    path = "/permissions/update/ADMIN"
    answer = house.send("PUT", path, {"permissions": stored}, by="Sam").json()
    assert (answer["custom"], answer["version"]) == (True, 2)
    assert house.send("PUT", path, {"permissions": stored}, by="Sam").json()["version"] == 2, "the same again"
    assert Event.objects.filter(business=house.business, kind="role.updated").count() == 1
    for by, status in (("Ada", 403), ("Abel", 403), ("Sam", 201)):
        assert house.post("/categories", {"name": f"By {by}"}, by=by).status_code == status
    assert other.post("/categories", {"name": "Elsewhere"}).status_code == 201
    change(house, "Ada", add=["CATEGORY_EDIT"])
    assert house.post("/categories", {"name": "By Ada again"}).status_code == 201
    spaced = house.send("PUT", "/permissions/update/CARD%20USER", {"permissions": []}, by="Sam").json()
    assert (spaced["_id"], spaced["permissions"]) == ("CARD_USER", [])


def test_a_roles_permissions_are_told(house: House) -> None:
    house.send("PUT", "/permissions/update/REVIEWER", {"permissions": ["CATEGORY_EDIT"]}, by="Sam")
    event = Event.objects.get(business=house.business, kind="role.updated").payload
    assert (event["object"]["role"], event["object"]["permissions"]) == ("REVIEWER", ["CATEGORY_EDIT"])
    assert "EXPENSE_REVIEW" in event["previous"]["permissions"]


def test_not_self(house: House) -> None:
    assert code(change(house, "Sam", add=["TAX_EDIT"])) == (403, "self_approval_forbidden")
    answer = house.send("PUT", "/permissions/update/SUPER_ADMIN", {"permissions": []}, by="Sam")
    assert code(answer) == (403, "self_approval_forbidden")
    role = house.send("PATCH", f"/permissions/employees/{house.person('Sam').id}/role", {"role": "ADMIN"}, by="Sam")
    assert code(role) == (403, "self_approval_forbidden")


@pytest.mark.parametrize("by", ["Carla", "Rita", "Apollo", "Ada"])
def test_only_a_super_admin_changes_rights(house: House, by: str) -> None:
    assert code(change(house, "Cyrus", by=by, add=["PEOPLE_EDIT"])) == (403, "insufficient_role")
    for method, path, sent in (
        ("PUT", "/permissions/update/REVIEWER", {"permissions": []}),
        ("PATCH", f"/permissions/employees/{house.person('Cyrus').id}/role", {"role": "REVIEWER"}),
    ):
        assert code(house.send(method, path, sent, by=by)) == (403, "insufficient_role")


def test_bad_bodies_and_unknown_ids(house: House, houses: Callable[..., House]) -> None:
    assert code(change(house, "Rita", add=["FLY"])) == (422, "validation_failed")
    assert code(change(house, "Rita", add=["TAX_EDIT"], remove=["TAX_EDIT"])) == (422, "validation_failed")
    assert code(change(house, "Rita", more=1)) == (422, "validation_failed")
    assert code(house.send("PUT", "/permissions/update/KING", {"permissions": []}, by="Sam")) == (404, "not_found")
    stranger = houses().person("Carla").id
    for method, path, sent in (
        ("PATCH", f"/permissions/employees/{stranger}", {"add": ["TAX_EDIT"]}),
        ("POST", f"/permissions/employees/{stranger}", None),
        ("PATCH", f"/permissions/employees/{stranger}/role", {"role": "REVIEWER"}),
    ):
        assert code(house.send(method, path, sent, by="Sam")) == (404, "not_found")
    assert code(houses(entitled=False).get("/permissions")) == (403, "entitlement_required")
