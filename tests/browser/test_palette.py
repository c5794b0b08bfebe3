"""The command palette by the keyboard alone: opened, typed into, walked through, followed."""

from __future__ import annotations

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Desk


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
