"""A bill of a closed month, entered and paid in the browser after the close."""

from __future__ import annotations

import time
from datetime import date
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import COPIED_S, Desk
from tests.browser.office import Office

# Whoever may vote on a payment of the second business, one after the other.
VOTERS = ("Olga", "Ole", "Ottilie")


def late_vendor(office: Office, mark: str) -> dict[str, Any]:
    """A vendor with an account in euros that its payment reaches."""
    account = {
        "channel": "BANK_SWIFT", "account": f"NL91ABNA04171{int(mark, 16) % 9000 + 1000}", "bank_code": "INGBNL2A",
        "account_name": f"Late {mark} BV",
    }  # fmt: skip
    body = {"name": f"Late {mark} BV", "currency": "EUR", "country": "NL", "payment_instructions": [account]}
    vendor: dict[str, Any] = office.ask("Otto", "POST", "/vendors", body)
    return vendor


def enter_bill(otto: Desk, vendor: dict[str, Any], number: str, issued: date) -> str:
    """Enters the bill and says so; its id."""
    page = otto.open_with("/{b}/bills/new/", f'option[value="{vendor["_id"]}"]')
    page.get_by_label("Vendor", exact=True).select_option(vendor["_id"])
    page.get_by_label("Number", exact=True).fill(number)
    page.get_by_label("Issued", exact=True).fill(issued.isoformat())
    line = page.get_by_role("group", name="Line 1")
    line.get_by_label("Description", exact=True).fill("Cleaning")
    line.get_by_label("Quantity", exact=True).fill("1")
    line.get_by_label("Unit price", exact=True).fill("12.34")
    page.get_by_role("button", name="Save bill").last.click()
    expect(page.get_by_role("link", name="Pay bill")).to_be_visible()
    return page.url.rstrip("/").rsplit("/", 1)[-1]


def request_payment(otto: Desk, bill_id: str, wallet: str) -> None:
    """Requests that it is paid from the wallet; who signed in a while ago is asked who they are first."""
    page = otto.open_with(f"/{{b}}/bills/{bill_id}/pay/", f'option[value="{wallet}"]')
    _fill_payment(page, wallet)
    paying = page.get_by_role("region", name="Payments")
    expect(paying.or_(page.locator("[name=password], [name=code]")).first).to_be_visible()
    if "reauthenticate" in page.url:
        otto.prove_it_is_me()
        page = otto.open(f"/{{b}}/bills/{bill_id}/pay/")
        _fill_payment(page, wallet)
    expect(paying).to_contain_text("12.34")


def _fill_payment(page: Page, wallet: str) -> None:
    page.get_by_label("From wallet").select_option(wallet)
    page.get_by_role("button", name="Request approval").click()


def paid_transaction(office: Office, bill_id: str) -> dict[str, Any]:
    """The transaction of its payment, once everybody who is asked has voted for it and the bank has it."""
    ends = time.monotonic() + COPIED_S
    while time.monotonic() < ends:
        [ref] = office.ask("", "GET", f"/bills/{bill_id}")["payments"]
        for voter in VOTERS:
            if office.ask("", "GET", f"/bills/payments/{ref}/status")["status"] == "PENDING_APPROVAL":
                office.ask(voter, "POST", f"/bills/{bill_id}/payments/{ref}/approve")
        rows = office.ask("", "GET", "/transactions?limit=200")["docs"]
        if found := [row for row in rows if row["ref"] == ref]:
            transaction: dict[str, Any] = found[0]
            return transaction
        time.sleep(1)
    raise AssertionError("it is not paid")
