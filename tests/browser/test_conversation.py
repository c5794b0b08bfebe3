"""Two approvers talk about a payment, lay a flag aside, and one stands in for the other while they are away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.days import business_day

Spend = Callable[[int], list[dict[str, Any]]]


def nothing_wrong(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert not found, [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found]


def in_days(days: int) -> str:
    return business_day(days).isoformat()


def first_item(page: Page) -> str:
    page.locator("[data-item]").wait_for()
    return page.locator("[data-item]").get_attribute("data-item") or ""


def test_who_is_called_by_name_is_told_and_answers(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").go("/{b}/approvals/?kind=payment")
    key = first_item(page)
    area = page.get_by_label("Comment", exact=True)
    area.fill("Is this the invoice of last week? ")
    area.press_sequentially("@zaw")
    expect(page.get_by_role("option", name="Zawadi")).to_be_visible()
    area.press("Enter")
    nothing_wrong(page)
    page.get_by_role("button", name="Add comment", exact=True).click()
    said = page.locator(".talk .said").first
    expect(said).to_contain_text("Is this the invoice of last week? @Zawadi")
    expect(said).to_be_focused()
    area.fill("@Carla look")
    page.get_by_role("button", name="Add comment", exact=True).click()
    expect(page.locator("#talk-error")).to_contain_text("does not have access to this")
    expect(area).to_be_focused()
    assert area.input_value() == "@Carla look"

    other = desk("zawadi").go("/{b}/approvals/?kind=expense")
    expect(other.locator("[data-bell]")).to_be_visible()
    other.get_by_role("link", name="Notifications").click()
    nothing_wrong(other)
    other.get_by_role("button", name="mentioned you").first.click()
    other.wait_for_url(f"**/approvals/{key}/**")
    expect(other.locator(".talk")).to_contain_text("Is this the invoice of last week?")


def test_without_javascript_a_comment_is_a_form(desk: Callable[..., Desk]) -> None:
    page = desk("juma", js=False).go("/{b}/approvals/?kind=expense")
    page.locator("#rows tr a").first.click()
    page.get_by_label("Comment", exact=True).fill("Said without a script")
    page.get_by_role("button", name="Add comment", exact=True).click()
    expect(page.locator(".talk .said").first).to_contain_text("Said without a script")
    page.locator(".talk .said").first.get_by_role("link", name="Edit").click()
    page.get_by_label("Comment").fill("Said otherwise")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".talk .said").first).to_contain_text("edited")


def test_a_red_flag_is_laid_aside_with_a_reason(desk: Callable[..., Desk]) -> None:
    page = desk("zawadi").go("/{b}/approvals/?kind=payment&risk=high")
    first_item(page)
    flag = page.locator(".flag.red").first
    flag.locator("summary").click()
    flag.get_by_label("What did you check?").fill("Called the supplier: the account is theirs.")
    nothing_wrong(page)
    flag.get_by_role("button", name="Dismiss flag").click()
    expect(page.locator(".flag.calm").first).to_contain_text("Called the supplier")
    expect(page.locator(".flag.calm").first).to_contain_text("Zawadi")


def test_one_stands_in_for_the_other_until_it_is_ended(desk: Callable[..., Desk], spend: Spend) -> None:
    spend(1)
    page = desk("apollo").go("/{b}/delegation/")
    page.get_by_label("Delegate", exact=True).select_option(label="Zawadi Njeri")
    for kind in ("Payment requests", "Card orders", "Single-use cards", "Manual transactions"):
        page.get_by_label(kind).uncheck()
    page.get_by_label("End date").fill(in_days(-2))
    page.get_by_role("button", name="Set out of office").click()
    expect(page.locator(".error").first).to_be_visible()
    nothing_wrong(page)
    page.get_by_label("End date").fill(in_days(2))
    page.get_by_role("button", name="Set out of office").click()
    expect(page.locator("#toasts")).to_contain_text("Zawadi Njeri is your delegate")
    try:
        other = desk("zawadi").go("/{b}/approvals/?kind=expense")
        expect(other.locator("#rows")).to_contain_text("for Apollo Mutua, until")
        first_item(other)
        expect(other.locator(".item")).to_contain_text("You decide on this for Apollo Mutua")
        nothing_wrong(other)
    finally:
        page.get_by_role("button", name="End delegation").click()
    expect(page.locator("#toasts")).to_contain_text("is no longer the delegate")
