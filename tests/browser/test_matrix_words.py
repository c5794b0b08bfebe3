"""The matrix of wallet policies: its legend is open until it is closed once, and what the letters of a cell mean is there in words
on hover and on focus."""

from __future__ import annotations

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.desk import Desk

PATH, CELL = "/{b}/wallet-policies/", ".matrix td.cell:not(.none) a"


def test_the_legend_is_open_until_it_is_closed_once(desk: Callable[..., Desk]) -> None:
    window = desk("ada", fresh=True)
    page = window.open(PATH)
    legend = page.locator("details.legend")
    expect(legend.get_by_text("transfer and allocate", exact=True)).to_be_visible()
    legend.locator("summary").press("Enter")
    expect(legend).not_to_have_attribute("open", "")
    page = window.open(PATH)
    expect(page.locator("details.legend dl").first).to_be_hidden()
    page.locator("details.legend summary").click()
    expect(window.open(PATH).locator("details.legend dl").first).to_be_visible()


def test_a_cell_says_its_letters_in_words(desk: Callable[..., Desk]) -> None:
    page = desk("ada").open_with(PATH, CELL)
    cell = page.locator(CELL).first
    words = cell.locator(".sr")
    said = words.text_content() or ""
    assert len(said) > 10
    for show, hide in ((cell.hover, lambda: page.mouse.move(0, 0)), (cell.focus, cell.blur)):
        show()
        box = words.bounding_box()
        assert box is not None
        assert box["width"] > 60
        assert box["height"] > 15
        assert not Axe().run(page).response["violations"]
        hide()
        box = words.bounding_box()
        assert box is not None
        assert box["width"] <= 1
