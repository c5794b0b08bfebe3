"""A bill from its file to its approval: dropped, one field corrected, saved, approval requested, approved in the inbox."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from playwright.sync_api import Page, expect

from tests.browser.conftest import Desk
from tests.dashboard.documents import papers


def show_that_it_is_me(window: Desk, page: Page) -> None:
    """Goes through the step-up, where the page asks for it."""
    if "reauthenticate" in page.url:
        window.prove_it_is_me()
        page.get_by_role("button", name="Continue").click()


def test_a_dropped_bill_is_corrected_saved_and_its_payment_requested(
    desk: Callable[..., Desk], demo: dict[str, Any]
) -> None:
    number = f"INV-{uuid4().hex[:8].upper()}"
    ada = desk("ada")
    page = ada.open("/{b}/bills/new/")
    vendor = page.get_by_label("Vendor", exact=True).locator("option").nth(1).inner_text()
    lines = [
        vendor,
        ("Invoice date", "18 Nov 2026"),
        ("Subtotal", "1,000.00"),
        ("VAT 16 %", "160.00"),
        ("Total", "KES 1,160.00"),
    ]
    file = {"name": "bill.pdf", "mimeType": "application/pdf", "buffer": papers.pdf(lines)}
    page.get_by_label("PDF or picture of the bill").set_input_files(file)
    page.get_by_role("button", name="Read file").click()
    expect(page.get_by_text("Each value says where it was read")).to_be_visible()
    expect(page.get_by_label("Unit price")).to_have_value("1000.00")
    # What the document does not say is not guessed.
    expect(page.get_by_label("Number", exact=True)).to_have_value("")
    page.get_by_label("Number", exact=True).fill(number)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=number, level=1)).to_be_visible()

    page.get_by_role("link", name="Pay bill").click()
    page.get_by_role("button", name="Request approval").click()
    expect(page.get_by_text("Approval of BP-").or_(page.locator("[name=password]"))).to_be_visible()
    show_that_it_is_me(ada, page)
    expect(page.get_by_text("Approval of BP-")).to_be_visible()
    expect(page.get_by_role("region", name="Payments").get_by_text("Awaiting approval")).to_be_visible()
