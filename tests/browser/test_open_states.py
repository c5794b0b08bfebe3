"""axe on every page for every role in both themes, and on all that opens there: menus, drop-downs, folds, dialogs, forms that were
refused.

In CI one role and a sample of its pages, the rest is marked `full`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.desk import Desk
from tests.browser.test_look import PEOPLE, pages_for

SAMPLE = 16
OPENS_MS = 150
# What opens over the page, one at a time; `#palette` and `#keys` open by their keys.
DROP_DOWNS = "details.chip > summary, details.own > summary"
KEYS = {"Control+k": "dialog.palette[open]", "?": "dialog#keys[open], #keys dialog[open], dialog[open]"}
# Folds within the page open all at once: they cover nothing.
UNFOLD = """() => { for (const fold of document.querySelectorAll("main details:not(.chip)")) fold.open = true; }"""
# A form that lacks what it must have is refused, and says so: nothing happens by it.
REFUSABLE = """() => [...document.querySelectorAll('main form[method="post"]')].filter((form) =>
  !form.querySelector("details") && [...form.elements].some((field) => field.required && !field.value && field.type !== "file"
  && field.checkVisibility())).map((form) => [...document.forms].indexOf(form))"""
# Before the browser has drawn the next frame.
CLOSED_AND_PRESSED = """() => {
  document.querySelector("dialog.palette").close();
  const focused = document.activeElement;
  focused.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true, cancelable: true }));
  return focused.localName.toUpperCase();
}"""
SUBMIT = """(at) => { const form = document.forms[at]; form.noValidate = true; form.requestSubmit(); }"""


def violations(page: Page, where: str) -> list[str]:
    """What axe has against the page as it stands."""
    return [
        f"{where}: {violation['id']}: {node['html'][:160]}"
        for violation in Axe().run(page).response["violations"]
        for node in violation["nodes"]
    ]


def states_of(window: Desk, path: str) -> Iterator[tuple[str, Page]]:
    """The page at rest, then in each state it can be opened to."""
    page = window.open(path)
    yield f"{path} at rest", page
    for summary in page.locator(DROP_DOWNS).all():
        if summary.is_visible():
            summary.click()
            yield f"{path}, {summary.inner_text().strip()!r} open", page
            page.keyboard.press("Escape")
    if page.locator("main details:not(.chip):not([open])").count():
        page.evaluate(UNFOLD)
        page.wait_for_timeout(OPENS_MS)
        yield f"{path}, unfolded", page
    for form in page.evaluate(REFUSABLE)[:1]:
        page.evaluate(SUBMIT, form)
        # The answer is a page of its own, or is swapped in.
        page.wait_for_timeout(OPENS_MS)
        page.wait_for_load_state("networkidle")
        yield f"{path}, form {form} refused", page


def trouble_in(window: Desk, paths: list[str]) -> list[str]:
    """What axe has against any state of these pages."""
    return [line for path in paths for where, page in states_of(window, path) for line in violations(page, where)]


def test_what_opens_on_a_sample_of_pages_is_accessible(desk: Callable[..., Desk]) -> None:
    window = desk("ada", theme="dark")
    assert trouble_in(window, pages_for(window)[::SAMPLE]) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_dialogs_that_keys_open_are_accessible(desk: Callable[..., Desk], theme: str) -> None:
    page = desk("apollo", theme=theme).open("/{b}/approvals/")
    for key, dialog in KEYS.items():
        page.keyboard.press(key)
        page.locator(dialog).first.wait_for(state="visible")
        page.wait_for_timeout(OPENS_MS)
        assert violations(page, key) == []
        page.keyboard.press("Escape")
        page.locator(dialog).first.wait_for(state="hidden")


def test_the_moment_the_palette_has_closed_the_keys_are_the_pages(desk: Callable[..., Desk]) -> None:
    """Until the next frame its field still has the focus, hidden as it is: a letter then is nobody's but the page's."""
    page = desk("apollo").open("/{b}/approvals/")
    page.keyboard.press("Control+k")
    page.locator(KEYS["Control+k"]).wait_for(state="visible")
    pressed_in = page.evaluate(CLOSED_AND_PRESSED)
    assert pressed_in == "INPUT", "the case is none: the focus had moved on"
    assert page.locator("dialog#help").is_visible()


def test_the_menu_of_a_phone_is_accessible(desk: Callable[..., Desk]) -> None:
    page = desk("ada", width=390, theme="dark").open("/{b}/")
    page.get_by_role("button", name="Menu", exact=True).click()
    assert violations(page, "menu") == []


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("person", PEOPLE)
def test_every_state_of_every_page_is_accessible(desk: Callable[..., Desk], person: str, theme: str) -> None:
    window = desk(person, theme=theme)
    assert trouble_in(window, pages_for(window)) == []
