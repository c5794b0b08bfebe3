"""What the sandbox posts under an idempotency key is posted once, however late it is asked for again."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client as Browser

from service.events.models import Event
from service.expenses.models import Expense
from service.ledger.models import LedgerTransaction
from tests.sandbox import sandbox_headers
from tests.service.house import House

PLAYED = {"top-up": ("TOPUP", {"amount": 1000}), "expenses": ("EXPENSE", {"count": 3})}


def play(house: House, what: str, body: dict[str, Any], key: str = "") -> Any:
    headers = sandbox_headers() | ({"Idempotency-Key": key} if key else {})
    path = f"/sandbox/businesses/{house.business.id}/{what}"
    return Browser().post(path, body, "application/json", headers=headers)


def posted(house: House, kind: str) -> list[str]:
    rows = LedgerTransaction.objects.filter(business=house.business, kind=kind).order_by("id")
    return list(rows.values_list("external_ref", flat=True))


@pytest.mark.parametrize("what", PLAYED)
def test_under_one_key_once_and_without_one_each_time(house: House, what: str) -> None:
    kind, body = PLAYED[what]
    before = len(posted(house, kind))
    first = play(house, what, body, "k-1")
    events, expenses = Event.objects.count(), Expense.objects.count()
    again = play(house, what, body, "k-1")
    assert (first.status_code, again.status_code) == ((201, 201) if what == "expenses" else (200, 200))
    assert len(posted(house, kind)) == before + 1
    assert (Event.objects.count(), Expense.objects.count()) == (events, expenses)
    if what == "expenses":
        ids = [[one["_id"] for one in answer.json()["expenses"]] for answer in (first, again)]
        assert sorted(ids[0]) == sorted(ids[1])
    else:
        assert first.json()["balances"] == again.json()["balances"]
    for key in ("k-2", "", ""):
        assert play(house, what, body, key).status_code < 300
    assert len(set(posted(house, kind))) == before + 4


@pytest.mark.parametrize("what", PLAYED)
def test_another_body_under_the_key_is_refused(house: House, what: str) -> None:
    kind, body = PLAYED[what]
    assert play(house, what, body, "k-1").status_code < 300
    before = posted(house, kind)
    refused = play(house, what, {name: value + 1 for name, value in body.items()}, "k-1")
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
    assert posted(house, kind) == before
