"""Every page, light and dark, wide and 320 pixels: axe finds nothing, nothing scrolls sideways, no policy is broken.

In CI each page is looked at in one of the two, the next page in the other; in the full run in both.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.desk import Desk
from tests.browser.places import NAMES, PAGES

LOOKS = [("light", 1360, 0), ("dark", 320, 1)]


@pytest.mark.parametrize(("theme", "width", "turn"), LOOKS, ids=["light-wide", "dark-narrow"])
@pytest.mark.parametrize(("person", "paths"), PAGES, ids=NAMES)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    desk: Callable[..., Desk], person: str, paths: tuple[str, ...], theme: str, width: int, turn: int
) -> None:
    window, axe, found = desk(person, theme=theme, width=width), Axe(), []
    for path in paths if os.environ.get("FULL") else paths[turn::2]:
        page = window.open(path)
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            found.append(f"{path} is {wide} pixels wide")
        for violation in axe.run(page).response["violations"]:
            found += [f"{path} {violation['id']}: {node['html'][:160]}" for node in violation["nodes"]]
    assert not found


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_what_opens(desk: Callable[..., Desk], theme: str) -> None:
    # Views come with a part that the page asks for by itself.
    page = desk("apollo", theme=theme).open_with("/{b}/expenses/", "details.chip > summary:text-is('Views')")
    for summary in page.locator("details.chip > summary").all():
        summary.click()
        found = [one["id"] for one in Axe().run(page).response["violations"]]
        assert not found, summary.inner_text()
        # What it has opened may lie over the next one.
        summary.click()


def test_an_item_fits_a_small_phone_and_leads_back(desk: Callable[..., Desk]) -> None:
    page = desk("apollo", width=320).go("/{b}/approvals/")
    page.locator("#rows a").first.click()
    page.locator("[data-item]").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.get_by_role("link", name="‹ Approvals").click()
    page.locator("#rows a").first.wait_for()


def test_the_keyboard_reaches_the_content_first(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").go("/{b}/expenses/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
