"""Ticked rows at the desk: the letters review them and say so, a tick that is taken away ends "all that match", and the
review can be confirmed without scrolling to its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.browser.look import faults_of
from tests.browser.office import Office, swipe

Spend = Callable[..., list[dict[str, Any]]]


def with_rows(desk: Callable[..., Desk], spend: Spend, count: int, **window: Any) -> Page:
    """Apollo's desk of expenses, with at least so many rows."""
    spend(count)
    apollo = desk("apollo", **window)
    page = apollo.open_with("/{b}/approvals/?kind=expense", f"#rows tr[data-row]:nth-child({count})")
    if window.get("width", 1360) > 1160:
        expect(page.locator("#pane [data-item]")).to_be_visible()
    return page


def test_letters_review_what_is_ticked_and_say_so(desk: Callable[..., Desk], spend: Spend) -> None:
    page = with_rows(desk, spend, 3)
    page.keyboard.press("x")
    page.keyboard.press("j")
    expect(page.locator("#rows tr[aria-current]")).to_have_count(1)
    expect(page.locator("#rows tr:nth-child(2)")).to_have_attribute("aria-current", "true")
    page.keyboard.press("x")
    expect(page.locator("#announce")).to_have_text(
        "2 selected: A reviews their approval, R their rejection, D a request for details."
    )
    expect(page.locator(".act kbd").first).not_to_be_visible()
    # J and K still move.
    for key in page.locator(".act .keys-hint kbd").all():
        expect(key).to_be_visible()
    page.keyboard.press("r")
    page.wait_for_url("**/plan/**")
    expect(page.locator("form .table tbody tr")).to_have_count(2)


def test_without_a_tick_letters_decide_on_the_open_item(desk: Callable[..., Desk], spend: Spend) -> None:
    page = with_rows(desk, spend, 2)
    page.keyboard.press("x")
    page.keyboard.press("x")
    expect(page.locator("#announce")).to_have_text("Nothing selected: A, R and D decide on the open item.")
    page.keyboard.press("r")
    expect(page.locator('#pane details[data-choice="r"] textarea')).to_be_focused()


def test_a_tick_that_is_taken_away_by_key_ends_all_that_match(desk: Callable[..., Desk], spend: Spend) -> None:
    page = with_rows(desk, spend, 3)
    page.keyboard.press("x")
    whole = page.locator("[data-all-matching]")
    whole.check()
    page.locator("h1").click()
    page.keyboard.press("x")
    expect(whole).not_to_be_checked()
    expect(page.locator(".bulk [data-count]")).not_to_contain_text("All")


def test_ctrl_enter_sends_the_reason_and_never_an_empty_one(desk: Callable[..., Desk], spend: Spend) -> None:
    page = with_rows(desk, spend, 2)
    first = page.locator("#pane [data-item]").get_attribute("data-item")
    page.keyboard.press("d")
    reason = page.locator('#pane details[data-choice="d"] textarea')
    expect(reason).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(reason).to_be_visible()
    assert page.locator("#pane [data-item]").get_attribute("data-item") == first
    reason.fill("Which trip was it?")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts [data-undo]").first).to_be_visible()
    expect(page.locator(f'#pane [data-item="{first}"]')).to_have_count(0)
    page.locator("#toasts [data-undo]").first.click()


def test_the_review_of_fifty_rows_is_confirmed_without_scrolling(desk: Callable[..., Desk], spend: Spend) -> None:
    for width in (1280, 390):
        page = with_rows(desk, spend, 50, width=width)
        page.locator("#rows [name=ids]").first.check()
        page.locator("[data-all-matching]").check()
        page.locator('.bulk button[value="approve"]').click()
        page.wait_for_url("**/plan/**")
        confirm = page.get_by_role("button", name="Approve").first
        box, height = confirm.bounding_box(), page.evaluate("innerHeight")
        assert box is not None
        assert box["y"] + box["height"] <= height, (width, box)


@pytest.mark.parametrize(("width", "js"), [(1280, True), (390, True), (390, False)])
def test_what_is_ticked_of_a_list_stays_ticked_while_one_searches(
    desk: Callable[..., Desk], demo: dict[str, Any], width: int, js: bool
) -> None:
    office, word = Office(demo), uuid4().hex[:8]
    names = [f"Acacia {word}", f"Baobab {word}"]
    for name in names:
        office.ask("Ada", "POST", "/vendors", {"name": name})
    ada = desk("ada", width=width, js=js)
    # What another test has ticked is given up where the list is opened by its plain address.
    ada.open_with("/{b}/vendors/", "tbody tr")
    page = ada.open_with(f"/{{b}}/vendors/?q={word}", f"text={names[1]}")
    boxes = [page.get_by_role("checkbox", name=f"Select {name}") for name in names]
    before = page.locator("tbody.kept")
    boxes[0].check()
    if not js:
        page.get_by_role("button", name="Keep selected, search on").click()
    search = page.get_by_role("searchbox", name="Search")
    search.fill(f"Baobab {word}")
    search.press("Enter")
    expect(before.get_by_text("Selected before, not on this page")).to_be_visible()
    expect(before.get_by_text(names[0])).to_be_visible()
    expect(boxes[0]).to_be_checked()
    boxes[1].check()
    expect(page.get_by_text("2 selected" if js else "1 selected", exact=True)).to_be_visible()
    assert faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Review bulk delete").click()
    page.wait_for_url("**/bulk/**")
    for name in names:
        expect(page.get_by_text(name).first).to_be_visible()


def search_for(page: Page, words: str) -> None:
    search = page.get_by_role("searchbox").first
    search.fill(words)
    search.press("Enter")


@pytest.mark.parametrize(("width", "js"), [(1280, True), (390, False)])
def test_what_is_ticked_of_what_has_no_category_stays_ticked_while_one_searches(
    desk: Callable[..., Desk], demo: dict[str, Any], width: int, js: bool
) -> None:
    office, word = Office(demo), uuid4().hex[:8]
    names = [f"Acacia {word}", f"Baobab {word}"]
    for number, name in enumerate(names):
        swipe(office, name, 70 + number, number)
    ada = desk("ada", width=width, js=js)
    ada.open_with("/{b}/uncategorised/", "#rows tr")
    page = ada.open_with(f"/{{b}}/uncategorised/?q={word}", f"#list >> text={names[1]}")
    boxes = [page.locator("#list").get_by_role("checkbox", name=f"Select {name}") for name in names]
    boxes[0].check()
    if not js:
        page.get_by_role("button", name="Keep selected, search on").click()
        page.wait_for_url(f"**/uncategorised/?q={word}")
    # At once, so that the tick may be on its way still.
    search_for(page, names[1])
    expect(page.locator("tbody.kept").get_by_text("Selected before, not on this page")).to_be_visible()
    expect(page.locator("tbody.kept").get_by_text(names[0]).first).to_be_visible()
    expect(boxes[0]).to_be_checked()
    boxes[1].check()
    assert faults_of(page) == []
    page.get_by_role("button", name="Review bulk").first.click()
    page.wait_for_url("**/bulk/**")
    for name in names:
        expect(page.get_by_text(name).first).to_be_visible()


@pytest.mark.parametrize(("width", "js"), [(1280, True), (390, False)])
def test_what_is_ticked_of_the_cards_stays_ticked_while_one_searches(
    desk: Callable[..., Desk], demo: dict[str, Any], width: int, js: bool
) -> None:
    office, word = Office(demo), uuid4().hex[:8]
    names = [f"Acacia {word}", f"Baobab {word}"]
    wallet = next(
        row["org_wallet_ref"] for row in office.ask("", "GET", "/accounts")["docs"] if row["currency"] == "KES"
    )
    for name in names:
        card = {"employee_id": office.people["Carla"], "name": name, "org_wallet_ref": wallet, "type": "VIRTUAL"}
        office.ask("Ada", "POST", "/cards", card)
    ada = desk("ada", width=width, js=js)
    ada.open_with("/{b}/cards/", "ul.cards li")
    page = ada.open_with(f"/{{b}}/cards/?q={word}", f"ul.cards >> text={names[1]}")
    boxes = [page.get_by_role("checkbox", name=f"Select {name}") for name in names]
    boxes[0].check()
    if not js:
        page.get_by_role("button", name="Keep selected, search on").click()
    search_for(page, names[1])
    expect(page.get_by_role("heading", name="Selected before, not on this page")).to_be_visible()
    expect(page.locator("section.kept").get_by_text(names[0])).to_be_visible()
    expect(boxes[0]).to_be_checked()
    boxes[1].check()
    assert faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Review bulk block").click()
    page.wait_for_url("**/bulk/**")
    expect(page.locator("main tbody tr")).to_have_count(2)
