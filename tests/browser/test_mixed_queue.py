"""An approver clears a mixed queue of forty by keyboard alone: expenses, bills, payouts, cards, funds, transactions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser.conftest import HANG_S, Desk

Spend = Callable[[int], list[dict[str, Any]]]
EXPENSES, ORDERS, CARDS, TRANSACTIONS, BILLS, PAYOUTS = 22, 5, 4, 3, 4, 2
QUEUE = EXPENSES + ORDERS + CARDS + TRANSACTIONS + BILLS + PAYOUTS
HANG_QUEUE_S = 600
# So many of each are asked for, and at least one expense stands among the newest fifty.
KINDS = {
    "expense": 1, "card-order": ORDERS, "card-request": CARDS, "hand-transaction": TRANSACTIONS,
    "payment": BILLS + PAYOUTS,
}  # fmt: skip


class Office:
    """The first business at its service, where people of the demo ask for things."""

    def __init__(self, demo: dict[str, Any]) -> None:
        service = demo["service"]
        self.address, self.business = service["address"], service["businesses"][0]
        answer = requests.post(
            f"{self.address}/oauth/token",
            data={"grant_type": "client_credentials"},
            auth=(self.business["client_id"], self.business["client_secret"]),
            timeout=HANG_S,
        )
        self.token = answer.json()["access_token"]
        rows = self.ask("", "GET", "/employees?limit=200")["docs"]
        self.people = {row["name"].split()[0]: row["_id"] for row in reversed(rows) if row["status"] == "ACTIVE"}

    def ask(self, who: str, method: str, path: str, body: Any = None) -> Any:
        """Something that somebody asks of the service."""
        headers = {
            "Authorization": f"Bearer {self.token}",
            "business_id": self.business["business_id"],
            "Idempotency-Key": f"queue-{time.time_ns()}",
        }
        if who:
            headers["X-Acting-Employee"] = self.people[who]
        answer = requests.request(method, f"{self.address}/v2{path}", json=body, headers=headers, timeout=HANG_S)
        assert answer.ok, answer.text
        return answer.json() if answer.content else None


@pytest.fixture
def office(demo: dict[str, Any]) -> Iterator[Office]:
    return Office(demo)


def bill(office: Office, number: int) -> None:
    today = datetime.now(UTC).date()
    account = {"channel": "MPESA_TILL", "account": f"77{number:04}"}
    name = f"Queue {number} {time.time_ns() % 10**9}"
    vendor = office.ask("Ada", "POST", "/vendors", {"name": name, "payment_instructions": [account]})
    made = office.ask(
        "Ada", "POST", "/bills",
        {
            "vendor_id": vendor["_id"], "bill_no": f"Q-{time.time_ns()}", "currency": "KES",
            "issued_at": today.isoformat(), "due_at": (today + timedelta(days=2)).isoformat(),
            "line_items": [{"description": "Tyres", "qty": 1, "unit_price": 4200 + number}],
        },
    )  # fmt: skip
    payment = office.ask("Ada", "POST", f"/bills/{made['_id']}/payments", {})
    office.ask("Ada", "PATCH", f"/bills/{made['_id']}/payments/{payment['payment_ref']}/request-approval")


def payout(office: Office, number: int) -> None:
    item = {"receiver_name": "Grace Achieng", "channel": "MPESA_SEND_MONEY", "account": "254712345678"}
    body = {"name": f"Casual work {number}", "org_wallet_ref": "1", "items": [{**item, "amount": 3100 + number}]}
    batch = office.ask("Ada", "POST", "/payments", body)["batch_no"]
    office.ask("Ada", "PATCH", f"/payments/{batch}/initiate")


def fill(office: Office, spend: Spend) -> None:
    """Everything that the approver will find, the newest."""
    for number in range(BILLS):
        bill(office, number)
    for number in range(PAYOUTS):
        payout(office, number)
    for number in range(ORDERS):
        office.ask("Carla", "POST", "/cards/physical/orders/request", {"name": f"Travel {number}"})
    # Nobody has many of these open at once.
    others = [who for who in office.people if who not in {"Apollo", "Carla"}]
    for number in range(CARDS):
        wanted = {"amount": 900 + number, "purpose": f"Ticket {number}"}
        office.ask(others[number], "POST", "/cards/single-use/requests", wanted)
    for number in range(TRANSACTIONS):
        wanted = {"type": "TOPUP", "org_wallet_ref": "1", "amount": 2500 + number, "counterparty": "Acme Ltd"}
        office.ask("Ada", "POST", "/transactions/new", {**wanted, "description": f"Cash {number}"})
    spend(EXPENSES)


def kinds_on(page: Page) -> dict[str, int]:
    found: dict[str, int] = {}
    for key in page.locator("#rows tr").evaluate_all("rows => rows.map(row => row.dataset.row)"):
        found[key.split("/")[0]] = found.get(key.split("/")[0], 0) + 1
    return found


def until_there(page: Page) -> None:
    """The copy follows the service's events, and reads what waits each minute: until all of each kind is there, since
    rows of the demo that stand below are of the same kinds."""
    ends = time.monotonic() + 4 * HANG_S
    while any(kinds_on(page).get(kind, 0) < count for kind, count in KINDS.items()):
        assert time.monotonic() < ends, kinds_on(page)
        page.wait_for_timeout(2000)
        page.reload()


def test_a_mixed_queue_of_forty_is_cleared_by_keyboard_alone(
    desk: Callable[..., Desk], spend: Spend, office: Office
) -> None:
    assert QUEUE == 40
    fill(office, spend)
    # Whoever has just signed in need not show again that it is they.
    person = desk("apollo", fresh=True)
    page = person.go("/{b}/approvals/")
    until_there(page)
    item, decided = page.locator("[data-item]"), dict.fromkeys(KINDS, 0)
    item.wait_for()
    began = time.monotonic()
    for number in range(QUEUE):
        key = item.get_attribute("data-item") or ""
        decided[key.split("/")[0]] = decided.get(key.split("/")[0], 0) + 1
        if number % 10 == 9:
            page.keyboard.press("r")
            page.keyboard.type("Not for the business.")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        else:
            is_blocked = page.locator("#pane .blocked").count() > 0
            page.keyboard.press("a")
            if is_blocked:
                page.keyboard.type("Checked with the spender.")
                page.keyboard.press("Control+Enter")
        expect(page.locator(f'tr[data-row="{key}"]')).to_have_count(0)
        expect(item).not_to_have_attribute("data-item", key)
    took = time.monotonic() - began
    print(f"\n{QUEUE} items in {took:.1f} s by keyboard alone: {decided}")
    assert took < HANG_QUEUE_S
    assert sum(decided.values()) == QUEUE
    # Other tests leave things of their own behind: four kinds at least are among the newest forty.
    assert sum(count > 0 for count in decided.values()) >= 4
    settled(person.go("/{b}/decisions/"))


def settled(page: Page) -> None:
    """Nothing of it is open any more, and nothing was refused."""
    states = page.locator("#rows-of-decisions tbody .state")
    ends = time.monotonic() + 4 * HANG_S
    while not set(states.all_inner_texts()) <= {"Done"}:
        texts = states.all_inner_texts()
        assert "Refused" not in texts
        assert time.monotonic() < ends, texts
        page.wait_for_timeout(1000)
        page.reload()
