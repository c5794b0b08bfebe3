"""Receipts and bills with files of our own, at the running service."""

from __future__ import annotations

from typing import Any

import requests

from dashboard.client.json import read_json
from dashboard.documents import cache
from dashboard.mirror.apply import upsert_expenses
from dashboard.mirror.models import Approval, Expense
from dashboard.mirror.sync import run_band
from tests.dashboard.conftest import World
from tests.dashboard.decisions import service_requests
from tests.days import business_day
from tests.sandbox import sandbox_headers


def expense_of(world: World, who: str = "Carla") -> Expense:
    """A pending expense of somebody, without a receipt."""
    people = [world.employee(who)["employee_id"]]
    made = world.sandbox("expenses", count=1, employee_ids=people, receipts=False)["expenses"]
    return mirrored(world, made[0])


def with_receipt(world: World, expense: Expense, content: bytes, name: str = "invoice.pdf") -> Expense:
    """The spender sends a file in; the expense as the copy has it then."""
    answer = requests.post(
        f"{world.service}/sandbox/businesses/{world.made['business_id']}/receipt-file",
        data={"expense_id": expense.remote_id}, files={"file": (name, content)},
        headers=sandbox_headers(), timeout=30,
    )  # fmt: skip
    assert answer.ok, answer.text
    return mirrored(world, read_json(answer.content))


def mirrored(world: World, payload: Any) -> Expense:
    """An expense of the service, in the copy."""
    upsert_expenses(world.business, [payload], "FEED")
    found: Expense = Expense.objects.get(business=world.business, remote_id=payload["_id"])
    return found


def address(world: World, expense: Expense, place: int = 0) -> str:
    """Where a receipt of the expense is shown."""
    return world.address(f"documents/expense/{expense.remote_id}/{expense.payload['receipts'][place]['_id']}/")


def bill_payment(world: World, content: bytes, amount: int = 1284) -> Approval:
    """A payment that waits for approval, of a bill with this file."""
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000_000)
    number, today = next(service_requests.numbers), business_day()
    vendor = service_requests.ask(world, "Ada", "POST", "/vendors", service_requests._vendor(number))
    body = service_requests._bill(vendor["_id"], number, amount, today)
    bill = service_requests.ask(world, "Ada", "POST", "/bills", body)
    headers = {
        "Authorization": f"Bearer {world.token()}", "business_id": world.made["business_id"],
        "X-Acting-Employee": world.employee("Ada")["employee_id"],
    }  # fmt: skip
    sent = requests.post(
        f"{world.service}/v2/bills/files", headers=headers, files={"file": ("bill.pdf", content)}, timeout=30
    )
    assert sent.ok, sent.text
    attached = {"file_ids": [sent.json()["_id"]]}
    service_requests.ask(world, "Ada", "POST", f"/bills/{bill['_id']}/attachments", attached)
    payment = service_requests.ask(world, "Ada", "POST", f"/bills/{bill['_id']}/payments", {})
    path = f"/bills/{bill['_id']}/payments/{payment['payment_ref']}/request-approval"
    paid = service_requests.ask(world, "Ada", "PATCH", path)
    service_requests._numbered(world, "bill_payment.approval_requested", payment["payment_ref"])
    run_band(world.business, "approvals")
    run_band(world.business, "requests")
    found: Approval = Approval.objects.get(business=world.business, ref=paid["payment_ref"])
    return found


def total_of(expense: Expense, *, off: int = 0) -> str:
    """The amount of an expense as a receipt prints it, some minor units off."""
    minor = expense.amount_minor + off
    return f"{minor // 100:,}.{minor % 100:02}"


def instead(world: World, expense: Expense, content: bytes) -> None:
    """Puts bytes in the place of the first receipt's, as another service than ours would have given them: ours takes no
    file that is damaged, has a password or a script."""
    named = ("content", str(world.business.pk), "expense", expense.remote_id, expense.payload["receipts"][0]["_id"])
    cache.store(cache.digest(*named), content)
