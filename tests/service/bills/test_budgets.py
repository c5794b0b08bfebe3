"""Budgets: what is committed and spent is counted from bills, payments and the team's expenses."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from service.categories.models import Subcategory
from service.expenses.models import Expense
from tests.service.bills.conftest import add, bill, pay, request_votes
from tests.service.house import House, code


def budget(house: House, **more: Any) -> dict[str, Any]:
    answer = house.post("/bills/budgets", {"name": "Office", "currency": "KES", "amount": 10_000, **more})
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def figures(house: House, created: dict[str, Any]) -> tuple[int, int, int]:
    now = house.get(f"/bills/budgets/{created['_id']}").json()
    return now["committed"], now["spent"], now["available"]


def test_open_bills_commit_and_payments_spend(unmandated: House) -> None:
    created = budget(unmandated)
    assert figures(unmandated, created) == (0, 0, 10_000)
    first = bill(unmandated, 4000, budget_id=created["_id"])
    bill(unmandated, 100, status="DRAFT", budget_id=created["_id"])
    assert figures(unmandated, created) == (4000, 0, 6000)
    pay(request_votes(unmandated, add(unmandated, first, 1500).json()).json())
    assert figures(unmandated, created) == (2500, 1500, 6000)


def test_the_expenses_of_its_team_are_spent_too(house: House) -> None:
    person = house.person("Carla")
    created = budget(house, team_id=person.team_id, amount=1000)
    for place, state in enumerate(("APPROVED", "PENDING", "REJECTED", "REFUNDED")):
        Expense.objects.create(
            business=house.business,
            employee=person,
            team_id=person.team_id,
            org_wallet_ref="1",
            currency="KES",
            status=state,
            amount_minor=100_00,
            transaction_ref=f"t-{place}",
            transaction_date=timezone.now(),
            created_at=timezone.now(),
            updated_at=timezone.now(),
        )
    assert figures(house, created) == (0, 200, 800)


def test_a_page_of_budgets_costs_as_many_queries_as_one(house: House, django_assert_max_num_queries: Any) -> None:
    for place in range(12):
        budget(house, name=f"B{place}")
    house.get("/bills/budgets")
    with django_assert_max_num_queries(6):
        assert len(house.get("/bills/budgets").json()["docs"]) == 12


def test_changed_and_archived(house: House) -> None:
    created = budget(house)
    path = f"/bills/budgets/{created['_id']}"
    assert house.send("PUT", path, {"amount": 500, "period": "YEAR"}).json()["available"] == 500
    assert house.send("PUT", path, {"active": False}).json()["active"] is False
    assert house.get("/bills/budgets").json()["total"] == 0
    assert house.get("/bills/budgets?active=false").json()["total"] == 1
    answer = house.post("/bills", {"bill_no": "X", "vendor_id": bill(house)["vendor_id"], "issued_at": "2026-01-05",
                                   "subtotal": 5, "budget_id": created["_id"]})  # fmt: skip
    assert code(answer) == (422, "validation_failed")


@pytest.mark.parametrize("body", [{"name": "", "amount": 1}, {"amount": 0}, {"amount": 1.001}, {"currency": "XXX"}, {"period": "DAY"},
                                  {"team_id": "0" * 24}])  # fmt: skip
def test_what_is_wrong_is_refused(house: House, body: dict[str, Any]) -> None:
    whole = {"name": "Office", "currency": "KES", "amount": 10, **body}
    assert code(house.post("/bills/budgets", whole)) == (422, "validation_failed")


def test_names_roles_and_other_businesses(house: House, houses: Callable[[], House]) -> None:
    created = budget(house)
    assert code(house.post("/bills/budgets", {"name": "Office", "currency": "KES", "amount": 5})) == (409, "duplicate")
    assert house.get("/bills/budgets", by="Rita").status_code == 200
    assert code(house.get("/bills/budgets", by="Carla"))[0] == 403
    for by in ("Rita", "Apollo"):
        assert code(house.post("/bills/budgets", {}, by=by))[0] == 403
        assert code(house.send("PUT", f"/bills/budgets/{created['_id']}", {}, by=by))[0] == 403
    other = budget(houses())
    assert code(house.get(f"/bills/budgets/{other['_id']}")) == (404, "not_found")
    assert code(house.send("PUT", f"/bills/budgets/{other['_id']}", {"amount": 1})) == (404, "not_found")


def two_categories(house: House) -> tuple[Subcategory, Subcategory]:
    rows = Subcategory.objects.filter(business=house.business).order_by("category_id", "id")
    first = rows[0]
    return first, rows.exclude(category_id=first.category_id)[0]


def test_a_category_counts_the_lines_of_bills_that_are_under_it_to_the_cent(unmandated: House) -> None:
    house = unmandated
    first, second = two_categories(house)
    created = budget(house, category_id=first.category_id)
    other = budget(house, name="Other", category_id=second.category_id)
    lines = [
        {"description": "Paper", "qty": 1, "unit_price": 100, "subcategory_id": first.id},
        {"description": "Travel", "qty": 1, "unit_price": 200, "subcategory_id": second.id},
        {"description": "Nothing said", "qty": 3, "unit_price": 11.11},
    ]
    made = bill(house, line_items=lines, subcategory_id=first.id, bill_no="LINES-1")
    assert (figures(house, created)[0], figures(house, other)[0]) == (133.33, 200)
    pay(request_votes(house, add(house, made, 100).json()).json())
    (committed, spent, _), (others_committed, others_spent, _) = figures(house, created), figures(house, other)
    # What is paid falls to the lines without a cent too much or too little.
    assert round(spent + others_spent, 2) == 100
    assert (round(committed + spent, 2), round(others_committed + others_spent, 2)) == (133.33, 200)
    # Assigned to one of them it is whole there, and its lines of the other's category count in that.
    assigned = bill(house, line_items=lines[:2], budget_id=created["_id"], bill_no="LINES-2")
    assert figures(house, created)[0] == pytest.approx(committed + 300)
    assert figures(house, other)[0] == pytest.approx(others_committed + 200)
    assert assigned["total"] == 300


def test_a_category_of_a_team_counts_the_lines_of_that_teams_bills_once(unmandated: House) -> None:
    house, team = unmandated, unmandated.person("Carla").team_id
    first, _ = two_categories(house)
    own = budget(house, category_id=first.category_id, team_id=team)
    everybodys = budget(house, name="Everybody's", category_id=first.category_id)
    bill(house, 100, team_id=team, subcategory_id=first.id, bill_no="OWN-1")
    bill(house, 50, subcategory_id=first.id, bill_no="NOBODYS-1")
    assert (figures(house, own)[0], figures(house, everybodys)[0]) == (100, 150)
    split = [{
        "description": "Paper", "qty": 1, "unit_price": 10, "subcategory_id": first.id,
        "splits": [{"team_id": team, "percent": 100}],
    }]  # fmt: skip
    bill(house, team_id=team, line_items=split, bill_no="SPLIT-1")
    assert (figures(house, own)[0], figures(house, everybodys)[0]) == (110, 160)
