"""Wallet statements in the old interface: texts for page and limit, running balances, what each entry is about."""

from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from service.accounts.wallets import wallet_by_ref
from service.approvals.models import Mandate
from service.expenses import posting
from service.expenses.models import Expense
from service.expenses.serializers_v1 import ExpenseV1Shape
from service.journal import services as journal
from service.ledger.chart import system_account
from service.ledger.post import Leg, post
from service.payments import execution
from service.payments.models import Batch
from service.sandbox import simulation
from service.sandbox.simulation import top_up
from tests.service.house import House
from tests.service.payments.conftest import initiated, item

ENTRY = {
    "_id", "currency", "org_wallet_ref", "account", "credit", "debit", "counter", "description", "ref", "created_by",
    "transaction_type", "running_balance", "business_running_balance", "effective_on", "createdAt", "updatedAt",
}  # fmt: skip


def filled(house: House) -> dict[str, Any]:
    """An opening top-up, a top-up, an expense that comes back, money for Carla; the whole statement."""
    top_up(house.business, "1", Decimal("250.25"))
    carla = house.person("Carla").id
    body = {"amount": 1000, "currency": "KES", "employee_id": carla, "transaction_ref": "T-1"}
    spent = house.v1("POST", "/expenses", body).json()["_id"]
    posting.refund(house.caller(), spent)
    house.v1("POST", "/employees/addMoney", {"employee_id": carla, "amount": 40})
    found: dict[str, Any] = house.v1("GET", "/wallet/all-in-one/1").json()
    return found


def test_the_envelope_has_texts_for_page_and_limit(house: House) -> None:
    found = filled(house)
    assert {name: found[name] for name in ("total", "limit", "page", "pages")} == {
        "total": 5, "limit": "25", "page": "1", "pages": 1,
    }  # fmt: skip
    assert set(found) == {"docs", "total", "limit", "page", "pages"}
    second = house.v1("GET", "/wallet/all-in-one/1?page=2&limit=2").json()
    assert (second["limit"], second["page"], second["pages"]) == ("2", "2", 3)
    assert second["docs"] == found["docs"][2:4]


def test_entries_add_up_to_their_running_balance(house: House) -> None:
    entries = filled(house)["docs"]
    assert all(set(each) - {"expense", "topup", "refund"} == ENTRY for each in entries)
    for newer, older in pairwise(entries):
        change = Decimal(str(newer["credit"])) - Decimal(str(newer["debit"]))
        assert Decimal(str(newer["running_balance"])) == Decimal(str(older["running_balance"])) + change
        assert newer["business_running_balance"] == newer["running_balance"]


def test_each_entry_tells_what_it_is_about(house: House) -> None:
    given, refund, spent, top, opening = filled(house)["docs"]
    assert [each["transaction_type"] for each in (given, refund, spent, top, opening)] == [
        "EXPENSE", "REFUND", "EXPENSE", "TOPUP", "TOPUP",
    ]  # fmt: skip
    # What is no expense of the business is told in an expense's fields too: the old interface knows no other word.
    assert set(given["expense"]) == set(spent["expense"]) == set(ExpenseV1Shape.__annotations__)
    assert (given["expense"]["amount"], given["expense"]["person"]) == (40, house.person("Carla").name)
    assert (spent["expense"]["transaction_ref"], spent["debit"]) == ("T-1", 1000)
    assert spent["created_by"] == house.person("Carla").id
    assert (refund["refund"]["amount"], refund["refund"]["expense"]["_id"]) == (1000, spent["expense"]["_id"])
    assert (top["topup"]["amount"], top["topup"]["accno"]) == (250.25, top["account"])


def test_each_expense_of_a_batch_is_nested_in_its_own_entry(house: House) -> None:
    created = simulation.spend_some(house.business, [house.person("Carla")], 6, with_receipts=False)
    entries = house.v1("GET", "/wallet/all-in-one/1?limit=6").json()["docs"]
    assert {each["expense"]["_id"] for each in entries} == {expense.id for expense in created}
    for each in entries:
        assert each["debit"] == each["expense"]["charge"]
        assert each["description"] == each["expense"]["receiver"]
    # A page's border changes nothing.
    alone = [house.v1("GET", f"/wallet/all-in-one/1?limit=1&page={page}").json()["docs"][0] for page in range(1, 7)]
    assert [each["expense"]["_id"] for each in alone] == [each["expense"]["_id"] for each in entries]


def test_a_card_s_capture_nests_its_expense(house: House) -> None:
    swipe = {"employee_id": house.person("Carla").id, "amount": 1250, "settle": True}
    assert house.post(f"/sandbox/businesses/{house.business.id}/swipe", swipe).status_code == 201
    [entry, *_] = house.v1("GET", "/wallet/all-in-one/1").json()["docs"]
    expense = Expense.objects.get(business=house.business)
    assert (entry["transaction_type"], entry["expense"]["_id"]) == ("EXPENSE", expense.id)
    assert entry["created_by"] == house.person("Carla").id


def test_a_payout_nests_whom_it_paid_fees_too(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    Mandate.objects.filter(business=house.business).update(active=False)
    monkeypatch.setattr("service.enqueue.send", lambda *_: None)
    batch = Batch.objects.get(
        business=house.business, batch_no=initiated(house, item(), item(77, "254700000009"))["batch_no"]
    )
    execution.execute(batch.id)
    entries = house.v1("GET", "/wallet/all-in-one/1").json()["docs"][:-1]
    assert len(entries) >= 2
    for each in entries:
        assert each["expense"]["receiver"] in each["description"]
        assert each["debit"] in (each["expense"]["amount"], each["expense"]["fees"])
        assert each["expense"]["payment_type"].startswith("MPESA")


def test_what_was_posted_in_one_sum_is_told_in_one(house: House) -> None:
    own, bank = wallet_by_ref(house.business, "1"), system_account(house.business, "CARD_FLOAT", "KES")
    legs = [Leg(own.ledger_account_id, -700), Leg(bank.pk, 700)]
    posted = post(house.business, "day", "EXPENSE", legs, "2 expenses")
    for number, minor in enumerate((400, 300)):
        journal.record_movement(
            house.business, type="EXPENSE", org_wallet_ref="1", currency="KES", amount_minor=minor, direction="OUT",
            ref=f"d{number}", ledger_transaction_id=posted.id, counterparty="Shop",
        )  # fmt: skip
    [entry, *_] = house.v1("GET", "/wallet/all-in-one/1").json()["docs"]
    assert (entry["debit"], entry["expense"]["amount"], entry["expense"]["receiver"]) == (7, 7, "2 payments")


def test_top_ups_of_the_business_s_own_account(house: House) -> None:
    entries = filled(house)["docs"]
    accno = house.opened.wallets[0].accno
    found = house.v1("GET", f"/wallet/topup-history/{accno}/1").json()
    assert found["docs"] == entries[3:]
    assert (found["total"], found["limit"]) == (2, "25")
    assert house.v1("GET", f"/wallet/topup-history/{accno}/1?limit=1&page=2").json()["docs"] == entries[4:]
    assert house.v1("GET", f"/wallet/topup-history/{accno}/1?toDate=2020-01-01").json()["docs"] == []


def test_top_ups_of_an_employee_s_account(house: House) -> None:
    entries = filled(house)["docs"]
    carla = house.person("Carla").id
    house.v1("POST", "/employees/deductMoney", {"employee_id": carla, "amount": 15})
    [shown] = house.v1("GET", f"/employees?employee_id={carla}").json()
    [found] = house.v1("GET", f"/wallet/topup-history/{shown['accno']}/1").json()["docs"]
    assert (found["account"], found["credit"], found["running_balance"]) == (shown["accno"], 40, 40)
    assert found["business_running_balance"] == entries[0]["running_balance"]
    assert found["transaction_type"] == "TOPUP"
    assert house.v1("GET", f"/wallet/topup-history/{shown['accno']}/2").status_code == 404


def test_what_is_not_there_is_not_found(house: House, houses: Callable[..., House]) -> None:
    theirs = houses().opened.wallets[0].accno
    for path in ("all-in-one/99", f"topup-history/{theirs}/1", "topup-history/0000000000/1", "topup-history/1/99"):
        answer = house.v1("GET", f"/wallet/{path}")
        assert (answer.status_code, answer.json()["status"]) == (404, 404)


@pytest.mark.parametrize("query", ["page=0", "page=x", "limit=0", "limit=1001", "fromDate=soon", "page=99999999999999"])
def test_bad_queries_are_400(house: House, query: str) -> None:
    assert house.v1("GET", f"/wallet/all-in-one/1?{query}").status_code == 400


@pytest.mark.parametrize("names", [("fromDate", "toDate"), ("fromdate", "todate")])
def test_both_spellings_of_the_dates_are_taken(house: House, names: tuple[str, str]) -> None:
    first, last = names
    assert house.v1("GET", f"/wallet/all-in-one/1?{first}=2020-01-01&{last}=2020-12-31").json()["total"] == 0
    assert house.v1("GET", f"/wallet/all-in-one/1?{first}=2020-01-01").json()["total"] == 1


def test_a_page_takes_as_many_statements_whatever_is_on_it(
    house: House, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for place in range(4):
        house.v1("POST", "/expenses", {"amount": 5, "currency": "KES", "transaction_ref": f"T{place}"})
    assert Expense.objects.filter(business=house.business).count() == 4
    with django_assert_max_num_queries(6):
        house.v1("GET", "/wallet/all-in-one/1")
