"""The books' desk: a transaction is entered by one and found in the inbox by another; a purchase's document is added, looked
at in place and removed, by mouse and without a script."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.dashboard.documents import papers

INVOICE = {"name": "invoice.pdf", "mimeType": "application/pdf", "buffer": papers.pdf(papers.INVOICE)}


def nothing_wrong(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert not found, [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found]
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), "it scrolls sideways"


def purchase(desk: Desk) -> Page:
    """The page of the newest purchase."""
    page = desk.open_with("/{b}/transactions/?type=EXPENSE", "tbody tr a")
    page.locator("tbody tr a").first.click()
    expect(page.get_by_role("heading", name="Documents", exact=True)).to_be_visible()
    return page


def test_a_transaction_is_entered_by_one_and_waits_for_another(desk: Callable[..., Desk]) -> None:
    name = f"Equity Bank {time.time_ns() % 10**6}"
    page = desk("apollo").open("/{b}/transactions/")
    page.get_by_role("link", name="New transaction").click()
    # The page is there before it is looked at: a click does not wait for what it leads to.
    expect(page.get_by_role("button", name="Create transaction")).to_be_visible()
    nothing_wrong(page)
    page.get_by_label("Amount").fill("1,250.50")
    page.get_by_role("button", name="Create transaction").click()
    expect(page.get_by_text("Enter the counterparty.")).to_be_visible()
    expect(page.get_by_label("Amount")).to_have_value("1,250.50")
    page.get_by_label("Counterparty").fill(name)
    page.get_by_label("Description").fill("Charges of October")
    page.get_by_role("button", name="Create transaction").click()
    expect(page.get_by_text("It waits for a second person, and is not posted yet.")).to_be_visible()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    nothing_wrong(page)
    address = page.get_by_role("link", name="View in the inbox").get_attribute("href") or ""
    other = desk("zawadi").open(address)
    expect(other.locator("[data-item]")).to_contain_text(name)
    expect(other.locator("#pane").get_by_role("button", name="Approve", exact=True)).to_be_enabled()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_document_is_added_looked_at_and_removed(desk: Callable[..., Desk], width: int) -> None:
    page = purchase(desk("apollo", width=width))
    expect(page.get_by_role("heading", name="Ledger entries")).to_be_visible()
    page.locator('[data-uploads] input[type="file"]').first.set_input_files([INVOICE])  # type: ignore[list-item]
    attached = page.locator("#attached")
    expect(attached.get_by_role("img", name="invoice.pdf, page 1")).to_be_visible()
    nothing_wrong(page)
    attached.get_by_role("link", name=re.compile("Remove")).first.click()
    expect(page.get_by_role("heading", name="Remove document")).to_be_visible()
    nothing_wrong(page)
    page.get_by_role("button", name="Remove document").click()
    expect(page.get_by_text("invoice.pdf was removed.")).to_be_visible()
    expect(page.locator("#attached")).not_to_contain_text("invoice.pdf")


def test_without_a_script_a_document_is_added_too_and_one_that_is_too_large_is_refused_in_words(
    desk: Callable[..., Desk],
) -> None:
    page = purchase(desk("apollo", js=False))
    large: dict[str, Any] = {**INVOICE, "name": "long.pdf", "buffer": papers.pdf(papers.INVOICE) + b" " * 11_000_000}
    page.locator('[data-uploads] input[type="file"]').set_input_files([large])  # type: ignore[list-item]
    page.get_by_role("button", name="Add documents").click()
    expect(page.get_by_role("list", name="Files")).to_contain_text("The file is larger than 10 MB.")
    page.locator('[data-uploads] input[type="file"]').set_input_files([INVOICE])  # type: ignore[list-item]
    page.get_by_role("button", name="Add documents").click()
    expect(page.locator("#attached")).to_contain_text("invoice.pdf")
    page.get_by_role("link", name=re.compile("Remove")).first.click()
    page.get_by_role("button", name="Remove document").click()
    expect(page.locator("#attached")).not_to_contain_text("invoice.pdf")


def test_a_document_is_added_to_one_of_the_newest(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").open("/{b}/transactions/recent/")
    nothing_wrong(page)
    choice = page.get_by_label("Transaction", exact=True)
    value = next(
        option.get_attribute("value") or "" for option in choice.locator("option").all() if option.text_content()
    )
    choice.select_option(value)
    page.get_by_label("Documents").set_input_files([INVOICE])  # type: ignore[list-item]
    page.get_by_role("button", name="Add documents").click()
    expect(page.locator("#attached")).to_contain_text("invoice.pdf")
