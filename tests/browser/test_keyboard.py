"""By the keyboard alone: every stop of a page is seen and marked, none holds one back; a fund is opened without a mouse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Desk
from tests.browser.places import CARD_USER, DESKS, OWNER, STAFF

# Further than any page has stops: more are a walk that does not end.
MOST_STOPS = 700
STOP = """
() => {
  const here = document.activeElement;
  if (!here || here === document.body) return null;
  const box = here.getBoundingClientRect(), style = getComputedStyle(here);
  const around = here.closest("label, .check, tr, summary") || here;
  // The parts of a date and its calendar button are marked by the browser itself, inside the field.
  const marked = here.type === "date" || [here, around].some((one) => {
    const seen = getComputedStyle(one);
    return (seen.outlineStyle !== "none" && parseFloat(seen.outlineWidth) > 0) || seen.boxShadow !== "none";
  });
  const shown = box.width > 0 && box.height > 0 && style.visibility !== "hidden"
    && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return { what: here.outerHTML.slice(0, 120), marked, shown };
}
"""


def stops(page: Page) -> list[dict[str, Any]]:
    """Where Tab leads, from the top of the page until it leaves it."""
    found: list[dict[str, Any]] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None:
            return found
        found.append(stop)
    raise AssertionError(f"Tab goes round on {page.url}: {found[-3:]}")


def walked(window: Desk, paths: tuple[str, ...]) -> list[str]:
    """What is wrong with the stops of these pages."""
    wrong: list[str] = []
    for path in paths:
        page = window.open(path)
        found = stops(page)
        assert len(found) > 5, path
        wrong += [f"{path} not marked: {stop['what']}" for stop in found if not stop["marked"]]
        wrong += [f"{path} not seen: {stop['what']}" for stop in found if not stop["shown"]]
    return wrong


def test_tab_walks_home_and_the_treasury_to_their_end(desk: Callable[..., Desk]) -> None:
    assert not walked(desk("apollo"), ("/{b}/", "/{b}/investments/", "/{b}/treasury/"))


@pytest.mark.full
@pytest.mark.parametrize(
    ("person", "paths"),
    [("apollo", STAFF), ("apollo", DESKS), ("selma", OWNER), ("carla", CARD_USER)],
    ids=["staff", "desks", "owner", "card-user"],
)
def test_tab_walks_every_page_to_its_end(desk: Callable[..., Desk], person: str, paths: tuple[str, ...]) -> None:
    assert not walked(desk(person), paths)


def test_home_leads_to_work_without_a_mouse(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").open("/{b}/")
    page.locator("#widget-queue a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/approvals/**")
    expect(page.locator("#rows tr").first).to_be_visible()
