"""Employees in the old interface: fields, bare arrays, both forms of the addresses, money on their wallets."""

from collections.abc import Callable
from typing import Any

import pytest

from service.businesses.models import Employee
from service.ledger.balances import balance
from tests.service.house import House

FIELDS = {
    "id", "name", "phone", "team_code", "organization_email", "role", "accno", "balance", "status", "createdAt",
}  # fmt: skip


def new(place: int = 1, **fields: Any) -> dict[str, Any]:
    return {
        "name": f"Nadia {place}",
        "organization_email": f"nadia{place}@example.com",
        "phone_number": f"25471100011{place}",
        "team_code": "FIELD",
        "role": "CARD USER",
        **fields,
    }


def business_has(house: House) -> int:
    return balance(house.opened.wallets[0].ledger_account_id).posted


def test_the_list_is_a_bare_array(house: House) -> None:
    people = house.v1("GET", "/employees").json()
    assert isinstance(people, list)
    assert len(people) == 12
    assert all(set(each) == FIELDS for each in people)
    assert {each["role"] for each in people} == {"CARD USER", "REVIEWER", "APPROVER", "ADMIN", "SUPER ADMIN"}
    assert len(house.v1("GET", "/employees?page=2&limit=10").json()) == 2
    assert house.v1("GET", "/employees?fromDate=2020-01-01&toDate=2020-12-31").json() == []
    assert house.v1("GET", "/employees?fromdate=2020-01-01").json() == people


def test_one_is_read_by_query_in_the_currency_of_a_wallet(house: House, houses: Callable[..., House]) -> None:
    carla = house.person("Carla").id
    house.v1("POST", "/employees/addMoney", {"employee_id": carla, "amount": 12.5, "org_wallet_ref": "2"})
    [dollars] = house.v1("GET", f"/employees?employee_id={carla}&org_wallet_ref=2").json()
    [shillings] = house.v1("GET", f"/employees?employee_id={carla}").json()
    assert (dollars["id"], dollars["balance"], shillings["balance"], shillings["accno"]) == (carla, 12.5, 0, "")
    for query in (f"employee_id={houses().person('Carla').id}", f"employee_id={carla}&org_wallet_ref=99"):
        assert house.v1("GET", f"/employees?{query}").status_code == 404
    for query in ("page=0", "limit=1001", "limit=many", "employee_id=x"):
        assert house.v1("GET", f"/employees?{query}").status_code == 400


def test_one_is_made(house: House) -> None:
    answer = house.v1("POST", "/employees", new())
    body = answer.json()
    assert (answer.status_code, set(body)) == (201, FIELDS)
    assert (body["role"], body["team_code"], body["balance"], body["status"]) == ("CARD USER", "FIELD", 0, "ACTIVE")
    assert len(body["accno"]) == 10
    assert house.v1("POST", "/employees", new()).status_code == 409


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"role": "APPROVER"}, 403),
        ({"role": "KING"}, 400),
        ({"team_code": "NOWHERE"}, 400),
        ({"organization_email": "x"}, 400),
        ({"phone_number": None}, 400),
        ({"salary": 5}, 400),
    ],
)
def test_what_is_refused_is_refused_in_the_old_shape(house: House, fields: dict[str, Any], status: int) -> None:
    for path, body in (("/employees", new(**fields)), ("/employees/bulk", [new(2), new(**fields)])):
        answer = house.v1("POST", path, body)
        assert (answer.status_code, answer.json()["status"]) == (status, status)
        assert set(answer.json()) == {"errorMessage", "status"}
    assert Employee.objects.filter(business=house.business).count() == 12


def test_many_are_made_at_once_or_none(house: House) -> None:
    answer = house.v1("POST", "/employees/bulk", [new(place) for place in range(3)])
    assert answer.status_code == 201
    assert [each["name"] for each in answer.json()] == ["Nadia 0", "Nadia 1", "Nadia 2"]
    assert len({each["accno"] for each in answer.json()}) == 3
    assert house.v1("POST", "/employees/bulk", [new(7), new(0)]).status_code == 409
    assert (
        house.v1("POST", "/employees/bulk", [new(7), new(8, team_code="X")])
        .json()["errorMessage"]
        .startswith("1.team_code")
    )
    for body in ([], {}, [1], [new(place % 10) for place in range(501)]):
        assert house.v1("POST", "/employees/bulk", body).status_code == 400
    assert Employee.objects.filter(business=house.business).count() == 15


Send = Callable[[House, str, str, Any], Any]


def by_table(house: House, verb: str, who: str, amount: Any = None) -> Any:
    """The addresses of the summary table."""
    if verb in ("suspend", "activate"):
        method = "DELETE" if verb == "suspend" else "PATCH"
        return house.v1(method, f"/employees/{verb}?employee_id={who}")
    return house.v1("POST", f"/employees/{verb}Money", {"employee_id": who, "amount": amount})


def by_path(house: House, verb: str, who: str, amount: Any = None) -> Any:
    """The addresses of the detail section."""
    if verb in ("suspend", "activate"):
        return house.v1("POST", f"/employees/{who}/{verb}")
    return house.v1("POST", f"/employees/{who}/wallet/{verb}", {"amount": amount})


@pytest.mark.parametrize("send", [by_table, by_path])
def test_both_forms_suspend_and_activate(house: House, houses: Callable[..., House], send: Send) -> None:
    carla = house.person("Carla").id
    assert send(house, "suspend", carla, None).json()["status"] == "SUSPENDED"
    assert send(house, "suspend", carla, None).status_code == 200
    assert send(house, "activate", carla, None).json()["status"] == "ACTIVE"
    stranger = houses().person("Carla").id
    for verb in ("suspend", "activate"):
        assert send(house, verb, stranger, None).status_code == 404


@pytest.mark.parametrize("send", [by_table, by_path])
def test_both_forms_move_money(house: House, houses: Callable[..., House], send: Send) -> None:
    carla, before = house.person("Carla").id, business_has(house)
    assert send(house, "add", carla, 1500.5).json()["balance"] == 1500.5
    assert send(house, "deduct", carla, 500).json()["balance"] == 1000.5
    assert business_has(house) == before - 100050
    for verb in ("add", "deduct"):
        for amount in (0, -1, 1.005, "much", None):
            assert send(house, verb, carla, amount).status_code == 400
        assert send(house, verb, houses().person("Carla").id, 1).status_code == 404
    assert send(house, "deduct", carla, 99999).json()["errorMessage"].startswith("The available balance")
    assert business_has(house) == before - 100050


def test_money_moves_once_per_key_where_one_is_sent(house: House) -> None:
    body = {"employee_id": house.person("Carla").id, "amount": 10}
    first = house.v1("POST", "/employees/addMoney", body, idempotency="k")
    again = house.v1("POST", "/employees/addMoney", body, idempotency="k")
    assert first.json()["balance"] == 10
    assert again.content == first.content
    assert house.v1("POST", "/employees/addMoney", {"amount": 10}).status_code == 400
    named = house.v1("POST", f"/employees/addMoney?employee_id={body['employee_id']}", {"amount": 5})
    assert named.json()["balance"] == 15


def test_the_list_takes_as_many_statements_whatever_its_length(
    house: House, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    house.v1("POST", "/employees/bulk", [new(place) for place in range(5)])
    with django_assert_max_num_queries(3):
        house.v1("GET", "/employees")
