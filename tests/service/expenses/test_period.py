"""Expense decisions stop at the close of their accounting period, and go on when it is opened again."""

from datetime import UTC, date, datetime, time, timedelta

from service.auth import system_caller
from service.expenses import posting
from service.expenses.new_expense import NewExpense
from service.ledger.post import today
from tests.service.expenses.conftest import Spend
from tests.service.house import House, code


def last_month(house: House) -> date:
    return today(house.business).replace(day=1) - timedelta(days=1)


def test_expense_decisions_stop_at_the_close_of_their_accounting_period(house: House, spend: Spend) -> None:
    month = last_month(house)
    period = f"/accounting/periods/{month:%Y-%m}"
    [new] = spend("Carla", 1)
    old = posting.spend(
        system_caller(house.business),
        NewExpense(
            employee=house.person("Carla"), org_wallet_ref="1", currency="KES", amount_minor=1_00, transaction_ref="OLD-1",
            transaction_date=datetime.combine(month, time(9), UTC), receiver="Duka",
        ),
    )  # fmt: skip
    assert house.post("/expenses/tags", {"name": "Fair"}).status_code == 201
    closed = house.post(f"{period}/close", {"accept_open_items": True}, by="Ada")
    assert closed.json()["status"] == "CLOSED", closed.content
    no = {"reason": "No receipt"}
    for path, body in (
        (f"/expenses/approve/{old.id}", None),
        (f"/expenses/reject/{old.id}", no),
        (f"/expenses/requestDetails/{old.id}", no),
        (f"/expenses/changeSubCategory/{old.id}", {"subcategory_id": house.opened.subcategories[0].id}),
    ):
        assert code(house.post(path, body)) == (409, "invalid_state")
    assert code(house.send("PUT", f"/expenses/{old.id}/tags", {"tags": ["Fair"]})) == (409, "invalid_state")
    both = house.post("/expenses/approve", {"ids": [old.id, new.id]}).json()["results"]
    assert [(row["ok"], row["code"]) for row in both] == [(False, "invalid_state"), (True, "")]
    assert house.post(f"{period}/reopen", {"reason": "A late receipt"}, by="Sam").status_code == 200
    assert house.post(f"/expenses/approve/{old.id}").json()["status"] == "APPROVED"
