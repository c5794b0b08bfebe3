"""Focus is never lost to a swap, and the keys that every page has work on every page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.browser.test_deciding import row_of, until_mirrored

Spend = Callable[[int], list[dict[str, Any]]]


def at_the_queue(desk: Callable[..., Desk]) -> Page:
    page = desk("zawadi").go("/{b}/approvals/?kind=expense&sort=newest")
    page.locator("[data-item]").wait_for()
    return page


def open_row(page: Page, expense: dict[str, Any]) -> None:
    """Opens what was spent for the test: what else stands in the list may be of a kind that nobody may approve."""
    until_mirrored(page, expense)
    row_of(page, expense).locator("a").click()
    page.locator(f'[data-item="expense/{expense["_id"]}"]').wait_for()


def test_after_a_decision_it_is_on_the_heading_of_the_next_item(desk: Callable[..., Desk], spend: Spend) -> None:
    first, second = spend(2)
    page = at_the_queue(desk)
    until_mirrored(page, second)
    open_row(page, first)
    heading = page.locator("#pane [data-heading]")
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.locator("[data-item]")).not_to_have_attribute("data-item", f"expense/{first['_id']}")
    expect(heading).to_be_focused()
    # The row that was decided on had it: it leaves, and takes it to the item as well.
    open_row(page, second)
    row_of(page, second).locator("a").focus()
    page.keyboard.press("a")
    expect(row_of(page, second)).to_have_count(0)
    expect(heading).to_be_focused()
    page.locator("#toasts [data-undo]").last.click()
    expect(page.locator("#toasts")).to_contain_text("Nothing was sent")
    expect(heading).to_be_focused()


def test_a_button_that_the_answer_did_not_replace_keeps_it(desk: Callable[..., Desk]) -> None:
    page = at_the_queue(desk)
    page.route("**/approve/", lambda route: route.fulfill(status=503, content_type="text/plain", body="away"))
    approve = page.get_by_role("button", name="Approve", exact=True)
    approve.click()
    expect(page.locator("#toasts")).to_contain_text("the answer was an error (503)")
    expect(approve).to_be_focused()


def test_several_are_taken_back_by_the_key_that_says_so(desk: Callable[..., Desk], spend: Spend) -> None:
    expense = spend(1)[0]
    page = at_the_queue(desk)
    open_row(page, expense)
    page.keyboard.press("x")
    page.keyboard.press("p")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Approve 1", exact=True).click()
    undo = page.locator("#result [data-undo]")
    undo.focus()
    with page.expect_response("**/rows/**"):
        pass
    # The rows were asked for again meanwhile: the same button has it still.
    expect(undo).to_be_focused()
    page.keyboard.press("z")
    expect(page.locator("#toasts")).to_contain_text("1 undone")


def test_the_keys_of_every_page_are_told_and_work(desk: Callable[..., Desk]) -> None:
    page = desk("zawadi").open("/{b}/customers/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    assert not Axe().run(page).response["violations"]
    page.keyboard.press("Escape")
    # A dialog closes a moment later; keys belong to it until then.
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_hidden()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search", exact=True)).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_hidden()


def test_a_dialog_that_has_closed_no_longer_has_the_keys(desk: Callable[..., Desk]) -> None:
    page = desk("zawadi").open("/{b}/customers/")
    # As in the moment after Escape, when the focus has not left the dialog's button yet.
    page.evaluate(
        """() => document.querySelector("#help button")
        .dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }))"""
    )
    expect(page.get_by_role("searchbox", name="Search", exact=True)).to_be_focused()


def test_a_name_that_is_no_longer_asked_for_is_not_offered(desk: Callable[..., Desk]) -> None:
    page = at_the_queue(desk)
    area = page.get_by_label("Comment", exact=True)
    with page.expect_response("**/people/**"):
        area.press_sequentially("@")
        area.press("Backspace")
    page.wait_for_timeout(200)
    expect(page.locator("#people")).to_have_count(0)


def test_a_form_that_comes_back_as_a_page_begins_at_what_is_wrong(desk: Callable[..., Desk]) -> None:
    page = desk("juma").go("/-/account/reauthenticate/")
    page.fill("[name=password]", "not this one")
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("main")).to_contain_text("Incorrect password")
    expect(page.locator("[name=password]")).to_be_focused()
