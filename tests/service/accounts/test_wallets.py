"""Wallets: listed, opened once per currency and type, suspended so that they take credits only; their statement."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import transaction

from service.accounts.models import Wallet
from service.accounts.wallets import card_wallet, employee_wallet, wallet_by_ref
from service.errors import ServiceError
from service.events.models import Event
from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.ledger.post import Leg, hold, post
from tests.service.house import House, code

KES = {"currency": "KES", "walletType": "SUB:payroll", "name": "Payroll"}
OFFICE = ("Apollo", "Ada", "Sam")
OTHERS = ("Carla", "Rita")


def first(house: House) -> str:
    return str(house.get("/accounts").json()["docs"][-1]["_id"])


def test_the_list_has_the_businesss_wallets_with_what_they_have(house: House) -> None:
    employee_wallet(house.business, house.person("Carla").id, "KES")
    page = house.get("/accounts").json()
    assert [(row["org_wallet_ref"], row["currency"], row["status"]) for row in page["docs"]] == [
        ("2", "USD", "ACTIVE"),
        ("1", "KES", "ACTIVE"),
    ]
    assert page["total"] == 2
    held = page["docs"][1]
    assert held["balances"] == {
        "posted": 50_000_000, "pending_in": 0, "pending_out": 0, "available": 50_000_000,
        "posted_minor": 5_000_000_000, "pending_in_minor": 0, "pending_out_minor": 0, "available_minor": 5_000_000_000,
    }  # fmt: skip


def test_what_is_held_is_not_available(house: House) -> None:
    paying = wallet_by_ref(house.business, "1")
    hold(house.business, paying.ledger_account_id, 1_050, "h")
    found = house.get(f"/accounts/{paying.id}/balance").json()["balances"]
    assert (found["posted"], found["pending_out"], found["available"]) == (50_000_000, 10.5, 49_999_989.5)


@pytest.mark.parametrize("path", ["", "/{id}", "/{id}/balance", "/{id}/transactions", "/business-currencies"])
def test_the_office_reads_and_nobody_else(house: House, path: str) -> None:
    address = "/accounts" + path.format(id=first(house))
    assert {house.get(address, by=name).status_code for name in OFFICE} == {200}
    assert {code(house.get(address, by=name)) for name in OTHERS} == {(403, "insufficient_role")}


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "", KES, 201),
        ("POST", "/create-new-currency", {"currency": "EUR"}, 201),
        ("POST", "/add-new-account", {"currency": "EUR"}, 201),
        ("PUT", "/{id}", {"name": "Main"}, 200),
        ("PUT", "/{id}/suspend", None, 200),
        ("PUT", "/{id}/activate", None, 200),
    ],
)
def test_approver_and_admin_write_and_nobody_else(
    house: House, method: str, path: str, body: dict[str, str] | None, status: int
) -> None:
    address = "/accounts" + path.format(id=first(house))
    for name in ("Carla", "Rita", "Sam"):
        assert code(house.send(method, address, body, by=name)) == (403, "insufficient_role")
    assert house.send(method, address, body, by="Apollo").status_code == status


@pytest.mark.parametrize("path", ["/{id}", "/{id}/balance", "/{id}/transactions"])
def test_a_wallet_of_another_business_is_not_there(house: House, houses: Callable[[], House], path: str) -> None:
    theirs = first(houses())
    assert code(house.get("/accounts" + path.format(id=theirs))) == (404, "not_found")
    for verb in ("suspend", "activate"):
        assert code(house.send("PUT", f"/accounts/{theirs}/{verb}")) == (404, "not_found")
    assert code(house.send("PUT", f"/accounts/{theirs}", {"name": "Mine"})) == (404, "not_found")


def test_a_wallet_needs_its_currency_and_is_there_once(house: House) -> None:
    euro = {"currency": "EUR"}
    assert code(house.post("/accounts", euro)) == (409, "currency_missing")
    assert house.post("/accounts/create-new-currency", euro).status_code == 201
    assert house.post("/accounts/create-new-currency", euro).status_code == 200
    created = house.post("/accounts", euro)
    assert (created.status_code, created.json()["walletType"], created.json()["org_wallet_ref"]) == (201, "MAIN", "3")
    assert code(house.post("/accounts", euro)) == (409, "wallet_exists")
    assert house.post("/accounts", {**euro, "walletType": "SUB:travel"}).json()["org_wallet_ref"] == "4"
    assert [row["code"] for row in house.get("/accounts/business-currencies").json()["docs"]] == ["EUR", "KES", "USD"]
    assert Event.objects.filter(business=house.business, kind="wallet.created").count() == 2


def test_add_new_account_makes_the_currency_first(house: House) -> None:
    created = house.post("/accounts/add-new-account", {"currency": "JPY"})
    assert (created.status_code, created.json()["currency"]) == (201, "JPY")
    assert code(house.post("/accounts/add-new-account", {"currency": "JPY"})) == (409, "wallet_exists")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"currency": "XXX"}, "currency"),
        ({"currency": "kes"}, "currency"),
        ({}, "currency"),
        ({"currency": "EUR", "walletType": "EMPLOYEE"}, "walletType"),
        ({"currency": "EUR", "colour": "red"}, "colour"),
    ],
)
def test_bad_input_names_the_field_and_makes_nothing(house: House, body: dict[str, str], field: str) -> None:
    answer = house.post("/accounts/add-new-account", body)
    assert code(answer) == (422, "validation_failed")
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert house.get("/accounts").json()["total"] == 2


def test_a_suspended_wallet_takes_credits_and_refuses_debits(house: House) -> None:
    paying = wallet_by_ref(house.business, "1")
    float_ = system_account(house.business, "BANK_FLOAT", "KES")
    before = house.get(f"/accounts/{paying.id}").json()["version"]
    for _ in range(2):  # the second time nothing happens
        answer = house.send("PUT", f"/accounts/{paying.id}/suspend")
        found = (answer.status_code, answer.json()["status"], answer.json()["version"])
        assert found == (200, "SUSPENDED", before + 1)
    with pytest.raises(ServiceError, match="invalid_state"), transaction.atomic():
        post(house.business, "out", "TRANSFER", [Leg(paying.ledger_account_id, -1), Leg(float_.pk, 1)])
    post(house.business, "in", "TOPUP", [Leg(float_.pk, -1), Leg(paying.ledger_account_id, 1)])
    assert house.send("PUT", f"/accounts/{paying.id}/activate").json()["status"] == "ACTIVE"
    post(house.business, "out", "TRANSFER", [Leg(paying.ledger_account_id, -1), Leg(float_.pk, 1)])
    kinds = Event.objects.filter(business=house.business, kind__startswith="wallet.").values_list("kind", flat=True)
    assert sorted(kinds) == ["wallet.activated", "wallet.suspended"]


def test_a_closed_wallet_is_closed_for_good(house: House) -> None:
    Wallet.objects.filter(business=house.business).update(status="CLOSED")
    for verb in ("suspend", "activate"):
        assert code(house.send("PUT", f"/accounts/{first(house)}/{verb}")) == (409, "invalid_state")


def test_the_statement_is_newest_first_and_adds_up(house: House) -> None:
    paying = wallet_by_ref(house.business, "1")
    float_ = system_account(house.business, "BANK_FLOAT", "KES")
    for n in range(1, 6):
        legs = [Leg(paying.ledger_account_id, -n * 100), Leg(float_.pk, n * 100)]
        post(house.business, f"p{n}", "EXPENSE", legs, f"payment {n}")
    base = f"/accounts/{paying.id}/transactions"
    page = house.get(f"{base}?limit=2&page=2").json()
    assert [(row["ref"], row["debit"], row["counter"]) for row in page["docs"]] == [("p3", 3, 4), ("p2", 2, 3)]
    assert (page["total"], page["pages"], page["hasNextPage"], page["nextPage"]) == (6, 3, True, 3)
    rows = house.get(base).json()["docs"]
    assert rows[0]["running_balance_minor"] == balance(paying.ledger_account_id).posted
    assert sum(Decimal(str(row["credit"])) - Decimal(str(row["debit"])) for row in rows) == Decimal("49999985")
    assert house.get(f"{base}?from=2020-01-01&to=2020-01-31").json()["total"] == 0
    assert house.get(f"{base}?from=2020-01-01").json()["total"] == 6
    assert house.get(f"{base}?page=9").json()["docs"] == []
    assert code(house.get(f"{base}?limit=1001")) == (400, "invalid_parameters")
    assert code(house.get(f"{base}?from=2021-01-01&to=2020-01-01")) == (400, "invalid_parameters")


def test_holders_have_one_wallet_per_currency(house: House) -> None:
    carla = house.person("Carla").id
    assert employee_wallet(house.business, carla, "KES").pk == employee_wallet(house.business, carla, "KES").pk
    assert employee_wallet(house.business, carla, "USD").pk != employee_wallet(house.business, carla, "KES").pk
    assert card_wallet(house.business, carla, "KES").pk != employee_wallet(house.business, carla, "KES").pk


def test_a_token_without_the_scope_is_refused(houses: Callable[..., House]) -> None:
    reader = houses(scopes=("accounts:read", "acting_employee"))
    assert reader.get("/accounts").status_code == 200
    assert code(reader.post("/accounts", KES)) == (403, "insufficient_scope")
