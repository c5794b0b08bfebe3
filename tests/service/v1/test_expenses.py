"""Expenses in the old interface: its names, envelope, errors and limits (decisions A.2)."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections

from service.apikey import revoke
from service.businesses.models import ApiKey
from service.cards.authorizations import Swipe
from service.expenses.models import Expense
from service.ledger.balances import balance
from service.sandbox.simulation import spend_some, swipe
from tests.service.house import House

NEW = {"amount": 1250.5, "currency": "KES", "description": "Fuel for the van"}


def available(house: House) -> int:
    return balance(house.opened.wallets[0].ledger_account_id).available


def test_creating_posts_the_money(house: House) -> None:
    before = available(house)
    answer = house.v1("POST", "/expenses", {**NEW, "employee_id": house.person("Carla").id, "transaction_ref": "T-1"})
    body = answer.json()
    assert answer.status_code == 201
    assert (body["amount"], body["currency"], body["transaction_ref"]) == (1250.5, "KES", "T-1")
    assert (body["person"], body["team"]["code"]) == ("Carla Kamau", "FIELD")
    assert "amount_minor" not in body
    assert (body["original_amount"], body["original_currency"], body["fx_rate"], body["ip"]) == (1250.5, "KES", 1, "")
    assert available(house) == before - 125_050


def test_the_same_transaction_exists_already(house: House) -> None:
    house.v1("POST", "/expenses", {**NEW, "transaction_ref": "T-1"})
    before = available(house)
    for amount in (1250.5, 99):
        answer = house.v1("POST", "/expenses", {**NEW, "amount": amount, "transaction_ref": "T-1"})
        assert answer.status_code == 409
        assert answer.json()["status"] == 409
    assert available(house) == before


def test_an_idempotency_key_is_taken_where_it_is_sent(house: House) -> None:
    first = house.v1("POST", "/expenses", NEW, idempotency="k1")
    again = house.v1("POST", "/expenses", NEW, idempotency="k1")
    assert (again.status_code, again.content) == (201, first.content)
    assert again["Idempotency-Replayed"] == "true"
    assert Expense.objects.filter(business=house.business).count() == 1


def test_a_reference_that_is_only_held_is_known_too(house: House) -> None:
    held = swipe(house.business, None, house.person("Carla"), "1", Swipe(500_00, "Java"), settle_now=False)
    before = available(house)
    reference = Expense.objects.get(id=held.expense_id).transaction_ref
    assert house.v1("POST", "/expenses", {**NEW, "transaction_ref": reference}).status_code == 409
    assert available(house) == before


def test_lists_are_by_state_with_the_old_envelope(house: House) -> None:
    created = spend_some(house.business, [house.person("Carla")], 3, with_receipts=False)
    house.post(f"/expenses/approve/{created[0].id}")
    house.post(f"/expenses/reject/{created[1].id}", {"reason": "no"})
    everything = house.v1("GET", "/expenses?limit=2").json()
    assert {key: everything[key] for key in ("total", "limit", "page", "pages")} == {
        "total": 3, "limit": 2, "page": 1, "pages": 2,
    }  # fmt: skip
    assert set(everything) == {"docs", "total", "limit", "page", "pages"}
    for path, row in (("accepted", created[0]), ("rejected", created[1]), ("review", created[2])):
        assert [each["_id"] for each in house.v1("GET", f"/expenses/{path}").json()["docs"]] == [row.id]


@pytest.mark.parametrize("names", [("fromDate", "toDate"), ("fromdate", "todate")])
def test_both_spellings_of_the_dates_are_taken(house: House, names: tuple[str, str]) -> None:
    [row] = spend_some(house.business, [house.person("Carla")], 1, with_receipts=False)
    day = row.transaction_date.date().isoformat()
    first, last = names
    assert house.v1("GET", f"/expenses?{first}=2020-01-01&{last}=2020-12-31").json()["total"] == 0
    assert house.v1("GET", f"/expenses?{first}={day}").json()["total"] == 1
    assert house.v1("GET", f"/expenses?{first}=soon").status_code == 400


def test_reading_and_changing_one(house: House, houses: Callable[..., House]) -> None:
    created = house.v1("POST", "/expenses", NEW).json()
    changed = house.v1("PUT", f"/expenses/{created['_id']}", {"notes": "Trip to Nakuru", "tag": ["trip"]}).json()
    assert (changed["notes"], changed["tag"], changed["amount"]) == ("Trip to Nakuru", ["trip"], 1250.5)
    assert house.v1("GET", f"/expenses/{created['_id']}").json() == changed
    assert house.v1("PUT", f"/expenses/{created['_id']}", {"amount": 1}).status_code == 400
    other = houses()
    for method, body in (("GET", None), ("PUT", {"notes": "x"}), ("DELETE", None)):
        refused = other.v1(method, f"/expenses/{created['_id']}", body)
        assert (refused.status_code, refused.json()["status"]) == (404, 404)


def test_a_posted_expense_cannot_be_deleted_one_that_is_held_gives_it_back(house: House) -> None:
    created = house.v1("POST", "/expenses", NEW).json()
    assert house.v1("DELETE", f"/expenses/{created['_id']}").status_code == 409
    before = available(house)
    held = swipe(house.business, None, house.person("Carla"), "1", Swipe(500_00, "Java"), settle_now=False)
    assert available(house) == before - 500_00
    answer = house.v1("DELETE", f"/expenses/{held.expense_id}")
    assert (answer.status_code, answer.json()["status"]) == (200, "DELETED")
    assert available(house) == before
    assert house.v1("GET", f"/expenses/{held.expense_id}").status_code == 404


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ({"currency": "KES"}, "amount"),
        ({**NEW, "amount": 0}, "amount"),
        ({**NEW, "amount": -5}, "amount"),
        ({**NEW, "amount": 1.005}, "decimals"),
        ({**NEW, "amount": "many"}, "amount"),
        ({**NEW, "amount": 1e30}, "at most 15"),
        ({**NEW, "currency": "XXQ"}, "currency"),
        ({**NEW, "currency": "USD"}, "KES"),
        ({**NEW, "employee_id": "nobody"}, "employee"),
        ({**NEW, "subcategory_id": "nothing"}, "subcategory"),
        ({**NEW, "transaction_date": "2999-01-01T00:00:00Z"}, "future"),
        ({**NEW, "colour": "red"}, "colour"),
    ],
)
def test_bad_bodies_are_400_in_the_old_shape_and_change_nothing(house: House, body: dict[str, Any], word: str) -> None:
    before = available(house)
    answer = house.v1("POST", "/expenses", body)
    assert answer.status_code == 400
    assert set(answer.json()) == {"errorMessage", "status"}
    assert word in answer.json()["errorMessage"]
    assert available(house) == before
    assert not Expense.objects.filter(business=house.business).exists()


def test_more_than_there_is_leaves_nothing_behind(house: House) -> None:
    answer = house.v1("POST", "/expenses", {**NEW, "amount": 900_000_000})
    assert answer.status_code == 400
    assert "available" in answer.json()["errorMessage"]
    assert not Expense.objects.filter(business=house.business).exists()


@pytest.mark.parametrize("key", ["", "ak_wrong"])
def test_without_a_live_key_it_is_401(house: House, key: str) -> None:
    answer = house.v1("GET", "/expenses", key=key)
    assert (answer.status_code, answer.json()["status"]) == (401, 401)


def test_a_revoked_key_dies_at_once(house: House) -> None:
    assert house.v1("GET", "/expenses").status_code == 200
    revoke(ApiKey.objects.get(business=house.business))
    assert house.v1("GET", "/expenses").status_code == 401


def test_limits_are_ten_a_second_with_the_old_headers(houses: Callable[..., House]) -> None:
    plain = houses(rate_plan="STANDARD")
    answers = [plain.v1("GET", "/expenses?limit=1") for _ in range(25)]
    assert answers[0]["X-RateLimit-Limit"] == "per_second"
    assert int(answers[0]["X-RateLimit-Remaining"]) == 9
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert refused[0]["Retry-After"] == "1"
    assert refused[0]["X-RateLimit-Remaining"] == "0"
    assert int(refused[0]["X-RateLimit-Reset"]) > 1_700_000_000


def test_the_same_transaction_at_once_is_posted_once(committed: None) -> None:
    house = House()
    before = available(house)
    gate = threading.Barrier(8)
    statuses: list[int] = []

    def create() -> None:
        gate.wait(30)
        statuses.append(house.v1("POST", "/expenses", {**NEW, "transaction_ref": "T-9"}).status_code)
        connections.close_all()

    threads = [threading.Thread(target=create) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(statuses) == [201] + [409] * 7
    assert available(house) == before - 125_050
