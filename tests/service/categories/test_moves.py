"""Subcategories moved to another category, and what uses one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.models import ForeignKey
from django.test.utils import CaptureQueriesContext

from service.budgets.models import Budget
from service.business_policies.models import BusinessPolicy
from service.categories.hooks import registered_users
from service.categories.models import Category, Subcategory
from service.categories.uses import uses, uses_by_subcategory
from service.events.models import AuditEvent, Event
from service.sandbox.simulation import spend_some
from tests.service.bills.conftest import bill
from tests.service.house import House, code


def subcategory(house: House, name: str) -> Subcategory:
    return Subcategory.objects.select_related("category").get(business=house.business, name=name)


def category(house: House, name: str, **body: Any) -> str:
    return str(house.post("/categories", {"name": name, **body}).json()["_id"])


def move(house: House, target: str, *ids: str, by: str = "Ada") -> Any:
    return house.post(f"/categories/{target}/move", {"subcategory_ids": list(ids)}, by=by)


def plan(house: House, target: str, *ids: str) -> dict[str, Any]:
    found: dict[str, Any] = house.get(f"/categories/{target}/move?subcategory_ids={','.join(ids)}").json()
    return found


def file_one(house: House, row: Subcategory) -> Any:
    [expense] = spend_some(house.business, [house.person("Carla")], 1, with_receipts=False)
    house.post(f"/expenses/changeSubCategory/{expense.id}", {"subcategory_id": row.id})
    return expense


def test_what_is_filed_under_it_stays_filed_and_is_counted_in_the_other_category(house: House) -> None:
    fuel, taxi = subcategory(house, "Fuel"), subcategory(house, "Taxi")
    expense = file_one(house, fuel)
    fleet = category(house, "Fleet")
    for number, of in enumerate((fleet, fuel.category_id)):
        budget = {"name": f"Budget {number}", "currency": "KES", "amount": 900_000, "category_id": of}
        assert house.post("/bills/budgets", budget).status_code == 201
    told = plan(house, fleet, fuel.id, taxi.id)
    assert [(row["name"], row["category"]["name"], row["obstacle"]) for row in told["subcategories"]] == [
        ("Fuel", "Travel", ""),
        ("Taxi", "Travel", ""),
    ]
    assert {"kind": "expense", "count": 1} in told["subcategories"][0]["uses"]
    assert told["subcategories"][1]["uses"] == []
    assert [(row["title"], row["gains"]) for row in told["counting"]] == [("Budget 0", True), ("Budget 1", False)]
    before = Event.objects.filter(business=house.business).count()
    answer = move(house, fleet, fuel.id, taxi.id)
    assert answer.status_code == 200
    assert {row["name"] for row in answer.json()["subcategories"]} == {"Fuel", "Taxi"}
    [row] = [row for row in house.get("/expenses").json()["docs"] if row["_id"] == expense.id]
    assert row["subcategory"]["category"]["name"] == "Fleet"
    spent = {row["name"]: row["spent"] for row in house.get("/bills/budgets").json()["docs"]}
    assert spent["Budget 0"] > 0
    assert spent["Budget 1"] == 0
    # Both categories are told of, each once.
    assert Event.objects.filter(business=house.business).count() == before + 2
    noted = AuditEvent.objects.filter(business=house.business, action="subcategory.move")
    assert [row.after["category"]["name"] for row in noted] == ["Fleet", "Fleet"]
    again = move(house, fleet, fuel.id)
    assert (again.status_code, subcategory(house, "Fuel").version) == (200, 2)
    assert Event.objects.filter(business=house.business).count() == before + 2


def test_a_name_or_a_code_that_is_taken_stops_the_whole_move(house: House) -> None:
    fuel, taxi = subcategory(house, "Fuel"), subcategory(house, "Taxi")
    fleet = category(house, "Fleet")
    house.post(f"/categories/{fleet}/subcategories", {"name": "FUEL", "code": "OTHER"})
    refused = move(house, fleet, taxi.id, fuel.id)
    assert code(refused) == (409, "duplicate")
    [error] = refused.json()["errors"]
    assert error["field"] == "subcategory_ids.1"
    assert "rename" in error["message"]
    assert subcategory(house, "Taxi").category_id == taxi.category_id
    house.post(f"/categories/{fleet}/subcategories", {"name": "Rides", "code": "TAXI"})
    assert "TAXI is taken in Fleet by Rides" in move(house, fleet, taxi.id).json()["detail"]
    # Two of the same name cannot both move, wherever they come from.
    other = category(house, "Other")
    made = house.post(f"/categories/{other}/subcategories", {"name": "taxi", "code": "CAB"}).json()
    cars = category(house, "Cars")
    assert code(move(house, cars, taxi.id, made["_id"])) == (409, "duplicate")
    assert move(house, cars, taxi.id).status_code == 200


def test_nothing_moves_into_an_archived_category_nor_by_whom_or_of_whom_it_may_not(house: House) -> None:
    fuel = subcategory(house, "Fuel")
    fleet = category(house, "Fleet")
    for by in ("Carla", "Rita", "Apollo"):
        assert code(move(house, fleet, fuel.id, by=by)) == (403, "insufficient_role")
    assert code(move(house, fleet, "0" * 24)) == (422, "validation_failed")
    assert code(move(house, "0" * 24, fuel.id)) == (404, "not_found")
    house.send("PUT", f"/categories/{fleet}", {"status": "ARCHIVED"})
    assert code(move(house, fleet, fuel.id)) == (409, "invalid_state")
    assert "archived" in plan(house, fleet, fuel.id)["subcategories"][0]["obstacle"]
    assert subcategory(house, "Fuel").category_id == fuel.category_id


def test_what_uses_one_is_counted_by_kind_and_listed_row_by_row(house: House) -> None:
    fuel = subcategory(house, "Fuel")
    expense = file_one(house, fuel)
    made = bill(house, subcategory_id=fuel.id, line_items=[{"description": "Fuel", "qty": 1, "unit_price": 10}])
    house.send(
        "PUT", "/business-policies/category-policies", {"type": "SUBCATEGORY", "target": fuel.id, "action": "FLAG"}
    )
    address = f"/categories/{fuel.category_id}/uses"
    counts = house.get(f"{address}?subcategory_id={fuel.id}").json()["docs"]
    assert {row["kind"]: row["count"] for row in counts} == {"bill": 1, "expense": 1, "spend_policy": 1}
    for kind, record in (("bill", made["_id"]), ("expense", expense.id), ("spend_policy", None)):
        [row] = house.get(f"{address}/{kind}?subcategory_id={fuel.id}").json()["docs"]
        assert record in (row["_id"], None)
    # The category is used where one of its subcategories is; its sister is not.
    assert house.get(address).json()["docs"] == counts
    taxi = subcategory(house, "Taxi")
    assert house.get(f"{address}?subcategory_id={taxi.id}").json()["docs"] == []
    assert code(house.get(f"{address}/nothing")) == (404, "not_found")
    refused = house.send("DELETE", f"/categories/{fuel.category_id}/subcategories/{fuel.id}")
    assert code(refused) == (409, "in_use")
    assert "1 bill, 1 expense, 1 spend policy" in refused.json()["detail"]
    assert code(house.get(address, by="Apollo")) == (403, "insufficient_role")


def test_a_policy_and_a_budget_keep_their_category(house: House) -> None:
    fleet = category(house, "Fleet")
    house.send("PUT", "/business-policies/category-policies", {"type": "CATEGORY", "target": fleet, "action": "FLAG"})
    refused = house.send("DELETE", f"/categories/{fleet}")
    assert code(refused) == (409, "in_use")
    assert "1 spend policy" in refused.json()["detail"]
    BusinessPolicy.objects.filter(target=fleet).update(status="DELETED")
    house.post("/bills/budgets", {"name": "Cars", "currency": "KES", "amount": 1, "category_id": fleet})
    assert "1 budget" in house.send("DELETE", f"/categories/{fleet}").json()["detail"]
    Budget.objects.filter(category_id=fleet).delete()
    assert house.send("DELETE", f"/categories/{fleet}").status_code == 200


@pytest.mark.parametrize("named", ["subcategory", "category"])
def test_every_table_that_names_one_says_so(named: str, house: House) -> None:
    """Each model with such a key or id is among those that are registered, or is told by the record that it is of."""
    told_by = {"BillLine": "Bill", "Item": "Batch", "TransactionPart": "Transaction", "ExportedEntry": "JournalExport"}
    own = (Category, Subcategory)
    registered = {users.rows([], []).model.__name__ for users in registered_users()}
    naming = {
        model.__name__
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if model not in own
        and (
            (isinstance(field, ForeignKey) and field.related_model in own and field.name == named)
            or (named == "subcategory" and field.attname == "subcategory_id")
        )
    }
    assert naming
    assert {told_by.get(name, name) for name in naming} <= registered


class _Late:
    """A move of Fuel into Fleet that is done and not committed while something else is asked."""

    def __init__(self, house: House) -> None:
        self.house, self.fuel, self.fleet = house, subcategory(house, "Fuel"), category(house, "Fleet")
        self.expense = file_one(house, self.fuel)

    def beside(self, ask: Callable[[], Any]) -> Any:
        moved = threading.Event()

        def slow() -> None:
            with transaction.atomic():
                assert move(self.house, self.fleet, self.fuel.id).status_code == 200
                moved.set()
                time.sleep(0.5)
            connection.close()

        thread = threading.Thread(target=slow)
        thread.start()
        assert moved.wait(20)
        answer = ask()
        thread.join(20)
        return answer


def test_a_category_is_not_deleted_beside_a_move_into_it(committed: None) -> None:
    late = _Late(House())
    answer = late.beside(lambda: late.house.send("DELETE", f"/categories/{late.fleet}"))
    assert code(answer) == (409, "in_use")
    assert subcategory(late.house, "Fuel").category_id == late.fleet


def test_a_category_that_is_archived_beside_a_move_into_it_archives_what_has_moved(committed: None) -> None:
    late = _Late(House())
    answer = late.beside(lambda: late.house.send("PUT", f"/categories/{late.fleet}", {"status": "ARCHIVED"}))
    assert answer.status_code == 200
    assert subcategory(late.house, "Fuel").status == "ARCHIVED"


def test_a_change_beside_a_move_has_a_version_of_its_own(committed: None) -> None:
    late = _Late(House())
    before = late.fuel
    changed = threading.Event()

    def slow() -> None:
        with transaction.atomic():
            address = f"/categories/{before.category_id}/subcategories/{before.id}"
            assert late.house.send("PUT", address, {"name": "Petrol"}).status_code == 200
            changed.set()
            time.sleep(0.5)
        connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    assert changed.wait(20)
    assert move(late.house, late.fleet, before.id).status_code == 200
    thread.join(20)
    now = Subcategory.objects.get(id=before.id)
    assert (now.name, now.category_id, now.version) == ("Petrol", late.fleet, before.version + 2)


def test_a_code_that_was_taken_just_now_is_a_duplicate(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    fuel, fleet = subcategory(house, "Fuel"), category(house, "Fleet")
    house.post(f"/categories/{fleet}/subcategories", {"name": "Other", "code": fuel.code})
    # As if it had been added after the names and codes were read.
    monkeypatch.setattr("service.categories.moves._names_and_codes", lambda _: (set(), {}))
    assert code(move(house, fleet, fuel.id)) == (409, "duplicate")
    assert subcategory(house, "Fuel").category_id == fuel.category_id


def test_an_export_that_has_one_in_a_part_is_a_use_of_it(house: House) -> None:
    fuel, taxi = subcategory(house, "Fuel"), subcategory(house, "Taxi")
    expense = file_one(house, fuel)
    [row] = [row for row in house.get("/transactions?limit=50").json()["docs"] if row.get("expense_id") == expense.id]
    address = f"/transactions/{row['_id']}"
    half = row["amount"] / 2
    parts = [{"subcategory_id": of.id, "amount": half} for of in (fuel, taxi)]
    answer = house.send("PUT", f"{address}/parts", {"version": house.get(address).json()["version"], "parts": parts})
    assert answer.status_code == 200, answer.json()
    day = row["effective_on"]
    assert house.post("/accounting/journal-exports", {"from": day, "to": day}).status_code == 201
    # The split is taken back: the export alone names Taxi now.
    house.send("PUT", f"{address}/parts", {"version": house.get(address).json()["version"], "parts": []})
    counts = house.get(f"/categories/{taxi.category_id}/uses?subcategory_id={taxi.id}").json()["docs"]
    assert {"kind": "journal_export", "count": 1} in counts
    assert code(house.send("DELETE", f"/categories/{taxi.category_id}/subcategories/{taxi.id}")) == (409, "in_use")


def test_the_plan_of_many_asks_as_often_as_that_of_one(house: House) -> None:
    fleet, other = category(house, "Fleet"), category(house, "Other")
    rows = [
        str(house.post(f"/categories/{other}/subcategories", {"name": f"Row {n}", "code": f"R-{n}"}).json()["_id"])
        for n in range(20)
    ]
    counts = []
    for ids in (rows[:1], rows):
        with CaptureQueriesContext(connection) as asked:
            assert len(plan(house, fleet, *ids)["subcategories"]) == len(ids)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_what_names_each_of_many_is_what_names_it_alone(house: House) -> None:
    fuel, taxi = subcategory(house, "Fuel"), subcategory(house, "Taxi")
    file_one(house, fuel)
    bill(house, subcategory_id=taxi.id, line_items=[{"description": "Taxi", "qty": 1, "unit_price": 10}])
    each = uses_by_subcategory([fuel, taxi])
    assert each == {fuel.id: uses(fuel), taxi.id: uses(taxi)}
    assert [use["kind"] for use in each[taxi.id]] == ["bill"]
