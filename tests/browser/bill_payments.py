"""A bill that is entered by hand and paid on its pages: its payment requested, voted on by whoever may, and worked on by the
rails."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import date
from typing import Any

import requests
from playwright.sync_api import Page, expect

from tests.browser.desk import COPIED_S, HANG_S, Desk
from tests.browser.office import Office
from tests.sandbox import sandbox_headers


def enter_bill(clerk: Desk, vendor: str, number: str, issued: date, price: str) -> str:
    """Enters a bill of one line of the vendor of this name; its id."""
    page = clerk.open_with("/{b}/bills/new/", f"#id_vendor_id option:text-is('{vendor}')")
    page.get_by_label("Vendor", exact=True).select_option(label=vendor)
    page.get_by_label("Number", exact=True).fill(number)
    page.get_by_label("Issued", exact=True).fill(issued.isoformat())
    line = page.get_by_role("group", name="Line 1")
    line.get_by_label("Description").fill("Cleaning")
    line.get_by_label("Quantity").fill("1")
    line.get_by_label("Unit price").fill(price)
    page.get_by_role("button", name="Save bill").last.click()
    expect(page.get_by_role("heading", name=number, level=1)).to_be_visible()
    return page.url.rstrip("/").rsplit("/", 1)[-1]


def request_payment(clerk: Desk, bill_id: str, wallet: str, amount: re.Pattern[str]) -> None:
    """Requests that all of the bill is paid from the wallet of this reference; its page then says the amount."""
    page = clerk.open_with(f"/{{b}}/bills/{bill_id}/pay/", f'option[value="{wallet}"]')
    page.get_by_label("From wallet").select_option(wallet)
    page.get_by_role("button", name="Request approval").click()
    clerk.verified(page.get_by_role("region", name="Payments").get_by_text(amount))


def approve_payment(desk: Callable[..., Desk], office: Office, bill_id: str, ref: str) -> None:
    """Gives all votes that the payment wants, each on the page that its bill leads to."""
    names = {remote_id: name for name, remote_id in office.people.items()}
    while (waiting := request_of(office, ref))["status"] == "PENDING":
        voted = {vote["employee_id"] for vote in waiting["votes"]}
        seat = next(seat["employee_id"] for seat in waiting["eligible"] if seat["employee_id"] not in voted)
        _approve(desk(names[seat].lower()), bill_id)
        ends = time.monotonic() + HANG_S
        while len(request_of(office, ref)["votes"]) == len(voted):
            assert time.monotonic() < ends, "the vote did not arrive"
            time.sleep(0.5)


def request_of(office: Office, ref: str) -> dict[str, Any]:
    """The request for votes on a payment, as the service has it."""
    found: dict[str, Any] = office.ask("", "GET", f"/approvals/all?ref={ref}")["docs"][0]
    return found


def _approve(voter: Desk, bill_id: str) -> None:
    page = voter.open_with(f"/{{b}}/bills/{bill_id}/", "a:text-is('Open in approvals')")
    page.get_by_role("link", name="Open in approvals").click()
    approved = page.locator("#toasts").get_by_text("You approved")
    _press_approve(page)
    expect(approved.or_(page.locator("[name=password], [name=code]")).first).to_be_visible()
    if "reauthenticate" in page.url:
        # Who signed in some minutes ago is led back to the item, and decides there.
        voter.prove_it_is_me()
        _press_approve(page)
        expect(approved.first).to_be_visible()


def _press_approve(page: Page) -> None:
    approve, blocked = page.get_by_role("button", name="Approve", exact=True), page.locator("#pane .blocked")
    expect(approve.or_(blocked).first).to_be_visible()
    if not blocked.count():
        approve.click()
        return
    # At night a policy of the demo blocks what is spent then.
    page.keyboard.press("a")
    expect(page.locator("#reason-override")).to_be_focused()
    page.keyboard.type("Checked with the vendor.")
    page.get_by_role("button", name="Override and approve").click()


def paid_transaction(office: Office, ref: str) -> dict[str, Any]:
    """The transaction that a payment became, once the rails have worked on it."""
    ends = time.monotonic() + COPIED_S
    while time.monotonic() < ends:
        settle(office)
        rows = office.ask("", "GET", "/transactions?limit=200")["docs"]
        if found := [row for row in rows if row["ref"] == ref]:
            transaction: dict[str, Any] = found[0]
            return transaction
        time.sleep(0.5)
    raise AssertionError(office.ask("", "GET", f"/bills/payments/{ref}/status")["status"])


def settle(office: Office) -> None:
    """The rails work on what is due."""
    assert requests.post(f"{office.sandbox}/settle", headers=sandbox_headers(), timeout=HANG_S).ok
