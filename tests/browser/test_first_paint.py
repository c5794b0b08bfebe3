"""Home's first paint is that of its first window: the parts below are laid out after it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.desk import Desk

# The parts of Home that are laid out, as soon as all of the page is there and before anything of it was painted.
LAID_OUT = """
document.addEventListener("readystatechange", () => {
  if (document.readyState !== "interactive") return;
  const parts = [...document.querySelectorAll(".home > .paper, .home + section")];
  window.laidOut = parts.map((part) => part.checkVisibility());
});
"""
PARTS = ".home > .paper, .home + section"


def test_home_lays_out_its_first_window_and_then_what_lies_below(desk: Callable[..., Desk]) -> None:
    window = desk("apollo")
    window.page.add_init_script(LAID_OUT)
    # What Home showed last comes with the page.
    page = window.open("/{b}/")
    page = window.open("/{b}/")
    laid_out = page.evaluate("window.laidOut")
    assert laid_out[:4] == [True] * 4
    assert len(laid_out) > 6
    assert not any(laid_out[4:])
    for part in page.locator(PARTS).all():
        expect(part).to_be_visible()


def test_without_scripts_all_parts_are_there(desk: Callable[..., Desk]) -> None:
    page = desk("apollo", js=False).open("/{b}/")
    assert page.locator(PARTS).count() > 4
    for part in page.locator(PARTS).all():
        expect(part).to_be_visible()
