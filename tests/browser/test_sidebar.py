"""The sidebar: areas alone, all of it on a window of 800 px; what is one's own in the person's menu, by keyboard and without
scripts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.browser.look import BELOW_THE_FOLD

OWN = ("Delegation", "Decisions", "Bulk actions", "Exports")


@pytest.mark.parametrize("person", ["apollo", "ada", "selma"])
def test_all_of_it_fits_800_pixels_of_height(desk: Callable[..., Desk], person: str) -> None:
    window = desk(person, width=1280)
    window.page.set_viewport_size({"width": 1280, "height": 800})
    page = window.open("/{b}/")
    side = page.get_by_role("navigation", name="Main")
    expect(side.get_by_role("link", name="Sign out")).to_be_in_viewport(ratio=1)
    expect(side.locator(".biz-name")).to_be_in_viewport(ratio=1)
    expect(side.locator(".whose")).to_be_in_viewport(ratio=1)
    assert page.evaluate(BELOW_THE_FOLD) == []


def test_a_low_window_scrolls_the_areas_and_leaves_the_foot(desk: Callable[..., Desk]) -> None:
    window = desk("ada", width=1280)
    window.page.set_viewport_size({"width": 1280, "height": 420})
    side = window.open("/{b}/").get_by_role("navigation", name="Main")
    expect(side.get_by_role("link", name="Sign out")).to_be_in_viewport(ratio=1)
    expect(side.locator(".biz-name")).to_be_in_viewport(ratio=1)


def test_what_is_ones_own_is_in_the_menu_by_keyboard(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").open("/{b}/")
    side = page.get_by_role("navigation", name="Main")
    for name in OWN:
        expect(side.get_by_role("link", name=name)).to_have_count(0)
    summary = side.locator("details.own > summary")
    summary.focus()
    page.keyboard.press("Enter")
    for name in OWN:
        expect(side.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    page.keyboard.press("Tab")
    expect(side.get_by_role("link", name="Delegation")).to_be_focused()
    page.keyboard.press("Escape")
    expect(side.get_by_role("link", name="Delegation")).to_have_count(0)
    expect(summary).to_be_focused()
    summary.click()
    side.get_by_role("link", name="Exports").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Exports")


def test_without_scripts_the_menu_opens_and_leads_on(desk: Callable[..., Desk]) -> None:
    page = desk("rex", js=False).go("/{b}/")
    side = page.get_by_role("navigation", name="Main")
    side.locator("details.own > summary").click()
    side.get_by_role("link", name="Decisions").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Decisions")
