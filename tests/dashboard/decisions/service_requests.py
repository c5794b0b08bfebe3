"""Things that wait for a decision, asked for at the running service by somebody of the cast."""

from __future__ import annotations

import itertools
import os
import time
from datetime import timedelta
from typing import Any

import requests

from dashboard.client.json import read_json
from tests.dashboard.conftest import World
from tests.days import business_day

numbers = itertools.count(1)


def ask(world: World, who: str, method: str, path: str, body: Any = None) -> Any:
    """Something that somebody of the cast asks of the service itself."""
    answer = requests.request(
        method,
        f"{world.service}/v2{path}",
        json=body,
        headers={
            "Authorization": f"Bearer {world.token()}",
            "business_id": world.made["business_id"],
            "X-Acting-Employee": world.employee(who)["employee_id"],
            "Idempotency-Key": f"asked-{next(numbers)}-{os.getpid()}-{world.made['business_id']}",
        },
        timeout=30,
    )
    assert answer.ok, answer.text
    return read_json(answer.content) if answer.content else None


def card_order(world: World, who: str = "Carla") -> Any:
    """Somebody orders a physical card."""
    return ask(world, who, "POST", "/cards/physical/orders/request", {"name": f"Travel {next(numbers)}"})


def card_request(world: World, who: str = "Carla", amount: int = 5000) -> Any:
    """Somebody asks for a single-use card."""
    body = {"amount": amount, "purpose": f"Ticket {next(numbers)}"}
    return ask(world, who, "POST", "/cards/single-use/requests", body)


def fund_opt_in(world: World, who: str = "Ada", place: int = 0) -> Any:
    """Somebody asks to hold a fund of the catalogue."""
    fund = ask(world, who, "GET", "/investments/funds")["docs"][place]
    return ask(world, who, "POST", "/investments/opt-in", {"fund_id": fund["_id"], "note": "Reserves"})


def hand_transaction(world: World, who: str = "Ada") -> Any:
    """Somebody writes a top-up down by hand."""
    body = {"type": "TOPUP", "org_wallet_ref": "1", "amount": 2500, "counterparty": "Acme Ltd", "description": "Cash"}
    return ask(world, who, "POST", "/transactions/new", body)


def bill_payment(world: World, who: str = "Ada", amount: int = 11_600) -> Any:
    """A vendor's bill with a payment that waits for votes."""
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000_000)
    number, today = next(numbers), business_day()
    vendor = ask(world, who, "POST", "/vendors", _vendor(number))
    bill = ask(world, who, "POST", "/bills", _bill(vendor["_id"], number, amount, today))
    payment = ask(world, who, "POST", f"/bills/{bill['_id']}/payments", {})
    path = f"/bills/{bill['_id']}/payments/{payment['payment_ref']}/request-approval"
    asked_for = ask(world, who, "PATCH", path)
    _numbered(world, "bill_payment.approval_requested", payment["payment_ref"])
    return asked_for


def _numbered(world: World, kind: str, ref: str) -> None:
    """Waits until the service has numbered an event: a copy that reads the feed in between would stop at the one before."""
    after, ends = 0, time.monotonic() + 60
    while time.monotonic() < ends:
        rows = world.upstream("/events", after=after, limit=500)["docs"]
        if any(row["type"] == kind and ref in str(row["data"]) for row in rows):
            return
        after = rows[-1]["sequence"] if rows else after
        time.sleep(0 if len(rows) == 500 else 0.1)
    raise AssertionError(f"{kind} of {ref} was not numbered within a minute")


def _vendor(number: int) -> dict[str, Any]:
    return {
        "name": f"Tyres {number} Ltd",
        "payment_instructions": [{"channel": "MPESA_TILL", "account": f"77{number:04}"}],
    }


def _bill(vendor_id: str, number: int, amount: int, today: Any) -> dict[str, Any]:
    return {
        "vendor_id": vendor_id,
        "bill_no": f"INV-{number}-{vendor_id[-4:]}",
        "currency": "KES",
        "issued_at": today.isoformat(),
        "due_at": (today + timedelta(days=1)).isoformat(),
        "line_items": [{"description": "Tyres", "qty": 1, "unit_price": amount}],
    }
