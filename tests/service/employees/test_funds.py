"""Money on employees' wallets: put there from the business's, taken back, told of; balances and statements."""

from collections.abc import Callable
from typing import Any

import pytest

from service.accounts import employee_wallets
from service.accounts.models import Wallet
from service.events.models import Event
from service.events.relay import relay
from service.journal.models import Transaction
from service.ledger.balances import balance
from tests.service.house import House, code


def move(house: House, verb: str, amount: Any = 1500.5, who: str = "Carla", **options: Any) -> Any:
    fields = options.pop("fields", {})
    body = {"employee_id": house.person(who).id, "amount": amount, **fields}
    return house.post(f"/employees/{verb}-funds", body, **{"by": "Apollo", **options})


def business_has(house: House) -> int:
    return balance(house.opened.wallets[0].ledger_account_id).posted


def carla_has(house: House, currency: str = "KES") -> int:
    found = employee_wallets.of(house.business, [house.person("Carla").id], currency)
    return sum(balance(each.ledger_account_id).posted for each in found.get(house.person("Carla").id, []))


def test_funds_go_to_the_employee_and_come_back(house: House) -> None:
    before = business_has(house)
    answer = move(house, "allocate", fields={"note": "Petty cash"})
    body = answer.json()
    assert (answer.status_code, body["amount"], body["amount_minor"], body["currency"]) == (200, 1500.5, 150050, "KES")
    assert body["wallet"]["balances"]["available_minor"] == 150050
    assert (business_has(house), carla_has(house)) == (before - 150050, 150050)
    assert move(house, "remove", 500).json()["wallet"]["balances"]["available"] == 1000.5
    assert (business_has(house), carla_has(house)) == (before - 100050, 100050)
    assert relay()
    kinds = set(Event.objects.filter(business=house.business).values_list("kind", flat=True))
    assert kinds >= {"employee.funds_allocated", "employee.funds_removed", "wallet.balance_changed"}
    booked = Transaction.objects.filter(business=house.business, employee_id=house.person("Carla").id)
    assert set(booked.values_list("type", "direction", "amount_minor")) == {
        ("IFT", "OUT", 150050), ("IFT", "IN", 50000),
    }  # fmt: skip


def test_the_same_key_moves_money_once(house: House) -> None:
    first, again = move(house, "allocate", key="k"), move(house, "allocate", key="k")
    assert first.content == again.content
    assert carla_has(house) == 150050
    assert code(move(house, "allocate", key=None)) == (400, "idempotency_key_missing")


@pytest.mark.parametrize("verb", ["allocate", "remove"])
@pytest.mark.parametrize("by", ["Carla", "Rita", "Ada", "Sam", None])
def test_only_an_approver_moves_money_of_the_business(house: House, verb: str, by: str | None) -> None:
    assert code(move(house, verb, by=by)) == (403, "insufficient_role")


@pytest.mark.parametrize(
    ("amount", "fields", "refusal"),
    [
        (0, {}, "amount"),
        (-5, {}, "amount"),
        (1.005, {}, "amount"),
        (10**16, {}, "amount"),
        ("much", {}, "amount"),
        (5, {"currency": "USD"}, "currency"),
        (5, {"org_wallet_ref": "no such"}, "org_wallet_ref"),
        (5, {"colour": "red"}, "colour"),
    ],
)
def test_bad_bodies_name_the_field_and_move_nothing(
    house: House, amount: Any, fields: dict[str, Any], refusal: str
) -> None:
    for verb in ("allocate", "remove"):
        answer = move(house, verb, amount, fields=fields)
        assert code(answer) == (422, "validation_failed")
        assert answer.json()["errors"][0]["field"] == refusal
    assert carla_has(house) == 0


def test_what_is_not_there_is_not_found(house: House, houses: Callable[..., House]) -> None:
    house.people["Stranger"] = houses().person("Carla")
    for verb in ("allocate", "remove"):
        assert code(move(house, verb, who="Stranger")) == (404, "not_found")
        assert code(move(house, verb, fields={"org_wallet_ref": "99"})) == (404, "not_found")


def test_more_than_there_is_is_refused(house: House) -> None:
    assert code(move(house, "remove", 1)) == (422, "insufficient_funds")
    assert code(move(house, "allocate", 90_000_000)) == (422, "insufficient_funds")
    assert carla_has(house) == 0


def test_a_suspended_employee_gets_nothing_and_can_be_relieved_of_the_rest(house: House) -> None:
    move(house, "allocate", 100)
    house.send("PATCH", f"/employees/{house.person('Carla').id}/suspend-employee")
    assert code(move(house, "allocate", 1)) == (409, "invalid_state")
    assert move(house, "remove", 100).status_code == 200
    assert carla_has(house) == 0


def test_a_suspended_wallet_of_the_business_gives_nothing_and_takes_back(house: House) -> None:
    move(house, "allocate", 100)
    assert house.send("PUT", f"/accounts/{house.opened.wallets[0].id}/suspend").status_code == 200
    assert code(move(house, "allocate", 1)) == (409, "invalid_state")
    assert move(house, "remove", 1).status_code == 200


@pytest.mark.parametrize(("by", "count"), [("Rita", 3), ("Apollo", 12), ("Ada", 12), ("Sam", 12)])
def test_balances_are_scoped_like_the_people(house: House, by: str, count: int) -> None:
    move(house, "allocate", 20, fields={"org_wallet_ref": "2"})
    move(house, "allocate", 10)
    page = house.get("/employees/balances", by=by).json()
    assert page["total"] == count
    [carla] = [each for each in page["docs"] if each["_id"] == house.person("Carla").id]
    shown = [(each["currency"], each["balances"]["available"]) for each in carla["wallets"]]
    assert shown == [("KES", 10), ("USD", 20)]
    assert code(house.get("/employees/balances", by="Carla")) == (403, "insufficient_role")


def test_balances_take_as_many_statements_for_one_as_for_all(
    house: House, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for who in ("Carla", "Cyrus", "Chebet"):
        move(house, "allocate", 10, who=who)
    assert house.get("/employees/balances", by="Ada").status_code == 200
    with django_assert_max_num_queries(4):
        house.get("/employees/balances", by="Ada")


def test_a_statement_is_one_s_own_unless_somebody_is_named(house: House) -> None:
    move(house, "allocate", 100)
    move(house, "remove", 40)
    own = house.get("/employees/view-statement", by="Carla").json()
    assert [(each["debit"], each["credit"], each["running_balance"]) for each in own["docs"]] == [
        (40, 0, 60),
        (0, 100, 100),
    ]
    carla = house.person("Carla").id
    assert house.get(f"/employees/view-statement?employee_id={carla}", by="Rita").json() == own
    assert house.get(f"/employees/view-statement?employee_id={carla}&limit=1&page=2", by="Ada").json()["docs"] == [
        own["docs"][1]
    ]
    assert house.get(f"/employees/view-statement?employee_id={carla}&to=2020-01-01").json()["total"] == 0


def test_whose_statement_one_does_not_see_is_not_found(house: House, houses: Callable[..., House]) -> None:
    cyrus, stranger = house.person("Cyrus").id, houses().person("Carla").id
    for by in ("Carla", "Rita"):
        assert code(house.get(f"/employees/view-statement?employee_id={cyrus}", by=by)) == (404, "not_found")
    assert code(house.get(f"/employees/view-statement?employee_id={stranger}")) == (404, "not_found")
    assert code(house.get("/employees/view-statement", by="Carla")) == (404, "not_found")  # no wallet yet
    assert code(house.get("/employees/view-statement", by=None)) == (400, "invalid_parameters")


def test_a_new_employee_has_a_wallet_at_once(house: House) -> None:
    body = {"name": "N", "organization_email": "n@example.com", "phone_number": "254711000111"}
    created = house.post("/employees", {**body, "role": "CARD_USER", "team_code": "FIELD"}).json()
    assert Wallet.objects.filter(business=house.business, holder_id=created["_id"], currency="KES").count() == 1
    assert house.get(f"/employees/view-statement?employee_id={created['_id']}").json()["docs"] == []
