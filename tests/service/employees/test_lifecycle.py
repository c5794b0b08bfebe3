"""Suspending, activating and deleting an account: what follows, and what stands in the way."""

from collections.abc import Callable
from typing import Any

import pytest

from service.businesses.models import TeamReviewer
from service.cards.authorizations import Swipe
from service.events.models import Event
from service.sandbox.simulation import swipe
from tests.service.house import House, code

ADMINS = ["Ada", "Sam", None]
OTHERS = ["Carla", "Rita", "Apollo"]


def suspend(house: House, who: str, **options: Any) -> Any:
    return house.send("PATCH", f"/employees/{house.person(who).id}/suspend-employee", **options)


def activate(house: House, who: str, **options: Any) -> Any:
    return house.send("PATCH", "/employees/activate-employee", {"employee_id": house.person(who).id}, **options)


def delete(house: House, who: str, **options: Any) -> Any:
    return house.send("DELETE", f"/employees/{house.person(who).id}", **options)


def kinds(house: House) -> list[str]:
    return list(
        Event.objects.filter(business=house.business).order_by("created_at", "id").values_list("kind", flat=True)
    )


@pytest.mark.parametrize("by", ADMINS)
def test_an_account_is_suspended_and_activated_again(house: House, by: str | None) -> None:
    answer = suspend(house, "Carla", by=by)
    assert (answer.status_code, answer.json()["status"]) == (200, "SUSPENDED")
    assert activate(house, "Carla", by=by).json()["status"] == "ACTIVE"
    assert kinds(house) == ["employee.suspended", "employee.activated"]


def test_to_be_there_already_is_no_mistake(house: House) -> None:
    assert activate(house, "Carla").status_code == 200
    suspend(house, "Carla")
    version = house.get(f"/employees/{house.person('Carla').id}").json()["version"]
    assert suspend(house, "Carla").json()["version"] == version
    assert kinds(house) == ["employee.suspended"]


def test_who_is_activated_may_stand_in_the_query(house: House) -> None:
    suspend(house, "Carla")
    carla = house.person("Carla").id
    answer = house.send("PATCH", f"/employees/activate-employee?employee_id={carla}")
    assert answer.json()["status"] == "ACTIVE"
    assert code(house.send("PATCH", "/employees/activate-employee")) == (422, "validation_failed")
    assert code(house.send("PATCH", "/employees/activate-employee?employee_id=nobody")) == (400, "invalid_parameters")


@pytest.mark.parametrize("by", OTHERS)
def test_only_admins_suspend_activate_and_delete(house: House, by: str) -> None:
    for change in (suspend, activate, delete):
        assert code(change(house, "Cyrus", by=by)) == (403, "insufficient_role")


def test_not_self(house: House) -> None:
    for change in (suspend, delete):
        assert code(change(house, "Ada", by="Ada")) == (403, "self_approval_forbidden")
    assert house.get(f"/employees/{house.person('Ada').id}").json()["status"] == "ACTIVE"


def test_another_business_s_people_are_not_found(house: House, houses: Callable[..., House]) -> None:
    other = houses()
    house.people["Stranger"] = other.person("Carla")
    for change in (suspend, activate, delete):
        assert code(change(house, "Stranger")) == (404, "not_found")


def test_a_suspended_employee_neither_acts_nor_spends(house: House) -> None:
    swiped = swipe(house.business, None, house.person("Carla"), "1", Swipe(500_00, "Java"), settle_now=True)
    suspend(house, "Carla")
    assert code(house.get("/expenses", by="Carla")) == (403, "insufficient_role")
    refused = swipe(house.business, swiped.card_id, None, "1", Swipe(500_00, "Java"), settle_now=True)
    assert (refused.status, refused.code) == ("DECLINED", "employee_suspended")
    activate(house, "Carla")
    assert house.get("/expenses", by="Carla").status_code == 200


def test_a_deleted_employee_is_found_nowhere_and_leaves_the_address_to_others(house: House) -> None:
    cyrus = house.person("Cyrus")
    assert delete(house, "Cyrus").json()["status"] == "DELETED"
    assert code(house.get(f"/employees/{cyrus.id}")) == (404, "not_found")
    assert code(delete(house, "Cyrus")) == (404, "not_found")
    assert cyrus.id not in str(house.get("/employees").json()) + str(house.get("/teams").json())
    assert code(house.get("/expenses", by="Cyrus")) == (403, "insufficient_role")
    fields = {"name": "New", "phone_number": "254711000111", "role": "CARD_USER", "team_code": "FIELD"}
    assert house.post("/employees", {**fields, "organization_email": cyrus.email}).status_code == 201


def test_a_deleted_reviewer_leaves_the_seat(house: House) -> None:
    delete(house, "Rita")
    assert not TeamReviewer.objects.filter(employee=house.person("Rita")).exists()
    assert "team.reviewer_removed" in kinds(house)


def test_whom_a_deleted_one_supervised_goes_to_their_supervisor(house: House) -> None:
    for who, above in (("Carla", "Rita"), ("Rita", "Apollo")):
        body = {"employee_id": house.person(who).id, "supervisor_id": house.person(above).id}
        assert house.post("/employees/update-profile", body).status_code == 200
    delete(house, "Rita")
    assert house.get(f"/employees/{house.person('Carla').id}").json()["supervisor_id"] == house.person("Apollo").id


def fund(house: House) -> None:
    body = {"employee_id": house.person("Carla").id, "amount": 10}
    assert house.post("/employees/allocate-funds", body, by="Apollo").status_code == 200


def hold(house: House) -> None:
    swipe(house.business, None, house.person("Carla"), "1", Swipe(500_00, "Java"), settle_now=False)


def spend(house: House) -> None:
    swipe(house.business, None, house.person("Carla"), "1", Swipe(500_00, "Java"), settle_now=True)


@pytest.mark.parametrize(
    ("leave", "words"), [(fund, "money"), (hold, "not settled"), (spend, "cards that are not closed")]
)
def test_what_is_open_stands_in_the_way_of_deletion(house: House, leave: Callable[[House], None], words: str) -> None:
    leave(house)
    answer = delete(house, "Carla")
    assert code(answer) == (409, "in_use")
    assert words in answer.json()["detail"]
    assert house.get(f"/employees/{house.person('Carla').id}").json()["status"] == "ACTIVE"


def test_what_is_past_stays_with_the_name(house: House) -> None:
    created = house.v1("POST", "/expenses", {"amount": 5, "currency": "KES", "employee_id": house.person("Carla").id})
    assert delete(house, "Carla").status_code == 200
    assert house.v1("GET", f"/expenses/{created.json()['_id']}").json()["person"] == "Carla Kamau"
