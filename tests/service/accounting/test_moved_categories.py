"""A subcategory that something of a closed period is filed under stays in its category: closed means closed."""

from datetime import timedelta

import pytest

from service.categories.models import Subcategory
from service.expenses.models import Expense
from service.journal.models import Transaction
from tests.service.accounting.conftest import close, month
from tests.service.accounting.test_periods import bought
from tests.service.house import House, code


def closed_with(past: House, row: Subcategory) -> Expense:
    """A purchase of the month before under that subcategory, in books that are closed."""
    last = month(past, 1)
    expense = bought(past, last.first + timedelta(days=3))
    assert past.post(f"/expenses/changeSubCategory/{expense.id}", {"subcategory_id": row.id}).status_code == 200
    close(past, month(past, 2))
    assert close(past, last, accept_open_items=True).status_code == 200
    return expense


def test_it_is_moved_in_the_open_books_and_stays_where_it_is_in_closed_ones(past: House) -> None:
    rows = Subcategory.objects.filter(business=past.business)
    fuel, taxi = rows.get(name="Fuel"), rows.get(name="Taxi")
    fleet = past.post("/categories", {"name": "Fleet"}).json()["_id"]
    closed_with(past, fuel)
    address = f"/categories/{fleet}/move"
    told = past.get(f"{address}?subcategory_ids={fuel.id},{taxi.id}").json()["subcategories"]
    assert [(row["closed_count"], bool(row["obstacle"])) for row in told] == [(1, True), (0, False)]
    refused = past.post(address, {"subcategory_ids": [taxi.id, fuel.id]})
    assert code(refused) == (409, "invalid_state")
    assert "1 transaction in closed periods" in refused.json()["errors"][0]["message"]
    assert refused.json()["errors"][0]["field"] == "subcategory_ids.1"
    assert rows.get(name="Taxi").category_id == taxi.category_id
    assert past.post(address, {"subcategory_ids": [taxi.id]}).status_code == 200
    name = month(past, 1).name
    assert past.post(f"/accounting/periods/{name}/reopen", {"reason": "To move"}, by="Sam").status_code == 200
    assert past.post(address, {"subcategory_ids": [fuel.id]}).status_code == 200
    assert rows.get(name="Fuel").category_id == fleet


@pytest.mark.parametrize("under", ["expense", "transaction"])
def test_an_expense_counts_under_its_own_subcategory_alone(past: House, under: str) -> None:
    rows = Subcategory.objects.filter(business=past.business)
    fuel, taxi = rows.get(name="Fuel"), rows.get(name="Taxi")
    expense = closed_with(past, fuel)
    # What its transaction was filed under before is no more what it is filed under.
    Transaction.objects.filter(expense_id=expense.id).update(subcategory_id=taxi.id)
    fleet = past.post("/categories", {"name": "Fleet"}).json()["_id"]
    moved = fuel if under == "expense" else taxi
    answer = past.post(f"/categories/{fleet}/move", {"subcategory_ids": [moved.id]})
    assert answer.status_code == (409 if under == "expense" else 200)
