"""Month-end: a checklist whose figures are those of the lists behind them, a trial balance that comes to nothing, and a period
that one admin closes and another reopens."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.desk import Desk


def test_a_figure_of_the_checklist_leads_to_exactly_its_rows(desk: Callable[..., Desk]) -> None:
    page = desk("ada").open("/{b}/accounting/")
    page.get_by_role("region", name="Accounting periods").get_by_role("link").nth(1).click()
    checklist = page.get_by_role("region", name="Checklist")
    expect(checklist).to_be_visible()
    line = checklist.get_by_role("listitem").filter(has_text="Transactions without a category")
    figure = line.locator(".state").inner_text().strip()
    line.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Transactions")
    expect(page.locator("#totals-of-list")).to_contain_text(f"{figure} transaction")


def test_the_trial_balance_leads_down_to_a_posting_that_comes_to_nothing(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").open("/{b}/accounting/")
    page.get_by_role("region", name="Accounting periods").get_by_role("link").nth(1).click()
    page.get_by_role("link", name="Trial balance").click()
    expect(page.get_by_text("Balanced").first).to_be_visible()
    row = page.locator("tbody tr").filter(has_text=re.compile(r"[1-9]")).filter(has_not_text="–").first
    row.get_by_role("link").click()
    entries = page.get_by_role("region", name="Entries")
    expect(entries).to_be_visible()
    entries.get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Posting")
    expect(page.get_by_role("region", name="Entries")).to_contain_text("added up here")


def test_one_admin_closes_the_oldest_period_and_another_reopens_it(desk: Callable[..., Desk]) -> None:
    ada = desk("ada")
    page = ada.open("/{b}/accounting/")
    # Periods are closed in order, so the oldest is the one that can be.
    page.get_by_role("region", name="Accounting periods").get_by_role("link").last.click()
    expect(page.get_by_role("region", name="Checklist")).to_be_visible()
    address = page.url.removeprefix(ada.demo["address"])
    _close(page)
    expect(page.get_by_text("is closed.")).to_be_visible()
    # Whoever closed it is told why they do not reopen it.
    expect(page.get_by_text("somebody else must decide on it")).to_be_visible()
    expect(page.get_by_role("button", name="Reopen period")).to_have_count(0)

    page = desk("abel").open(address)
    page.get_by_label("Reason").fill("A late invoice")
    page.get_by_role("button", name="Reopen period").press("Enter")
    expect(page.get_by_text("is open again.")).to_be_visible()
    expect(page.get_by_role("region", name="Last change")).to_contain_text("A late invoice")
    expect(page.get_by_role("button", name="Close period")).to_be_visible()


def _close(page: Page) -> None:
    accept = page.get_by_label("Close it with these open items")
    if accept.count():
        accept.check()
    page.get_by_role("button", name="Close period").press("Enter")
