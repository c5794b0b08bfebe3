"""Bills of a vendor, their payments, and the votes on them, over HTTP."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.accounts.wallets import wallet_by_ref
from service.approvals.models import Mandate
from service.bills import execution
from service.bills.models import Attempt, BillPayment
from service.bills.queue import EXECUTE
from service.ledger.balances import balance
from tests.service.house import House
from tests.service.vendors.conftest import account, vendor

OPENING = 5_000_000_000


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


def till(ending: str = "1111") -> dict[str, Any]:
    """An account without fees, with a magic ending (docs/rails.md)."""
    return account(f"77{ending}", channel="MPESA_TILL")


def bill(house: House, amount: float = 1160, *, by: str | None = "Ada", **more: Any) -> dict[str, Any]:
    """An open bill of a new vendor who is paid on a till, unless a vendor is named."""
    vendor_id = more.pop("vendor_id", None) or vendor(house, more.pop("till", till()), by=by)["_id"]
    sums = {} if "line_items" in more else {"subtotal": amount, "tax_amount": 0}
    body = {"bill_no": "INV-1", "vendor_id": vendor_id, "issued_at": "2026-01-05", **sums, **more}
    answer = house.post("/bills", body, by=by)
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def add(house: House, created: dict[str, Any], amount: float | None = None, by: str | None = "Ada", **more: Any) -> Any:
    """The raw answer of adding a payment; of all that is left, unless an amount is named."""
    body = more if amount is None else {"amount": amount, **more}
    return house.post(f"/bills/{created['_id']}/payments", body, by=by)


def request_votes(house: House, row: dict[str, Any], by: str | None = "Ada") -> Any:
    """The raw answer of requesting approval."""
    return house.send("PATCH", f"/bills/{row['bill_id']}/payments/{row['payment_ref']}/request-approval", by=by)


def say(house: House, row: dict[str, Any], verb: str, by: str | None = "Apollo", **body: Any) -> Any:
    """The raw answer of approve, reject (with a reason) or withdraw."""
    path = f"/bills/{row['bill_id']}/payments/{row['payment_ref']}/{verb}"
    return house.post(path, {"reason": "No", **body} if verb == "reject" else (body or None), by=by)


def payment_in_approval(house: House, amount: float = 1160, **more: Any) -> dict[str, Any]:
    """A payment of all of a new bill, for which approval was asked."""
    answer = request_votes(house, add(house, bill(house, amount, **more)).json())
    assert answer.status_code == 200, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def pay(row: dict[str, Any]) -> str:
    """What a worker does."""
    return execution.execute(row["_id"])


def later(row: dict[str, Any], seconds: int = 10) -> None:
    """As if its attempts had been sent earlier."""
    sent = Attempt.objects.filter(payment_id=row["_id"], sent_at__isnull=False)
    sent.update(sent_at=timezone.now() - timedelta(seconds=seconds))


def status(row: dict[str, Any]) -> str:
    return BillPayment.objects.get(pk=row["_id"]).status


def has(house: House) -> tuple[int, int]:
    """What the first wallet has posted and reserved."""
    found = balance(wallet_by_ref(house.business, "1").ledger_account_id)
    return found.posted, found.pending_out
