"""Periods: closed means closed, in order, and opened again from the last."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.db import transaction

from service.auth import system_caller
from service.errors import ServiceError
from service.events.models import AuditEvent, Event
from service.expenses import posting
from service.expenses.models import Expense
from service.expenses.new_expense import NewExpense
from service.ledger.post import today
from service.sandbox import simulation
from tests.service.accounting.conftest import close, month, spend
from tests.service.house import House, code


def test_months_run_from_the_first_posting_to_now(past: House) -> None:
    page = past.get("/accounting/periods", by="Sam").json()
    assert [row["period"] for row in page["docs"]] == [month(past, back).name for back in range(3)]
    assert {row["status"] for row in page["docs"]} == {"OPEN"}


def test_closed_means_closed(past: House) -> None:
    old, last = month(past, 2), month(past, 1)
    assert close(past, old).json()["status"] == "CLOSED"
    with pytest.raises(ServiceError, match="closed"), transaction.atomic():
        spend(past, "late", 100, old.last)
    manual = {"type": "TOPUP", "org_wallet_ref": "1", "amount": 5, "counterparty": "A"}
    created = past.post("/transactions/new", {**manual, "value_date": old.last.isoformat()}).json()
    # What is entered late is posted in the open book, and stands there as a late arrival.
    answer = past.send("PUT", f"/transactions/{created['_id']}/approve", by="Apollo").json()
    assert (answer["status"], answer["effective_on"]) == ("POSTED", str(today(past.business)))
    late = past.get(f"/accounting/periods/{month(past, 0).name}/late").json()["docs"]
    assert [row["_id"] for row in late] == [created["_id"]]
    assert spend(past, "in time", 100, last.first) > 0
    assert [row["status"] for row in past.get("/accounting/periods").json()["docs"]] == ["OPEN", "OPEN", "CLOSED"]


def bought(house: House, day: date) -> Expense:
    """A purchase of Carla's, posted on that day."""
    new = NewExpense(
        employee=house.person("Carla"), org_wallet_ref="1", currency="KES", amount_minor=1_00, transaction_ref=f"B-{day}",
        transaction_date=datetime.combine(day, time(9), UTC), receiver="Duka",
    )  # fmt: skip
    return posting.spend(system_caller(house.business), new)


def test_what_arrives_after_the_close_is_decided_and_counted_in_the_open_month(past: House) -> None:
    last, now = month(past, 1), month(past, 0)
    [late] = simulation.spend_some(past.business, [past.person("Carla")], 1, with_receipts=False)
    # Spent in the month before, and posted today.
    Expense.objects.filter(id=late.id).update(transaction_date=f"{last.first}T09:00:00Z")
    assert past.get(f"/accounting/periods/{last.name}").json()["undecided_expenses"] == 0
    assert past.get(f"/accounting/periods/{now.name}").json()["undecided_expenses"] == 1
    close(past, month(past, 2))
    assert close(past, last).json()["status"] == "CLOSED"
    [row] = past.get("/transactions?type=EXPENSE&limit=1").json()["docs"]
    filed = {"subcategory_id": past.opened.subcategories[0].id}
    assert past.post(f"/transactions/{row['_id']}/tag", filed, by="Ada").status_code == 200
    assert past.post(f"/expenses/approve/{late.id}", by="Apollo").json()["status"] == "APPROVED"
    assert past.get(f"/accounting/periods/{now.name}").json()["undecided_expenses"] == 0


def test_what_is_still_held_at_the_close_is_decided_since_it_is_posted_later(past: House) -> None:
    last = month(past, 1)
    held = bought(past, last.first)
    Expense.objects.filter(id=held.id).update(ledger_transaction_id=None, ledger_hold_id=1)
    close(past, month(past, 2))
    assert close(past, last, accept_open_items=True).json()["status"] == "CLOSED"
    assert past.post(f"/expenses/approve/{held.id}", by="Apollo").status_code == 200


def test_expense_decisions_stop_at_the_close(past: House) -> None:
    until = month(past, 1).first + timedelta(days=3)
    expense = bought(past, until)
    close(past, month(past, 2))
    refused = close(past, month(past, 1))
    assert code(refused) == (409, "open_items")
    assert past.get(f"/accounting/periods/{month(past, 1).name}").json()["undecided_expenses"] == 1
    assert close(past, month(past, 1), accept_open_items=True).json()["status"] == "CLOSED"
    assert code(past.post(f"/expenses/approve/{expense.id}", by="Apollo")) == (409, "invalid_state")
    past.post(f"/accounting/periods/{month(past, 1).name}/reopen", {"reason": "Late"}, by="Sam")
    assert past.post(f"/expenses/approve/{expense.id}", by="Apollo").status_code == 200


def test_months_are_closed_in_order_once_they_are_over(past: House) -> None:
    assert code(close(past, month(past, 0))) == (409, "invalid_state")
    assert code(close(past, month(past, 1))) == (409, "invalid_state")
    assert close(past, month(past, 2)).status_code == 200
    again = close(past, month(past, 2))
    assert (again.status_code, again.json()["version"]) == (200, 1)
    assert close(past, month(past, 1)).status_code == 200


def test_the_last_closed_month_is_opened_again_and_no_other(past: House) -> None:
    for back in (2, 1):
        close(past, month(past, back))

    def reopen(back: int) -> Any:
        return past.post(f"/accounting/periods/{month(past, back).name}/reopen", {"reason": "Late"}, by="Sam")

    assert code(reopen(2)) == (409, "invalid_state")
    assert code(reopen(0)) == (409, "invalid_state")
    answer = reopen(1)
    assert (answer.json()["status"], answer.json()["reason"]) == ("OPEN", "Late")
    assert spend(past, "late", 100, month(past, 1).last) > 0
    assert code(reopen(1)) == (409, "invalid_state")
    assert reopen(2).status_code == 200
    kinds = Event.objects.filter(business=past.business, kind__startswith="period.").order_by("id")
    assert list(kinds.values_list("kind", flat=True)) == ["period.closed"] * 2 + ["period.reopened"] * 2
    assert AuditEvent.objects.filter(business=past.business, action="period.reopened").count() == 2


@pytest.mark.parametrize("name", ["2026-13", "2026", "x", "1969-12", "2201-01", "2026-1-", "٢٠٢٦-٠١"])
def test_a_month_that_is_none_is_404(house: House, name: str) -> None:
    for part in ("", "/trial-balance", "/trial-balance/export", "/general-ledger"):
        assert code(house.get(f"/accounting/periods/{name}{part}")) == (404, "not_found")
    assert code(house.post(f"/accounting/periods/{name}/close", {})) == (404, "not_found")


def test_who_reads_closes_and_opens(past: House) -> None:
    name = month(past, 2).name
    for who in ("Carla", "Rita"):
        for path in ("", f"/{name}", f"/{name}/trial-balance", f"/{name}/general-ledger"):
            assert code(past.get(f"/accounting/periods{path}", by=who)) == (403, "insufficient_role")
    for who in ("Carla", "Rita", "Apollo"):
        assert code(close(past, month(past, 2), by=who)) == (403, "insufficient_role")
    for who in ("Carla", "Rita", "Apollo"):
        answer = past.post(f"/accounting/periods/{name}/reopen", {"reason": "x"}, by=who)
        assert code(answer) == (403, "insufficient_role")
    assert code(past.post(f"/accounting/periods/{name}/reopen", {"reason": ""}, by="Sam")) == (422, "validation_failed")
    assert code(close(past, month(past, 2), force=True)) == (422, "validation_failed")


def test_a_period_is_reopened_by_another_admin_than_the_one_who_closed_it(past: House) -> None:
    name = month(past, 2).name
    assert close(past, month(past, 2), by="Ada").json()["changed_by"] == past.person("Ada").id
    path = f"/accounting/periods/{name}/reopen"
    assert code(past.post(path, {"reason": "Late"}, by="Ada")) == (403, "self_approval_forbidden")
    assert past.get(f"/accounting/periods/{name}").json()["status"] == "CLOSED"
    reopened = past.post(path, {"reason": "Late"}, by="Abel").json()
    assert (reopened["status"], reopened["reason"], reopened["changed_by"]) == ("OPEN", "Late", past.person("Abel").id)


def test_closing_one_business_leaves_others_open(past: House) -> None:
    other = House()
    close(past, month(past, 2))
    spend(other, "theirs", 100, month(past, 2).last)
    assert today(other.business)
