"""Long names, with blanks and without, and names that run from right to left: on lists, items, in the inbox, the palette and
choosers no column is pushed away, nothing leaves its box.

The service takes 100 characters; on the page each is drawn out to 216, as another service may send it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.desk import COPIED_S, Desk
from tests.browser.look import faults_of
from tests.browser.office import Office, swipe

TAKEN, LENGTH = 100, 216
SOLID = "Weitverzweigtehandelsgesellschaft" * 3
NAMES = {
    "solid": SOLID[:TAKEN],
    "spaced": ("Worldwide Provisions and Very Careful Long Distance Transport Company of the " * 2)[:TAKEN].strip(),
    "arabic": "شركة النور للتجارة الدولية والخدمات المالية المحدودة، فرع مومباسا",
    "hebrew": "חברת שירותים פיננסיים ולוגיסטיקה בינלאומית בעירבון מוגבל",
}
# Draws every name out to its full length, wherever it stands on the page.
STRETCH = """([names, length]) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let found = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) for (const name of names) {
    if (!node.data.includes(name)) continue;
    found += 1;
    const drawn = (name + (name.includes(" ") ? " " : "") + name + name + name + name).slice(0, length);
    node.data = node.data.replaceAll(name, drawn);
  }
  return found;
}"""
# How far the table on the page reaches beyond its place, in pixels.
PUSHED = """() => Math.max(0, ...[...document.querySelectorAll("main .table, main .list")].map((one) => one.scrollWidth - one.clientWidth))"""
CROWD = """([name, count]) => {
  for (const select of document.querySelectorAll("main select")) for (let at = 0; at < count; at += 1) select.add(new Option(`${name} ${at}`, `x${at}`));
  for (const drop of document.querySelectorAll("main .drop")) {
    const one = drop.querySelector("a, label");
    for (let at = 0; one && at < count; at += 1) { const more = one.cloneNode(true); more.append(` ${name} ${at}`); drop.append(more); }
  }
}"""
DROPS_OUTSIDE = """() => [...document.querySelectorAll("main details[open] > .drop, main select")].filter((one) => one.checkVisibility())
  .filter((one) => { const box = one.getBoundingClientRect(); return box.right > innerWidth + 1 || box.left < -1; })
  .map((one) => `${one.localName}.${one.className} from ${one.getBoundingClientRect().left} to ${one.getBoundingClientRect().right}`)"""


@pytest.fixture(scope="module")
def named(demo: dict[str, Any]) -> dict[str, str]:
    """The ids of expenses at merchants of these names, by kind of name; a vendor and a customer have each name too."""
    office = Office(demo)
    for number, name in enumerate(NAMES.values()):
        office.ask("Ada", "POST", "/vendors", {"name": name, "email": f"long{number}@vendors.example"})
        office.ask("Ada", "POST", "/customers", {"name": name, "phone": f"+25471900{time.time_ns() % 10**4:04}"})
    return {kind: swipe(office, name, 40 + number, number)["_id"] for number, (kind, name) in enumerate(NAMES.items())}


def in_order(page: Page, where: str, width: int) -> list[str]:
    """What is wrong once the names on the page are drawn out."""
    page.set_viewport_size({"width": width, "height": 860})
    page.wait_for_timeout(150)
    faults = [f"{where} at {width}: {fault}" for fault in faults_of(page)]
    pushed = page.evaluate(PUSHED)
    return [*faults, f"{where} at {width}: columns are pushed {pushed} pixels away"] if pushed > 1 else faults


def shown_with(window: Desk, path: str, text: str) -> Page:
    """The page, as soon as a name is on it: the copy hears of it a moment later."""
    ends = time.monotonic() + COPIED_S
    while text not in (page := window.open(path)).locator("main").inner_text() and time.monotonic() < ends:
        time.sleep(1)
    return page


@pytest.mark.parametrize("kind", NAMES)
def test_no_list_or_item_is_pushed_away(desk: Callable[..., Desk], named: dict[str, str], kind: str) -> None:
    window, name, faults = desk("apollo"), NAMES[kind], list[str]()
    word = name.split()[0][:24]
    paths = (
        f"expenses/?q={word}", f"expenses/{named[kind]}/", f"approvals/?q={word}", f"approvals/expense/{named[kind]}/",
        f"vendors/?q={word}", f"customers/?q={word}", f"find/?q={word}",
    )  # fmt: skip
    for path in paths:
        page = shown_with(window, "/{b}/" + path, word)
        assert page.evaluate(STRETCH, [[name], LENGTH]) > 0, path
        faults += [fault for width in (320, 390, 1280) for fault in in_order(page, path, width)]
    assert not faults, "\n".join(faults)


def test_the_palette_holds_them(desk: Callable[..., Desk], named: dict[str, str]) -> None:
    page = desk("apollo", width=390).open("/{b}/")
    page.keyboard.press("Control+k")
    page.keyboard.type(SOLID[:24])
    page.locator("#found a", has_text=SOLID[:24]).first.wait_for()
    assert page.evaluate(STRETCH, [list(NAMES.values()), LENGTH]) > 0
    assert page.evaluate(
        "document.querySelector('#found').scrollWidth <= document.querySelector('#found').clientWidth + 1"
    )


@pytest.mark.parametrize("path", ["bills/new/", "expenses/", "wallet-policies/", "delegation/"])
@pytest.mark.parametrize("width", [390, 1280])
def test_200_long_names_stay_in_their_chooser(desk: Callable[..., Desk], path: str, width: int) -> None:
    page = desk("ada", width=width).open("/{b}/" + path)
    page.evaluate(CROWD, [SOLID, 200])
    for summary in page.locator("main details.chip > summary").all():
        if summary.is_visible():
            # One at a time, as people open them: an open one may lie over the next.
            summary.click()
            assert page.evaluate(DROPS_OUTSIDE) == []
            page.keyboard.press("Escape")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
