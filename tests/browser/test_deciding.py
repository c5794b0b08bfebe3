"""An approver decides: by mouse, by keyboard, without JavaScript; takes it back; lets money go; learns what is new."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Request, Route, expect

from tests.browser.desk import HANG_S, Desk

Spend = Callable[[int], list[dict[str, Any]]]
# By urgency what was spent just now stands last.
NEWEST = "/{b}/approvals/?kind=expense&sort=newest"


def wait_until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + HANG_S
    while not holds():
        assert time.monotonic() < ends, "it never came"
        time.sleep(0.3)


def row_of(page: Page, expense: dict[str, Any]) -> Any:
    return page.locator(f'tr[data-row="expense/{expense["_id"]}"]')


def until_mirrored(page: Page, expense: dict[str, Any]) -> None:
    for _ in range(HANG_S):
        if row_of(page, expense).count():
            return
        page.wait_for_timeout(1000)
        page.reload()
    raise AssertionError("the expense never reached the dashboard")


def test_by_mouse_the_decision_reaches_the_service(
    desk: Callable[..., Desk], spend: Spend, upstream: Callable[[str], str]
) -> None:
    expense = spend(1)[0]
    page = desk("apollo").go(NEWEST)
    until_mirrored(page, expense)
    row_of(page, expense).locator("a").click()
    item = page.locator(f'[data-item="expense/{expense["_id"]}"]')
    expect(item.locator("dl")).to_contain_text("Why you're approving")
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("sends in")
    expect(row_of(page, expense)).to_have_count(0)
    # A decision of an earlier test may be told here as well: until nothing waits any more, "Done" may be that one.
    expect(page.locator("#toasts")).not_to_contain_text("sends in")
    expect(page.locator("#toasts")).to_contain_text("Done")
    wait_until(lambda: upstream(expense["_id"]) == "APPROVED")


def test_by_keyboard_with_a_true_undo(desk: Callable[..., Desk], spend: Spend, upstream: Callable[[str], str]) -> None:
    first, second = spend(2)
    page = desk("zawadi").go(NEWEST)
    until_mirrored(page, first)
    until_mirrored(page, second)
    page.locator("[data-item]").wait_for()
    keys = page.locator("#rows tr").evaluate_all("rows => rows.map(row => row.dataset.row)")
    for _ in range(keys.index(f"expense/{first['_id']}")):
        before = page.locator("[data-item]").get_attribute("data-item")
        page.keyboard.press("j")
        expect(page.locator("[data-item]")).not_to_have_attribute("data-item", before or "")
    expect(page.locator("[data-item]")).to_have_attribute("data-item", f"expense/{first['_id']}")
    page.keyboard.press("r")
    page.keyboard.type("Not for the business: a and j are letters here")
    page.get_by_role("button", name="Reject", exact=True).click()
    expect(row_of(page, first)).to_have_count(0)
    page.keyboard.press("z")
    expect(page.locator("#toasts")).to_contain_text("Nothing was sent")
    expect(row_of(page, first)).to_have_count(1)
    page.wait_for_timeout(11_000)
    assert upstream(first["_id"]) == "PENDING"


def test_without_javascript_everything_is_a_form(
    desk: Callable[..., Desk], spend: Spend, upstream: Callable[[str], str]
) -> None:
    expense = spend(1)[0]
    juma = desk("juma", js=False)
    page = juma.go(NEWEST)
    until_mirrored(page, expense)
    row_of(page, expense).locator("a").click()
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(row_of(page, expense)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#toasts")).to_contain_text("Nothing was sent")
    juma.go(NEWEST)
    expect(row_of(page, expense)).to_have_count(1)
    row_of(page, expense).locator("a").click()
    page.get_by_role("button", name="Approve", exact=True).click()
    wait_until(lambda: upstream(expense["_id"]) == "APPROVED")


def test_a_reason_that_is_missing_is_asked_for_beside_the_field(desk: Callable[..., Desk]) -> None:
    page = desk("ada").go("/{b}/approvals/?kind=expense")
    page.locator("[data-item]").wait_for()
    page.keyboard.press("d")
    page.evaluate("document.querySelector('#reason-ask').required = false")
    page.get_by_role("button", name="Request details", exact=True).click()
    expect(page.locator("#reason-ask-error")).to_contain_text("Enter a reason")
    expect(page.locator("#reason-ask")).to_be_focused()


def test_whoever_has_just_signed_in_votes_at_once(desk: Callable[..., Desk]) -> None:
    # What Juma votes on is made while the demo's months are filled.
    page = desk("juma", fresh=True).open_with("/{b}/approvals/?kind=payment&sort=newest", "[data-item]")
    key = page.locator("[data-item]").get_attribute("data-item")
    page.keyboard.press("a")
    expect(page.locator("#toasts")).to_contain_text("You approved payment request")
    expect(page.locator(f'tr[data-row="{key}"]')).to_have_count(0)


def test_what_is_new_is_told_and_moves_nothing(desk: Callable[..., Desk], spend: Spend) -> None:
    page = desk("abel").go("/{b}/approvals/?kind=expense")
    page.locator("[data-item]").wait_for()
    shown = page.locator("[data-item]").get_attribute("data-item")
    rows = page.locator("#rows tr").count()
    spend(3)
    link = page.locator("[data-news] a")
    expect(link).to_have_text("3 new")
    assert page.locator("#rows tr").count() == rows
    assert page.locator("[data-item]").get_attribute("data-item") == shown
    link.click()
    expect(page.locator("#rows tr")).to_have_count(min(50, rows + 3))


def test_several_at_once_by_their_plan(desk: Callable[..., Desk], spend: Spend) -> None:
    made = spend(2)
    page = desk("ada").go(NEWEST)
    for expense in made:
        until_mirrored(page, expense)
    for expense in made:
        row_of(page, expense).locator("input").check()
    expect(page.locator(".bulk")).to_contain_text("2 selected")
    page.get_by_role("button", name="Review approval").click()
    expect(page.get_by_role("heading", name="2 will be approved")).to_be_visible()
    page.get_by_role("button", name="Approve 2").click()
    page.get_by_role("button", name="Undo all waiting").click()
    expect(page.locator("#toasts")).to_contain_text("2 undone")


def test_the_first_item_comes_with_the_page_once_and_is_asked_for_anew_by_a_click(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").open_with("/{b}/approvals/?kind=expense", "#pane [data-item]")
    asked: list[str] = []

    def note(sent: Request) -> None:
        # The head's own is a preload, which has no headers of htmx's.
        if sent.headers.get("hx-target") == "pane" or "fragment=" in sent.url:
            asked.append(sent.url)

    page.on("request", note)
    page.reload()
    item = page.locator("#pane [data-item]")
    key = item.get_attribute("data-item") or ""
    assert key
    expect(page.locator(f'#rows tr[data-row="{key}"]')).to_have_attribute("aria-current", "true")
    expect(page.locator("#announce")).to_contain_text("1 of ")
    page.wait_for_load_state("networkidle")
    assert [key in address for address in asked] == [True], asked
    page.locator("#rows a").nth(1).click()
    expect(page.locator(f'#pane [data-item="{key}"]')).to_have_count(0)
    page.locator("#rows a").first.click()
    expect(page.locator(f'#pane [data-item="{key}"]')).to_have_count(1)
    assert sum(key in address for address in asked) == 2, asked
    # What is in it works as if htmx had brought it: its keys, and its forms.
    expect(page.locator("#pane form[hx-post]").first).to_be_attached()
    page.keyboard.press("d")
    expect(page.locator('#pane [data-choice="d"] textarea[name=reason]')).to_be_focused()


# The first press there can be: as soon as the item is in the page, before it is painted.
PRESSED_AT_ONCE = """
letter => {
  window.stays = true;
  new MutationObserver((changes, observer) => {
    if (!document.querySelector("#pane [data-item]")) return;
    observer.disconnect();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: letter, bubbles: true, cancelable: true }));
  }).observe(document.getElementById("pane"), { childList: true });
}
"""


def held_back(page: Page, path: str) -> list[Route]:
    """Opens the page, whose first item does not come: the requests for it, to be let go on."""
    held: list[Route] = []
    page.route("**/*fragment=1*", lambda route: held.append(route))
    page.goto(path, wait_until="commit")
    wait_until(lambda: bool(page.evaluate("Boolean(window.htmx) && document.readyState !== 'loading'")))
    wait_until(lambda: bool(page.wait_for_timeout(100) or held))
    return held


def test_a_first_item_that_comes_late_is_decided_by_a_swap_however_soon(
    desk: Callable[..., Desk], spend: Spend
) -> None:
    expense = spend(1)[0]
    page = desk("apollo").go(NEWEST)
    until_mirrored(page, expense)
    held = held_back(page, page.url)
    page.evaluate(PRESSED_AT_ONCE, "a")
    for route in held:
        route.continue_()
    expect(page.locator("#toasts")).to_contain_text("sends in")
    assert page.evaluate("window.stays") is True
    page.keyboard.press("z")
    expect(page.locator("#toasts")).to_contain_text("Nothing was sent")


def test_a_first_item_that_does_not_come_with_the_page_is_asked_for_by_htmx(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").open_with("/{b}/approvals/?kind=expense", "#pane [data-item]")

    def refuse(route: Route) -> None:
        if "hx-request" in route.request.headers:
            route.continue_()
        else:
            route.fulfill(status=500, body="")

    page.route("**/*fragment=1*", refuse)
    page.reload()
    key = page.locator("#pane [data-item]").get_attribute("data-item")
    expect(page.locator(f'#rows tr[data-row="{key}"]')).to_have_attribute("aria-current", "true")
    expect(page.locator("#announce")).to_contain_text("1 of ")


def test_a_first_item_that_comes_late_never_replaces_one_that_was_chosen(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").open_with("/{b}/approvals/?kind=expense", "#pane [data-item]")
    held = held_back(page, page.url)
    page.locator("#rows a").nth(1).click()
    chosen = page.locator("#rows tr[data-row]").nth(1).get_attribute("data-row")
    expect(page.locator(f'#pane [data-item="{chosen}"]')).to_have_count(1)
    for route in held:
        route.continue_()
    page.wait_for_load_state("networkidle")
    expect(page.locator(f'#pane [data-item="{chosen}"]')).to_have_count(1)
