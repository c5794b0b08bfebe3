"""A swipe: authorisation, hold, capture, expense; and the code of each decline (decisions B.7)."""

from typing import Any

import pytest

from service.businesses.models import Employee
from service.cards.models import Card
from service.events.models import Event
from service.expenses.models import Expense
from service.ledger.balances import balance
from service.sandbox import simulation
from tests.service.cards.conftest import allocate
from tests.service.house import House


def swipe(house: House, body: dict[str, Any] | None = None) -> dict[str, Any]:
    expected = {"employee_id": house.person("Carla").id, "amount": 1250, **(body or {})}
    answer = house.post(f"/sandbox/businesses/{house.business.id}/swipe", expected)
    assert answer.status_code in (200, 201), answer.content
    found: dict[str, Any] = answer.json()
    return found


def money(house: House) -> tuple[int, int]:
    found = balance(house.opened.wallets[0].ledger_account_id)
    return found.posted, found.available


def test_a_swipe_becomes_a_posted_expense(house: House) -> None:
    posted, available = money(house)
    body = swipe(house, {"merchant": "Shell Westlands", "mcc": "5541"})
    assert (body["approved"], body["status"], body["code"]) == (True, "CAPTURED", None)
    assert money(house) == (posted - 1250_00, available - 1250_00)
    [row] = house.get("/expenses", by="Carla").json()["docs"]
    assert row == body["expense"]
    assert (row["status"], row["receiver"], row["MerchantCategoryCode"]) == ("PENDING", "Shell Westlands", "5541")
    kinds = list(Event.objects.filter(business=house.business).order_by("id").values_list("kind", flat=True))
    assert kinds == ["expense.created", "transaction.posted", "card_authorization.captured"]


def test_until_it_is_settled_the_money_is_held(house: House) -> None:
    posted, available = money(house)
    held = swipe(house, {"settle": False})
    assert held["status"] == "APPROVED"
    assert money(house) == (posted, available - 1250_00)
    settled = house.post(f"/sandbox/businesses/{house.business.id}/settle").json()["settled"]
    assert [each["_id"] for each in settled] == [held["_id"]]
    assert money(house) == (posted - 1250_00, available - 1250_00)
    assert Expense.objects.get(id=held["expense_id"]).version == 2


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"status": "BLOCKED"}, "card_blocked"),
        ({"status": "INACTIVE"}, "card_inactive"),
        ({"status": "RETIRED"}, "card_retired"),
        ({"status": "EXPIRED"}, "card_expired"),
        ({"expiry_year": 2020}, "card_expired"),
        ({"controls": {"per_transaction_limit": 1249_99}}, "per_transaction_limit"),
        ({"controls": {"mcc_blocked": ["5812"]}}, "mcc_blocked"),
        ({"controls": {"limits": [{"interval": "PER_DAY", "amount": 1000_00}]}}, "interval_limit"),
    ],
)
def test_a_decline_says_why_and_moves_nothing(house: House, change: dict[str, Any], code: str) -> None:
    card = simulation.card_of(house.caller(None), house.person("Carla"), "1")
    if "controls" in change:
        change["controls"] = {"limits": [{"interval": "PER_YEAR", "amount": 10**12}]} | change["controls"]
    Card.objects.filter(id=card.id).update(**change)
    before = money(house)
    body = swipe(house, {"card_id": card.id})
    assert (body["approved"], body["code"], body["expense"]) == (False, code, None)
    assert money(house) == before
    assert Event.objects.get(business=house.business).kind == "card_authorization.declined"
    assert not Expense.objects.filter(business=house.business).exists()


def test_a_suspended_holder_a_suspended_wallet_and_an_empty_one(house: House) -> None:
    assert swipe(house, {"amount": 999_000_000})["code"] == "insufficient_funds"
    Employee.objects.filter(id=house.person("Carla").id).update(status="SUSPENDED")
    assert swipe(house)["code"] == "employee_suspended"
    Employee.objects.filter(id=house.person("Carla").id).update(status="ACTIVE")
    house.send("PUT", f"/accounts/{house.opened.wallets[0].id}/suspend", by="Apollo")
    assert swipe(house)["code"] == "wallet_suspended"


def test_a_single_use_card_is_retired_by_its_first_use(house: House) -> None:
    body = {"employee_id": house.person("Carla").id, "name": "Once", "type": "SINGLE_USE"}
    card = house.post("/cards", body).json()
    allocate(house)
    assert swipe(house, {"card_id": card["_id"]})["approved"] is True
    assert swipe(house, {"card_id": card["_id"]})["code"] == "card_retired"


def test_spend_is_counted(house: House) -> None:
    swipe(house)
    swipe(house, {"amount": 50})
    [card] = house.get("/cards", by="Carla").json()["docs"]
    assert card["spend"] == {"day": 1300, "month": 1300, "lifetime": 1300}


def test_a_refund_gives_the_money_back_once(house: House) -> None:
    before = money(house)
    expense = swipe(house)["expense"]
    address = f"/sandbox/businesses/{house.business.id}/refund"
    assert house.post(address, {"expense_id": expense["_id"]}).json()["status"] == "REFUNDED"
    assert house.post(address, {"expense_id": expense["_id"]}).status_code == 409
    assert money(house) == before


def test_a_refund_of_one_of_many_gives_back_its_own_money_only(house: House) -> None:
    before = money(house)
    created = simulation.spend_some(house.business, [house.person("Carla")], 3, with_receipts=False)
    house.post(f"/sandbox/businesses/{house.business.id}/refund", {"expense_id": created[1].id})
    assert money(house)[1] == before[1] - created[0].amount_minor - created[2].amount_minor
