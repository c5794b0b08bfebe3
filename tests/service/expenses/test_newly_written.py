"""An expense that was just written is shown from its values, without a look at the database: as that would show it."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from service.events.models import AuditEvent, Event
from service.events.outbox import event_object, plain
from service.expenses import posting, serializers
from service.expenses.models import Expense
from service.expenses.new_expense import NewExpense
from service.expenses.serializers_v1 import as_v1
from service.journal.models import Transaction
from service.respond import to_json
from tests.service.business_policies.conftest import create_policy, limit, workflow
from tests.service.house import House

AT = datetime(2026, 11, 20, 9, 30, 15, 123456, tzinfo=UTC)
CASES: dict[str, dict[str, Any]] = {
    "plain": {},
    "by a person": {"employee": "Carla"},
    "filed": {"employee": "Carla", "subcategory": 0},
    "another zone": {"transaction_date": AT.astimezone(timezone(timedelta(hours=3)))},
    "exchanged": {
        "original_amount_minor": 1_000, "original_currency": "USD", "fx_rate": Decimal("129.50"), "fees_minor": 25
    },
    "a rate of many digits": {"original_amount_minor": 1, "original_currency": "JPY", "fx_rate": Decimal("0.12345678905")},
    "judged": {"risk": 70, "risk_notes": "New merchant", "policy_flags": ("CHANNEL:x",), "receipt_required": True},
    "of a card": {
        "channel": "ECOMMERCE", "mcc": "5812", "merchant_id": "M1", "card_id": "c", "card_token": "t", "provider_ref": "P"
    },
    "in any script": {"receiver": "Café Ñandú 東京", "description": "Zwei\nZeilen", "notes": "“quoted” \\ and 50 %"},
}  # fmt: skip


def new_expense(house: House, **given: Any) -> NewExpense:
    employee, filed = given.pop("employee", None), given.pop("subcategory", None)
    standard = {
        "org_wallet_ref": "1",
        "currency": "KES",
        "amount_minor": 5_00,
        "transaction_ref": "T-1",
        "transaction_date": AT,
    }
    return NewExpense(
        employee=house.person(employee) if employee else None,
        subcategory=None if filed is None else house.opened.subcategories[filed],
        **standard | given,
    )


@pytest.mark.parametrize("name", CASES)
def test_it_looks_as_it_does_when_it_is_read(house: House, name: str) -> None:
    row = posting.spend(house.caller(), new_expense(house, **CASES[name]))
    assert to_json(serializers.newly_written(row)) == to_json(serializers.by_id(row.id))
    told = Event.objects.get(business=house.business, kind="expense.created").payload["object"]
    assert told == plain(event_object(serializers.by_id(row.id), row.updated_at))


def test_the_answer_is_what_is_read_afterwards(house: House) -> None:
    body = {
        "amount": 1250.5, "currency": "KES", "receiver": "Shell", "employee_id": house.person("Carla").id,
        "subcategory_id": house.opened.subcategories[0].id, "transaction_date": "2026-11-20T10:00:00+03:00",
    }  # fmt: skip
    answer = house.v1("POST", "/expenses", body, idempotency="k")
    assert answer.content == house.v1("GET", f"/expenses/{answer.json()['_id']}").content


def test_one_that_waits_for_votes_is_shown_as_it_stands_then(house: House) -> None:
    asking = {"action": "REQUIRE_APPROVAL", "workflow_id": workflow(house)["_id"]}
    create_policy(house, "CHANNEL", "CARD", **asking, **limit(1))
    body = {"amount": 1250.5, "currency": "KES", "employee_id": house.person("Carla").id}
    answer = house.v1("POST", "/expenses", body)
    assert answer.status_code == 201
    row = Expense.objects.get(business=house.business)
    assert [flag.split(":")[0] for flag in row.policy_flags] == ["APPROVAL"]
    assert answer.content == to_json(as_v1(serializers.by_id(row.id)))


def test_with_it_come_its_event_its_line_of_the_audit_and_its_movement_once(house: House) -> None:
    row = posting.spend(house.caller(), new_expense(house, subcategory=0))
    movement = Transaction.objects.get(business=house.business, expense_id=row.id)
    assert (movement.ledger_transaction_id, movement.subcategory_id) == (row.ledger_transaction_id, row.subcategory_id)
    kinds = Event.objects.filter(business=house.business, payload__object___id__in=[row.id, movement.id])
    assert sorted(kinds.values_list("kind", flat=True)) == ["expense.created", "transaction.posted"]
    assert AuditEvent.objects.filter(business=house.business, action="expense.create", resource_id=row.id).count() == 1
