"""By the keyboard alone: every stop of a page is seen and marked, none holds one back; a fund is opened without a mouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
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


TEMPLATES = Path(__file__).parents[2] / "templates"
# Each desk, by its template: who works there, and where.
DESK_PAGES = {
    "approvals/inbox.html": ("apollo", "/{b}/approvals/?kind=expense"),
    "uncategorised/queue.html": ("ada", "/{b}/uncategorised/"),
}


@pytest.mark.parametrize("template", DESK_PAGES)
def test_the_first_item_of_a_desk_stands_open_on_a_wide_screen(desk: Callable[..., Desk], template: str) -> None:
    person, path = DESK_PAGES[template]
    page = desk(person).open_with(path, "#rows tr:nth-child(2)")
    expect(page.locator("#pane [data-item]")).to_have_count(1)
    expect(page.locator("#rows tr[data-row]").first).to_have_attribute("aria-current", "true")


def test_no_desk_is_left_out() -> None:
    with_desk = {
        str(file.relative_to(TEMPLATES)) for file in TEMPLATES.rglob("*.html") if 'id="desk"' in file.read_text()
    }
    assert with_desk == set(DESK_PAGES)


# The current row is seen from its top to its bottom: nothing that sticks to the list's edges lies over it.
BARE = """
() => {
  const row = document.querySelector("#rows tr[aria-current]"), box = row.getBoundingClientRect();
  return [box.top + 3, box.bottom - 3].every(y => row.contains(document.elementFromPoint(box.x + box.width / 2, y)));
}
"""
# The list stands so that the row lies at its very edge, all of it in view: under what sticks there.
AT_EDGE = """
([number, block]) => {
  const row = document.querySelectorAll("#rows tr[data-row]")[number];
  row.style.scrollMargin = 0;
  row.scrollIntoView({ block });
  row.style.scrollMargin = "";
}
"""


def test_the_current_row_never_lies_under_what_sticks_to_the_list(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").open_with("/{b}/approvals/?kind=expense", "#rows tr:nth-child(16)")
    rows = page.locator("#rows tr[data-row]")
    page.set_viewport_size({"width": 1360, "height": 520})
    for number in (0, 1):
        rows.nth(number).locator("input").check()
    for number, key, edge in ((9, "j", "end"), (5, "k", "start")):
        rows.nth(number + (1 if key == "k" else -1)).locator("a").click()
        expect(rows.nth(number + (1 if key == "k" else -1))).to_have_attribute("aria-current", "true")
        page.evaluate(AT_EDGE, [number, edge])
        page.keyboard.press(key)
        expect(rows.nth(number)).to_have_attribute("aria-current", "true")
        page.wait_for_timeout(200)
        assert page.evaluate(BARE), (number, key)
