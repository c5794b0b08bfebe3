"""Budgets: what is committed and spent is counted from bills, payments and the team's expenses."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

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
