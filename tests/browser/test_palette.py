"""The command palette by the keyboard alone: opened, typed into, walked through, followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.browser.test_deciding import row_of, until_mirrored, wait_until


def ask(page: Page, words: str, action: str) -> None:
    """Opens the palette, types the words and goes to the action, which stands first."""
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Find")
    page.keyboard.type(words)
    expect(palette.locator("#found a").first).to_contain_text(action)
    assert not Axe().run(page).response["violations"]
    page.keyboard.press("Enter")


def test_by_the_keyboard_alone_one_gets_anywhere(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").go("/{b}/expenses/")
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Find")
    palette.get_by_role("link", name="Customers").wait_for()
    assert page.evaluate("document.activeElement.name") == "q"
    page.keyboard.type("audit")
    palette.get_by_role("link", name="Approvals").wait_for(state="detached")
    assert not Axe().run(page).response["violations"]
    page.keyboard.press("Enter")
    page.wait_for_url("**/audit/")


def test_arrows_walk_and_escape_leads_back_to_where_one_was(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").go("/{b}/expenses/")
    page.locator("[data-focus='/']").focus()
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").get_by_role("link", name="Home").wait_for()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('#found') !== null")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.name") == "q"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.focus") == "/"


def test_without_scripts_it_is_a_page(desk: Callable[..., Desk]) -> None:
    page = desk("apollo", js=False).go("/{b}/expenses/")
    page.get_by_role("link", name="Find").click()
    page.locator("main [name=q]").fill("treas")
    page.get_by_role("button", name="Find").click()
    assert page.locator("main").get_by_role("link", name="Treasury").count() == 1


def test_approve_leads_to_what_waits_where_a_letter_decides(
    desk: Callable[..., Desk], spend: Callable[[int], list[dict[str, Any]]], upstream: Callable[[str], str]
) -> None:
    expense = spend(1)[0]
    page = desk("apollo").go("/{b}/approvals/?kind=expense&sort=newest")
    until_mirrored(page, expense)
    merchant = row_of(page, expense).locator("a").inner_text().splitlines()[0]
    desk_of_all = page.url
    ask(page, f"approve {merchant}", "Approve: items waiting for you that match")
    page.wait_for_url(lambda url: url != desk_of_all and "show=mine" in url)
    expect(row_of(page, expense)).to_have_count(1)
    assert upstream(expense["_id"]) == "PENDING"
    shown = page.locator("#pane [data-item]")
    rows = page.locator("#rows tr").evaluate_all("rows => rows.map(row => row.dataset.row)")
    for _ in range(rows.index(f"expense/{expense['_id']}")):
        before = shown.get_attribute("data-item")
        page.keyboard.press("j")
        expect(shown).not_to_have_attribute("data-item", before or "")
    expect(shown).to_have_attribute("data-item", f"expense/{expense['_id']}")
    page.keyboard.press("a")
    expect(page.locator("#toasts")).to_contain_text("Done")
    wait_until(lambda: upstream(expense["_id"]) == "APPROVED")


def test_block_card_leads_to_its_open_form_and_unblock_to_the_button(desk: Callable[..., Desk]) -> None:
    page = desk("ada").go("/{b}/cards/?kind=VIRTUAL&status=ACTIVE")
    card = page.locator(".plastic").last
    digits = (card.locator(".digits").text_content() or "").split()[-1]
    address = card.locator("a").get_attribute("href")
    ask(page, f"block card {digits}", f"Block card ···{digits}")
    page.wait_for_url(f"**{address}#block-card")
    # Nothing is blocked yet; the form stands open, and Tab leads into it.
    expect(page.get_by_role("button", name=f"Block ···{digits}")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.type("Left in a taxi")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Unblock card")).to_be_visible()
    # On the very page that the action leads to, the palette makes way.
    ask(page, f"unblock card {digits}", f"Unblock card ···{digits}")
    page.wait_for_url("**#unblock-card")
    expect(page.get_by_role("dialog", name="Find")).to_be_hidden()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Unblock card")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Block card")
