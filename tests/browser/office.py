"""People of the demo at the service itself, past the dashboard: what they ask for, spend and attach."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import requests
from playwright.sync_api import Page, expect

from tests.browser.desk import COPIED_S, HANG_S, Desk
from tests.dashboard.documents import papers
from tests.sandbox import sandbox_headers

# So many were approved at a merchant before, at these amounts: what lies between them is usual there.
USUAL = (20, 30, 90)
# Nobody decides on their own, nor checks it.
DECIDERS = {"Apollo", "Zawadi"}


class Office:
    """A business at its service, the first one unless another is named, where people of the demo ask for things."""

    def __init__(self, demo: dict[str, Any], number: int = 0) -> None:
        service = demo["service"]
        self.address, self.business = service["address"], service["businesses"][number]
        self.sandbox = f"{self.address}/sandbox/businesses/{self.business['business_id']}"
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


def judge_at_any_hour(office: Office) -> None:
    """Switches off the demo's policies of days and hours: what a test makes at night is no other than what it makes by day."""
    groups = office.ask("", "GET", f"/business-policies/summary/{office.business['business_id']}")["groups"]
    rows = [row for group in groups for row in group["policies"] if row["type"] == "DAY_TIME"]
    assert rows
    for row in rows:
        office.ask("Ada", "PUT", f"/business-policies/{row['_id']}", {"status": "INACTIVE"})


def spend_clean(office: Office, merchant: str, count: int) -> list[str]:
    """So many expenses that nothing speaks against: at a merchant where three were approved before, each with a receipt that
    says the same. Their ids."""
    for amount in USUAL:
        usual = swipe(office, merchant, amount, amount)
        office.ask("Apollo", "POST", f"/expenses/approve/{usual['_id']}", {})
    expenses = [swipe(office, merchant, USUAL[0] + 1 + number, number) for number in range(count)]
    for expense in expenses:
        attach(office, expense)
    return [str(expense["_id"]) for expense in expenses]


def swipe(office: Office, merchant: str, amount: int, number: int) -> dict[str, Any]:
    """An expense at a merchant, without a receipt, so many seconds after noon of yesterday: of the first person whose card
    has room for it, another one for each number."""
    # The same day in every time zone of the demo.
    noon = datetime.now(UTC).replace(hour=9, minute=0, second=0, microsecond=0) - timedelta(days=1)
    spenders = sorted(set(office.people) - DECIDERS)
    for place in range(len(spenders)):
        who = spenders[(number + place) % len(spenders)]
        body = {
            "employee_id": office.people[who], "merchant": merchant, "amount": amount,
            "at": (noon + timedelta(seconds=number)).isoformat(),
        }  # fmt: skip
        answer = requests.post(f"{office.sandbox}/swipe", json=body, headers=sandbox_headers(), timeout=HANG_S)
        assert answer.ok, answer.text
        expense: dict[str, Any] | None = answer.json()["expense"]
        if expense:
            return expense
    raise AssertionError("no card has room")


def attach(office: Office, expense: dict[str, Any]) -> None:
    """Attaches a receipt that says what the expense says."""
    minor = expense["amount_minor"]
    total = f"{expense['currency']} {minor // 100:,}.{minor % 100:02}"
    content = papers.pdf([expense["receiver"], ("Invoice date", expense["transaction_date"][:10]), ("Total", total)])
    sent = requests.post(
        f"{office.sandbox}/receipt-file",
        data={"expense_id": expense["_id"]},
        files={"file": ("receipt.pdf", content)},
        headers=sandbox_headers(),
        timeout=HANG_S,
    )
    assert sent.ok, sent.text


def open_clean_lane(window: Desk, merchant: str, count: int) -> Page:
    """Goes to what looks clean at a merchant, by keyboard alone, and waits there until so many expenses have been read."""
    page = window.open("/{b}/approvals/")
    page.keyboard.press("Control+k")
    page.keyboard.type("looks clean")
    expect(page.locator("#found a").first).to_contain_text("Looks clean")
    page.keyboard.press("Enter")
    page.wait_for_url("**lane=clean**")
    page.keyboard.press("/")
    page.keyboard.type(merchant)
    page.keyboard.press("Enter")
    page.wait_for_url("**q=**")
    ends = time.monotonic() + COPIED_S
    while (found := page.locator("#rows tr").count()) < count:
        assert time.monotonic() < ends, f"{found} of {count} are in the lane"
        page.wait_for_timeout(2000)
        page.reload()
    expect(page.locator("#review-count")).to_have_text(str(count))
    return page


def tab_to(page: Page, name: str) -> None:
    """Goes to a button of this name by Tab alone."""
    button = page.get_by_role("button", name=name, exact=True)
    expect(button).to_be_visible()
    for _ in range(200):
        if button.evaluate("button => button === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{name} is not reached by Tab")
