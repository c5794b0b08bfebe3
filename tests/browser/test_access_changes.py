"""A change of access as two admins make it: one proposes it, the other finds it in the inbox and decides by keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk

ROOM = "/{b}/wallet-policies/"
# The newest first: the one that was proposed last stands on top.
MINE = "/{b}/approvals/?show=mine&kind=access&sort=newest"


def asked_for_second(window: Desk) -> None:
    """Has every change of access wait for a second admin."""
    page = window.go(f"{ROOM}proposals/")
    if (ask := page.get_by_role("button", name="Require a second admin")).count():
        ask.click()
    expect(page.locator("main")).to_contain_text("Each access change requires confirmation")


def propose(window: Desk, why: str, cell: int = 0) -> None:
    """Gives somebody access to a wallet, by one of the cells of the matrix that are empty: as a proposal."""
    empty = ".matrix .cell:not(.given) a"
    page = window.open_with(f"{ROOM}?role=CARD_USER", empty)
    found = page.locator(empty).nth(cell)
    page.goto(window.demo["address"] + (found.get_attribute("href") or ""))
    page.get_by_role("link", name="Grant access").click()
    page.locator("[name=permissions]").first.check()
    page.get_by_role("button", name="Review change").click()
    page.get_by_label("Reason").fill(why)
    page.get_by_role("button", name="Propose change").click()
    expect(page.locator("main")).to_contain_text("You proposed this: a second admin must confirm it.")


def pane_of(page: Page) -> None:
    """Waits for the item that the wide desk opens by itself."""
    expect(page.locator("#pane h3").first).to_have_text("Changes")


def test_a_second_admin_confirms_by_keyboard_and_declines_with_a_reason(desk: Callable[..., Desk]) -> None:
    otto = desk("otto")
    asked_for_second(otto)
    for cell, why in enumerate(("New on the route", "Stands in for a month")):
        propose(otto, why, cell)
    own = otto.go("/{b}/approvals/?show=others&kind=access")
    expect(own.locator("#pane .act")).to_contain_text("You proposed this")
    oda = desk("oda")
    page = oda.go(MINE)
    pane_of(page)
    expect(page.locator("#pane")).to_contain_text("Stands in for a month")
    page.keyboard.press("j")
    expect(page.locator("#pane")).to_contain_text("New on the route")
    page.keyboard.press("k")
    expect(page.locator("#pane")).to_contain_text("Stands in for a month")
    page.keyboard.press("a")
    confirmed = page.locator("#toasts").get_by_text("You confirmed the access change")
    expect(confirmed.or_(page.locator("[name=password], [name=code]")).first).to_be_visible()
    if "reauthenticate" in page.url:
        # Who signed in a while ago shows first that it is them, and comes back to the same change.
        oda.prove_it_is_me()
        expect(page.locator("#pane")).to_contain_text("Nothing has been sent yet: confirm now to continue.")
        page.keyboard.press("a")
    expect(confirmed).to_be_visible()
    expect(page.locator("#pane")).to_contain_text("New on the route")
    page.keyboard.press("r")
    page.keyboard.type("She drives no more")
    page.get_by_role("button", name="Decline").click()
    expect(page.locator("#toasts")).to_contain_text("You declined the access change")
    expect(page.locator("#rows tr")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_and_a_phone_shows_all_of_it(desk: Callable[..., Desk], theme: str) -> None:
    otto, oda = desk("otto"), desk("oda", theme=theme, width=320)
    asked_for_second(otto)
    propose(otto, f"In the {theme}", 2)
    page, found = oda.go(MINE), []
    page.locator("#rows a").first.click()
    pane_of(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for violation in Axe().run(page).response["violations"]:
        found += [f"{violation['id']}: {node['html'][:160]}" for node in violation["nodes"]]
    assert not found
    page.get_by_text("Decline…").click()
    page.locator("#pane textarea").fill("Only a look")
    page.get_by_role("button", name="Decline", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("You declined")
