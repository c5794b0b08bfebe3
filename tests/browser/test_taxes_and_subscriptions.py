"""A tax with its next terms, and a subscription with its limit, by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.days import business_day


def test_a_tax_is_added_and_its_next_terms_are_dated(desk: Callable[..., Desk]) -> None:
    code = f"WHT_{uuid4().hex[:8].upper()}"
    page = desk("ada").open("/{b}/bills/")
    page.get_by_role("navigation", name="Bills").get_by_role("link", name="Withholding taxes").press("Enter")
    page.get_by_role("link", name="New tax").press("Enter")
    page.get_by_label("Name").fill(f"Agency fees {code}")
    page.get_by_label("Code").fill(code)
    page.get_by_label("Rate for residents, %").fill("105")
    page.get_by_label("Rate for non-residents, %").fill("20")
    page.get_by_role("button", name="Add tax").press("Enter")
    expect(page.get_by_label("Rate for residents, %")).to_be_focused()
    expect(page.get_by_label("Name")).to_have_value(f"Agency fees {code}")
    page.get_by_label("Rate for residents, %").fill("5")
    page.get_by_role("button", name="Add tax").press("Enter")
    expect(page.get_by_text(f"Agency fees {code} was added.")).to_be_visible()

    page.get_by_label("Rate for residents, %").fill("7.5")
    page.get_by_label("Effective date").fill(business_day(40).isoformat())
    page.get_by_role("button", name="Add terms").press("Enter")
    terms = page.get_by_role("region", name="Terms").get_by_role("listitem")
    expect(terms).to_have_count(2)
    expect(terms.first).to_contain_text("7.5")
    expect(terms.nth(1)).to_contain_text("Current")


def test_a_subscription_gets_a_limit(desk: Callable[..., Desk]) -> None:
    name = f"Design tool {uuid4().hex[:8]}"
    page = desk("ada").open("/{b}/subscriptions/")
    page.get_by_role("link", name="New subscription").press("Enter")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Vendor").fill(name)
    page.get_by_label("Currency").fill("KES")
    page.get_by_label("Amount per billing period").fill("4,500")
    page.get_by_role("button", name="Add subscription").press("Enter")
    expect(page.get_by_text(f"{name} was added.")).to_be_visible()
    page.get_by_label("Limit per billing period").fill("5,000")
    page.get_by_role("button", name="Save limit and billing").press("Enter")
    expect(page.get_by_text("Changes saved.")).to_be_visible()
    expect(page.get_by_role("region", name="Details")).to_contain_text("5,000.00")


def test_a_subscription_is_reminded_of_and_cancelled_step_by_step_by_keyboard(desk: Callable[..., Desk]) -> None:
    name = f"Fax line {uuid4().hex[:8]}"
    page = desk("ada").open("/{b}/subscriptions/new/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Vendor").fill(name)
    page.get_by_label("Currency").fill("KES")
    page.get_by_label("Amount per billing period").fill("900")
    page.get_by_role("button", name="Add subscription").press("Enter")
    page.get_by_role("link", name="Set renewal terms").press("Enter")
    page.get_by_label("Contract renews on").fill(business_day(90).isoformat())
    page.get_by_role("button", name="Save renewal terms").press("Enter")
    expect(page.get_by_text("Choose how long it renews for.")).to_be_visible()
    page.get_by_label("Then renews every").select_option("12")
    page.get_by_label("Notice period in days").fill("10")
    page.get_by_role("button", name="Save renewal terms").press("Enter")
    expect(page.get_by_role("region", name="Renewal")).to_contain_text("Last day to cancel")

    page.get_by_role("button", name="Cancel subscription…").press("Enter")
    page.get_by_role("button", name="Confirm vendor was notified").press("Enter")
    expect(page.get_by_text("told the vendor on")).to_be_visible()
    page.get_by_role("button", name="Confirm without a card").press("Enter")
    page.get_by_label("Why no card is stopped").fill("Paid by invoice")
    page.get_by_role("button", name="Confirm without a card").press("Enter")
    expect(page.get_by_text("No card was stopped: Paid by invoice")).to_be_visible()
    page.get_by_role("button", name="Confirm last charge").press("Enter")
    page.get_by_role("button", name="End subscription").press("Enter")
    expect(page.get_by_text("Done", exact=True)).to_have_count(4)
    page.get_by_role("link", name="‹ Subscription").press("Enter")
    expect(page.get_by_role("link", name="View cancellation")).to_be_visible()
    expect(page.get_by_role("button", name="Resume subscription")).to_have_count(0)
