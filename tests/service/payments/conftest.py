"""What payout tests stand on: a business, with or without mandates, and payouts of it."""

from collections.abc import Callable
from typing import Any

import pytest

from service.approvals.models import Mandate
from service.payments.queue import EXECUTE
from tests.service.house import House

PHONE = "254712345678"


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the worker is asked for is kept here instead: each test pays when it wants to."""
    requested: list[str] = []
    monkeypatch.setattr(
        "service.enqueue.send", lambda task, *args: requested.append(args[0]) if task == EXECUTE else None
    )
    return requested


@pytest.fixture
def unmandated(house: House) -> House:
    """A business in which nobody must vote."""
    Mandate.objects.filter(business=house.business).update(active=False)
    return house


@pytest.fixture
def committed_house(committed: None) -> House:
    """A business that is really there, for threads."""
    return House()


def item(amount: float = 1500.5, account: str = PHONE, **more: Any) -> dict[str, Any]:
    """A payment to a phone."""
    named = {"receiver_name": f"Payee {account[-4:]}", "channel": "MPESA_SEND_MONEY", "account": account}
    return {**named, "amount": amount, **more}


def draft(house: House, *items: dict[str, Any], by: str | None = "Ada", **more: Any) -> dict[str, Any]:
    """A payout in DRAFT, made by an admin."""
    body = {"name": "January", "org_wallet_ref": "1", "items": list(items) or [item()], **more}
    answer = house.post("/payments", body, by=by)
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def initiated(house: House, *items: dict[str, Any], by: str = "Ada", **more: Any) -> dict[str, Any]:
    """A payout that was initiated."""
    created = draft(house, *items, by=by, **more)
    answer = house.send("PATCH", f"/payments/{created['batch_no']}/initiate", by=by)
    assert answer.status_code == 200, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def state(house: House, batch_no: str) -> dict[str, Any]:
    """The payout with its items as it is now."""
    found: dict[str, Any] = house.get(f"/payments?batch_no={batch_no}").json()["docs"][0]
    return found


Make = Callable[..., dict[str, Any]]
