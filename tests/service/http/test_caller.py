"""Who may do what: business, entitlement, acting employee and role, in that order (decisions B.1, B.2)."""

from collections.abc import Callable

from service.businesses.models import Client, Employee, Role
from tests.service.house import House, code


def test_the_header_must_name_the_clients_own_business(house: House, houses: Callable[..., House]) -> None:
    other = houses()
    assert code(house.get("/expenses", headers={"business_id": other.business.id})) == (403, "business_mismatch")
    assert code(house.get("/categories", headers={"business_id": other.business.id})) == (403, "business_mismatch")


def test_expense_operations_require_the_header(house: House) -> None:
    answer = house.get("/expenses", headers={"business_id": None})
    assert code(answer) == (400, "invalid_parameters")
    assert answer.json()["errors"][0]["field"] == "business_id"
    assert house.get("/categories", headers={"business_id": None}).status_code == 200


def test_private_label_needs_the_entitlement(houses: Callable[..., House]) -> None:
    plain = houses(entitled=False)
    assert code(plain.get("/cards/business")) == (403, "entitlement_required")
    assert plain.get("/categories").status_code == 200


def test_the_acting_persons_role_decides_not_the_clients(house: House) -> None:
    assert house.post("/categories", {"name": "Ads"}, by=None).status_code == 201
    assert code(house.post("/categories", {"name": "Fees"}, by="Carla")) == (403, "insufficient_role")
    assert house.post("/categories", {"name": "Fees"}, by="Sam").status_code == 201


def test_without_a_person_the_clients_caller_role_decides(house: House) -> None:
    Client.objects.filter(pk=house.client.pk).update(caller_role=Role.CARD_USER)
    assert code(house.post("/categories", {"name": "Ads"}, by=None)) == (403, "insufficient_role")


def test_a_person_of_another_business_or_a_suspended_one_cannot_act(house: House, houses: Callable[..., House]) -> None:
    olga = houses().person("Sam")
    answer = house.get("/categories", headers={"X-Acting-Employee": olga.id})
    assert code(answer) == (403, "insufficient_role")
    Employee.objects.filter(id=house.person("Carla").id).update(status=Employee.Status.SUSPENDED)
    assert code(house.get("/categories", by="Carla")) == (403, "insufficient_role")
    assert code(house.get("/categories", headers={"X-Acting-Employee": "x" * 500})) == (403, "insufficient_role")


def test_a_client_that_acts_for_nobody_does_not_approve(house: House) -> None:
    answer = house.post("/expenses/approve", {"ids": ["0" * 24]}, by=None)
    assert code(answer) == (403, "insufficient_role")


def test_a_bound_client_is_its_employee(house: House) -> None:
    carla = house.person("Carla")
    Client.objects.filter(pk=house.client.pk).update(employee=carla, caller_role=Role.CARD_USER)
    assert house.get(f"/employees/{carla.id}", by=None).status_code == 200
    assert code(house.get(f"/employees/{house.person('Ada').id}", by=None)) == (404, "not_found")


def test_role_is_refused_before_the_body_is_read(house: House) -> None:
    assert code(house.post("/categories", {"name": ""}, by="Carla")) == (403, "insufficient_role")
