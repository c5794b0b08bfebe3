"""A payee change in two windows: one person proposes an account by keyboard, another calls back and confirms it; and two
vendors that are one, merged after the plan was read."""

from collections.abc import Callable
from datetime import datetime
from uuid import uuid4
from zoneinfo import ZoneInfo

from playwright.sync_api import expect

from tests.browser.desk import Desk


def test_an_account_is_proposed_by_one_and_confirmed_by_another_after_a_call(desk: Callable[..., Desk]) -> None:
    # A name and a phone that no vendor has: else the page asks whether it is the same one.
    name, phone = f"Vendor {uuid4().hex[:8]}", f"0712{uuid4().int % 10**6:06d}"
    ada = desk("ada", width=390)
    page = ada.open("/{b}/vendors/new/")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Phone").fill(phone)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    page.get_by_role("link", name="Add account").click()
    page.get_by_label("Paid by").select_option("MPESA_TILL")
    page.get_by_label("Account", exact=True).fill("512345")
    page.get_by_label("Reason").fill("Their letter of 3 November")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Awaiting confirmation")).to_be_visible()
    expect(page.get_by_text("Confirm after a call-back")).to_have_count(0)

    apollo = desk("apollo")
    page = apollo.open("/{b}/vendors/payee-changes/")
    change = page.get_by_role("region", name=name)
    # It is the only one.
    expect(change).not_to_contain_text("beside the accounts in use")
    change.get_by_text("Confirm after a call-back").click()
    expect(change.get_by_label("Number called")).to_have_value(f"254{phone[1:]}")
    change.get_by_label("Spoke to").fill("Mary Otieno")
    # Not before it was proposed, on the clock of the business.
    change.get_by_label("Called at").fill(f"{datetime.now(ZoneInfo('Africa/Nairobi')):%Y-%m-%dT%H:%M}")
    change.get_by_role("button", name="Confirm account").click()
    expect(page.get_by_text("is in use.").or_(page.locator("[name=password]"))).to_be_visible()
    if "reauthenticate" in page.url:
        apollo.prove_it_is_me()
        page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("is in use.")).to_be_visible()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(page.get_by_text("Confirm after a call-back")).to_have_count(0)


def test_two_vendors_that_are_one_are_merged_after_the_plan_was_read(desk: Callable[..., Desk]) -> None:
    name = f"Twin {uuid4().hex[:8]}"
    ada = desk("ada", width=390)
    page = ada.open("/{b}/vendors/new/")
    for title in (name, f"{name} Ltd"):
        page.goto(page.url.split("/vendors/")[0] + "/vendors/new/")
        page.get_by_label("Name", exact=True).fill(title)
        page.get_by_role("button", name="Add vendor").click()
        expect(page.get_by_role("heading", name=title, level=1, exact=True)).to_be_visible()
    page.goto(page.url.split("/vendors/")[0] + "/vendors/duplicates/")
    page.get_by_role("link", name=f"Review merge of {name} Ltd into {name}", exact=True).click()
    expect(page.get_by_text("is deleted and cannot be restored")).to_be_visible()
    page.get_by_label("Reason").fill("Entered twice")
    page.get_by_role("button", name="Merge vendors").click()
    expect(page.get_by_text(f"{name} Ltd was merged into {name}.")).to_be_visible()
    expect(page.get_by_role("heading", name=name, level=1, exact=True)).to_be_visible()
