"""What comes after a list stands (its totals, its views and exports) finds its place kept: nothing moves under the reader."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.browser.desk import Desk

PAGES = ("expenses/", "customers/", "cards/?view=all", "approvals/?show=mine")
MOST = 0.02
# A slow machine paints while rows still come: what it would see is seen here, too.
SLOWER = 6
WATCH = """
  window.moved = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.moved += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
"""


def late(route: Route) -> None:
    """Lets the totals come once the page has long been painted."""
    time.sleep(0.5)
    route.continue_()


@pytest.mark.parametrize("width", [1360, 320])
def test_nothing_moves_when_totals_and_exports_come(desk: Callable[..., Desk], width: int) -> None:
    window = desk("ada", width=width)
    window.context.add_init_script(WATCH)
    window.context.route("**/totals/**", late)
    window.context.new_cdp_session(window.page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    for path in PAGES:
        page = window.go("/{b}/" + path)
        page.get_by_role("button", name="XLSX").wait_for()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.moved") <= MOST, path


def test_the_choice_of_columns_opens_within_the_page(desk: Callable[..., Desk]) -> None:
    page = desk("ada").go("/{b}/cards/?view=all")
    page.locator("summary", has_text="Columns").click()
    drop = page.locator("fieldset.drop").bounding_box()
    assert drop is not None
    assert drop["x"] + drop["width"] <= 1360
