"""Vendors and bills that somebody entered at the service itself, past the dashboard."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import requests

from dashboard.mirror.models import Bill, Vendor
from dashboard.mirror.schedule import today
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import _numbered as numbered
from tests.dashboard.decisions.service_requests import ask, numbers


def vendor(world: World, name: str = "", *, account: str = "", **more: Any) -> Any:
    """A vendor with one M-Pesa till, which came with it and is in use; how it ends decides what the rail does (docs/rails.md)."""
    number = next(numbers)
    accounts = [{"channel": "MPESA_TILL", "account": account or f"77{1000 + number}"}]
    body = {"name": name or f"Paper {number} Ltd", "payment_instructions": accounts, **more}
    return ask(world, "Ada", "POST", "/vendors", body)


def bill(
    world: World, of: Any = None, *, amount: int = 1000, due: int = 10, issued: int = 0, number: str = "", **more: Any
) -> Any:
    """A bill of a vendor over `amount` whole units: issued and due so many days from now."""
    of, now = of or vendor(world), today(world.business)
    body = {
        "vendor_id": of["_id"], "bill_no": number or f"INV-{next(numbers)}",
        "issued_at": (now + timedelta(days=min(issued, due))).isoformat(), "due_at": (now + timedelta(days=due)).isoformat(),
        "line_items": [{"description": "Paper", "qty": 1, "unit_price": amount}], **more,
    }  # fmt: skip
    made = ask(world, "Ada", "POST", "/bills", body)
    numbered(world, "bill.created", made["_id"])
    return made


def payment(world: World, of: Any, *, amount: int | None = None, request: bool = True) -> Any:
    """A payment of a bill from the main wallet, its approval requested unless it stays a draft."""
    body = {} if amount is None else {"amount": amount}
    added = ask(world, "Ada", "POST", f"/bills/{of['_id']}/payments", body)
    path = f"/bills/{of['_id']}/payments/{added['payment_ref']}/request-approval"
    if not request:
        return added
    requested = ask(world, "Ada", "PATCH", path)
    numbered(world, "bill_payment.approval_requested", added["payment_ref"])
    return requested


def upload(world: World, content: bytes, name: str = "bill.pdf") -> Any:
    """A file that Ada uploads; not attached to anything."""
    headers = {
        "Authorization": f"Bearer {world.token()}", "business_id": world.made["business_id"],
        "X-Acting-Employee": world.employee("Ada")["employee_id"],
    }  # fmt: skip
    files = {"file": (name, content)}
    answer = requests.post(f"{world.service}/v2/bills/files", headers=headers, files=files, timeout=30)
    assert answer.ok, answer.text
    return answer.json()


def copied(world: World, number: str) -> Bill:
    """The bill of that number as the copy has it."""
    return Bill.objects.get(business=world.business, bill_no=number)


def copied_vendor(world: World, name: str) -> Vendor:
    """The vendor of that name as the copy has it."""
    return Vendor.objects.get(business=world.business, name=name)


def page(world: World, person: str, rest: str) -> str:
    """A page as somebody gets it."""
    return str(world.client(person).get(world.address(rest)).content.decode())


def day(business_day: date, days: int) -> str:
    """A day so many days on, as an address writes it."""
    return (business_day + timedelta(days=days)).isoformat()
