"""An expense is paid back once: a payment names it, no other payment does, and one that did not go through leaves it to another."""

from collections.abc import Callable
from typing import Any

import pytest

from service.events.models import AuditEvent, Event
from service.expenses.models import Expense
from service.payments import execution
from service.payments.models import Batch
from service.sandbox.simulation import spend_some
from tests.service.expenses.conftest import Spend
from tests.service.expenses.conftest import spend as spend
from tests.service.house import House
from tests.service.ledger.conftest import at_once
from tests.service.payments.conftest import draft, initiated, item, state

UNKNOWN_TILL = {"channel": "MPESA_TILL", "receiver_name": "Till", "account": "770001"}


@pytest.fixture
def approved(spend: Spend) -> Callable[..., list[Expense]]:
    """`approved("Carla", 2)`: approved expenses of that person."""

    def by(name: str = "Carla", count: int = 1, **options: object) -> list[Expense]:
        rows = spend(name, count, **options)
        Expense.objects.filter(pk__in=[row.pk for row in rows]).update(status="APPROVED")
        return rows

    return by


def units(*rows: Expense) -> float:
    return sum(row.amount_minor + row.fees_minor for row in rows) / 100


def back(*rows: Expense, **more: Any) -> dict[str, Any]:
    """A payment that pays these back in full."""
    return item(units(*rows), **{"expense_ids": [row.id for row in rows], **more})


def refused(house: House, *items: dict[str, Any]) -> dict[str, str]:
    answer = house.post("/payments", {"name": "Again", "org_wallet_ref": "1", "items": list(items)}, by="Ada")
    assert answer.status_code == 422, answer.json()
    return {problem["field"]: problem["message"] for problem in answer.json()["errors"]}


def payout_of(row: Expense) -> str:
    row.refresh_from_db()
    return row.paid_back_by


Approved = Callable[..., list[Expense]]


def test_a_payment_names_its_expenses_and_they_name_its_payout(house: House, approved: Approved) -> None:
    first, second, other = approved("Carla", 3)
    made = draft(house, back(first, second), item())
    assert [row["expense_ids"] for row in made["items"]] == [[first.id, second.id], []]
    assert [row["expense_ids"] for row in state(house, made["batch_no"])["items"]] == [[first.id, second.id], []]
    shown = {row["_id"]: row["paid_back_by"] for row in house.get("/expenses?limit=100").json()["docs"]}
    assert (shown[first.id], shown[second.id], shown[other.id]) == (made["batch_no"], made["batch_no"], None)
    event = Event.objects.filter(kind="expense.updated").latest("pk")
    assert event.payload["object"]["paid_back_by"] == made["batch_no"]
    assert AuditEvent.objects.filter(action="expense.pay_back").count() == 2


def test_a_second_payment_of_an_expense_is_refused_at_its_row(house: House, approved: Approved) -> None:
    [row] = approved()
    number = draft(house, back(row))["batch_no"]
    sentence = f"The expense {row.transaction_ref} is paid back by the payout {number} already."
    assert refused(house, item(), back(row)) == {"items.1.expense_ids": sentence}
    reused = house.post("/payments", {"name": "Again", "org_wallet_ref": "1", "reuse": number}, by="Ada")
    assert reused.status_code == 422
    assert reused.json()["errors"][0]["message"] == sentence
    assert Batch.objects.filter(business=house.business).count() == 1


def test_an_expense_stands_in_one_payment_of_a_payout_and_once_in_it(house: House, approved: Approved) -> None:
    [row] = approved()
    twice = f"The expense {row.transaction_ref} is paid back by another payment of this payout already."
    assert refused(house, back(row), back(row)) == {"items.1.expense_ids": twice}
    assert refused(house, item(1, expense_ids=[row.id, row.id])) == {
        "items.0.expense_ids": "It names an expense twice."
    }
    assert payout_of(row) == ""


def test_only_approved_expenses_of_one_person_in_the_currency_and_no_more_than_they_cost(
    house: House, houses: Callable[..., House], spend: Spend, approved: Approved
) -> None:
    [mine], [theirs] = approved("Carla"), approved("Rita", seed=2)
    [waiting] = spend("Carla", seed=3)
    [foreign] = approved("Carla", seed=4, wallet_ref="1")
    Expense.objects.filter(pk=foreign.pk).update(currency="USD")
    field = "items.0.expense_ids"
    assert refused(house, back(waiting)) == {field: f"The expense {waiting.transaction_ref} is not approved."}
    assert refused(house, back(foreign)) == {field: f"The expense {foreign.transaction_ref} is in USD."}
    assert "several people" in refused(house, back(mine, theirs))[field]
    assert refused(house, item(1, expense_ids=["0" * 24])) == {field: "There is no such expense."}
    over = item(units(mine) + 0.01, expense_ids=[mine.id])
    assert "more than its expenses come to" in refused(house, over)["items.0.amount"]
    part = draft(house, item(units(mine) / 2, expense_ids=[mine.id]))
    assert payout_of(mine) == part["batch_no"]


def test_one_business_does_not_pay_back_what_was_spent_in_another(
    house: House, houses: Callable[..., House], approved: Approved
) -> None:
    [row] = approved()
    assert refused(houses(), back(row)) == {"items.0.expense_ids": "There is no such expense."}


def test_a_cancelled_payout_leaves_its_expenses_to_another(house: House, approved: Approved) -> None:
    [row] = approved()
    number = draft(house, back(row))["batch_no"]
    assert house.post("/payments/payout/cancel", {"batch_no": number, "reason": "Twice"}, by="Ada").status_code == 200
    assert payout_of(row) == ""
    again = draft(house, back(row))
    assert payout_of(row) == again["batch_no"]
    assert AuditEvent.objects.filter(action="expense.release").count() == 1


def test_what_was_paid_stays_paid_back_and_what_failed_may_be_paid_again(unmandated: House, approved: Approved) -> None:
    paid, failed = approved("Carla", 2)
    number = initiated(unmandated, back(paid), back(failed, **UNKNOWN_TILL))["batch_no"]
    assert execution.execute(Batch.objects.get(batch_no=number).id) == "PARTIALLY_COMPLETED"
    assert (payout_of(paid), payout_of(failed)) == (number, "")
    assert "already" in refused(unmandated, back(paid))["items.0.expense_ids"]
    again = draft(unmandated, back(failed))
    assert payout_of(failed) == again["batch_no"]


def test_of_payouts_made_at_once_one_pays_it_back(committed_house: House) -> None:
    house = committed_house
    rows = spend_some(house.business, [house.person("Carla")], 3, with_receipts=False)
    Expense.objects.filter(pk__in=[row.pk for row in rows]).update(status="APPROVED")
    first, second, third = rows
    # In different orders: whoever waits for one must not be waited for by another.
    bodies = [
        {"name": "At once", "org_wallet_ref": "1", "items": [back(first), back(second), back(third)]},
        {"name": "At once", "org_wallet_ref": "1", "items": [back(third), back(first)]},
        {"name": "At once", "org_wallet_ref": "1", "items": [back(second), back(third)]},
    ]
    answers = at_once(6, lambda n: house.post("/payments", bodies[n % 3], by="Ada").status_code)
    # Each two of the three share an expense: one is made, and all others are refused.
    assert sorted(map(str, answers)) == ["201", *["422"] * 5]
    batches = Batch.objects.filter(business=house.business)
    claimed = [expense_id for batch in batches for item in batch.items.all() for expense_id in item.expense_ids]
    assert len(claimed) == len(set(claimed))
    for row in rows:
        numbers = [
            batch.batch_no for batch in batches if row.id in {e for i in batch.items.all() for e in i.expense_ids}
        ]
        assert [payout_of(row)] == (numbers or [""])


def test_a_single_transfer_pays_an_expense_back_too(house: House, approved: Approved) -> None:
    [row] = approved()
    answer = house.post("/payments/intent", {"payment": back(row)}, by="Apollo")
    assert answer.status_code == 201, answer.json()
    assert payout_of(row) == answer.json()["batch_no"]
    again = house.post("/payments/intent", {"payment": back(row)}, by="Apollo")
    assert [problem["field"] for problem in again.json()["errors"]] == ["payment.expense_ids"]
