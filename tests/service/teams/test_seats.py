"""A seat in a team gives a reviewer's rights for that team while it is held; the stored role stays what it is."""

import csv
from pathlib import Path
from typing import Any

import pytest

from service.businesses.models import Employee
from service.expenses.models import Expense
from tests.service.house import House, code
from tests.service.proof.operations import OPERATIONS, Operation

# The roles and rows of each published operation, as the specification's table has them.
TABLE = Path(__file__).resolve().parents[2] / "dashboard" / "data" / "operations.csv"


def give(house: House, who: str, team: str = "FIELD", *, read_only: bool = False) -> None:
    body = {"employee_id": house.person(who).id, "team_code": team, "read_only": read_only}
    assert house.post("/employees/make-employee-team-reviewer", body).status_code == 200


def assign_seat(house: House, who: str, team: str = "FIELD") -> None:
    path = f"/employees/remove-employee-team-reviewer?employee_id={house.person(who).id}&team_id={house.opened.teams[team].id}"
    assert house.send("DELETE", path).status_code == 200


def spend(house: House, who: str) -> str:
    body = {"count": 1, "employee_ids": [house.person(who).id]}
    created = house.post(f"/sandbox/businesses/{house.business.id}/expenses", body).json()
    found: str = created["expenses"][0]["_id"]
    return found


def role(house: House, who: str) -> str:
    return Employee.objects.get(pk=house.person(who).id).role


def team_of(house: House, who: str) -> str:
    person = house.person(who)
    assert person.team is not None
    return person.team.code


@pytest.fixture
def theirs(house: House) -> dict[str, str]:
    """An expense of somebody in FIELD, one of somebody in another team, one of Cyrus, who is no reviewer."""
    assert (team_of(house, "Carla"), team_of(house, "Cyrus")) == ("FIELD", "OFFICE")
    return {"FIELD": spend(house, "Carla"), "own": spend(house, "Cyrus"), "OFFICE": spend(house, "Chebet")}


def seen(house: House, who: str) -> set[str]:
    return {row["_id"] for row in house.get("/expenses", by=who).json()["docs"]}


def approve(house: House, who: str, expense: str) -> Any:
    return house.post(f"/expenses/approve/{expense}", by=who)


def test_a_card_user_with_a_seat_reviews_that_team_alone(house: House, theirs: dict[str, str]) -> None:
    assert seen(house, "Cyrus") == {theirs["own"]}
    assert code(approve(house, "Cyrus", theirs["FIELD"])) == (403, "insufficient_role")
    give(house, "Cyrus")
    assert role(house, "Cyrus") == "CARD_USER"
    assert seen(house, "Cyrus") == {theirs["own"], theirs["FIELD"]}
    assert approve(house, "Cyrus", theirs["FIELD"]).json()["status"] == "APPROVED"
    assert code(approve(house, "Cyrus", theirs["OFFICE"])) == (404, "not_found")
    assert code(approve(house, "Cyrus", theirs["own"])) == (403, "self_approval_forbidden")
    assert {row["code"] for row in house.get("/teams", by="Cyrus").json()["docs"]} == {"FIELD"}


def test_the_rights_end_with_the_seat(house: House, theirs: dict[str, str]) -> None:
    give(house, "Cyrus")
    assign_seat(house, "Cyrus")
    assert role(house, "Cyrus") == "CARD_USER"
    assert seen(house, "Cyrus") == {theirs["own"]}
    assert code(approve(house, "Cyrus", theirs["FIELD"])) == (403, "insufficient_role")
    assert code(house.get("/teams", by="Cyrus")) == (403, "insufficient_role")


def test_who_only_reads_decides_nothing(house: House, theirs: dict[str, str]) -> None:
    give(house, "Cyrus", read_only=True)
    assert theirs["FIELD"] in seen(house, "Cyrus")
    assert code(approve(house, "Cyrus", theirs["FIELD"]))[0] == 403
    assert Expense.objects.get(pk=theirs["FIELD"]).status == "PENDING"


def test_a_super_admin_decides_in_their_seat_only(house: House, theirs: dict[str, str]) -> None:
    assert code(approve(house, "Sam", theirs["FIELD"])) == (403, "insufficient_role")
    give(house, "Sam")
    assert seen(house, "Sam") == set(theirs.values()), "what the own role shows is not narrowed"
    assert approve(house, "Sam", theirs["FIELD"]).json()["status"] == "APPROVED"
    assert code(approve(house, "Sam", theirs["OFFICE"])) == (404, "not_found")
    assert role(house, "Sam") == "SUPER_ADMIN"


def test_what_reviewers_lost_a_seat_does_not_give(house: House, theirs: dict[str, str]) -> None:
    give(house, "Cyrus")
    roles = {row["_id"]: row for row in house.get("/permissions").json()["roles"]}
    body = {"permissions": [name for name in roles["REVIEWER"]["permissions"] if name != "EXPENSE_REVIEW"]}
    assert house.send("PUT", "/permissions/update/REVIEWER", body, by="Sam").status_code == 200
    assert code(approve(house, "Cyrus", theirs["FIELD"])) == (403, "insufficient_role")


def rows_of() -> dict[tuple[str, str], tuple[set[str], str]]:
    with TABLE.open(newline="") as file:
        return {
            (row["method"], row["path"]): (set(row["roles"].split()), row["rows"])
            for row in csv.DictReader(file)
            if row["version"] == "v2"
        }


def test_at_each_operation_a_seat_opens_what_is_scoped_to_teams_and_nothing_else(house: House) -> None:
    """Of every published operation that a reviewer has and a card user has not."""
    give(house, "Cyrus")
    table, wrong, looked = rows_of(), [], 0
    for operation in OPERATIONS:
        roles, rows = table.get((operation.method, operation.path), (set(), ""))
        if "REVIEWER" not in roles or "CARD_USER" in roles:
            continue
        looked += 1
        refused = code(call(house, operation)) == (403, "insufficient_role")
        if refused is not (rows == "all"):
            wrong.append((str(operation), rows, refused))
    assert not wrong
    assert looked > 20


def call(house: House, operation: Operation) -> Any:
    return house.send(operation.method, operation.at(), {} if operation.media_type else None, by="Cyrus")
