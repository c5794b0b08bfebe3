"""Charts are drawn in the colours of the theme and read by keyboard; without scripts the table says it alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk

FLOWS = 'canvas[data-chart="flows-KES"]'
# The colours of a chart's pixels, each with how often it is there.
PIXELS = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const found = new Set();
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) found.add(`rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})`);
  return [...found];
}"""
TOKEN = """name => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}"""


def pixels_hold(page: Page, token: str) -> None:
    """The chart has pixels in the token's colour, as soon as it is drawn."""
    colour = page.evaluate(TOKEN, token)
    for _ in range(30):
        if colour in page.locator(FLOWS).evaluate(PIXELS):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"no pixel is {colour} ({token})")


def test_arrow_keys_read_every_point_as_the_table_has_it(desk: Callable[..., Desk]) -> None:
    page = desk("ada").open_with("/{b}/treasury/cashflow/", FLOWS)
    chart = json.loads(page.locator("#flows-KES").text_content() or "")
    said = page.locator("figure", has=page.locator(FLOWS)).locator("[data-said]")
    page.locator(FLOWS).focus()
    expect(said).to_have_text("")
    for key, index in (("ArrowRight", 0), ("ArrowRight", 1), ("ArrowLeft", 0), ("End", len(chart["labels"]) - 1)):
        page.keyboard.press(key)
        came_in, went_out = (series["texts"][index] for series in chart["series"])
        expect(said).to_have_text(f"{chart['labels'][index]}. In: {came_in}, Out: {went_out}")
        row = page.get_by_role("region", name="Cashflow in KES").locator("tr", has_text=chart["labels"][index])
        expect(row).to_contain_text(came_in.split("\xa0")[1])
    page.keyboard.press("Escape")
    expect(said).to_have_text("")
    assert not Axe().run(page).response["violations"]


def until_other_than(page: Page, colour: str) -> None:
    """The theme follows the system's a moment after that has changed."""
    page.wait_for_function(f"colour => ({TOKEN})('--ok') !== colour", arg=colour)


def test_the_colours_are_those_of_the_theme_and_change_with_it(desk: Callable[..., Desk]) -> None:
    page = desk("ada").open_with("/{b}/treasury/cashflow/", FLOWS)
    pixels_hold(page, "--ok")
    light = page.evaluate(TOKEN, "--ok")
    page.emulate_media(color_scheme="dark")
    until_other_than(page, light)
    pixels_hold(page, "--ok")
    page.emulate_media(color_scheme="light")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    until_other_than(page, light)
    pixels_hold(page, "--ok")


@pytest.mark.parametrize("width", [320, 1440])
def test_a_chart_stays_inside_its_figure(desk: Callable[..., Desk], width: int) -> None:
    page = desk("ada", width=width).open_with("/{b}/treasury/cashflow/", FLOWS)
    for canvas in page.locator("canvas[data-chart]").all():
        drawn, around = canvas.bounding_box(), canvas.locator("xpath=ancestor::figure").bounding_box()
        assert drawn is not None
        assert around is not None
        assert drawn["x"] >= around["x"]
        assert drawn["x"] + drawn["width"] <= around["x"] + around["width"] + 1
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_without_scripts_and_in_print_the_table_alone_says_it(desk: Callable[..., Desk]) -> None:
    page = desk("ada").open_with("/{b}/treasury/cashflow/", FLOWS)
    page.emulate_media(media="print")
    expect(page.locator(FLOWS)).to_be_hidden()
    expect(page.get_by_role("region", name="Cashflow in KES")).to_be_visible()
    page = desk("ada", js=False).open("/{b}/treasury/cashflow/")
    expect(page.locator(FLOWS)).to_be_hidden()
    expect(page.get_by_role("region", name="Cashflow in KES")).to_be_visible()


def test_only_pages_with_a_chart_load_the_library(desk: Callable[..., Desk]) -> None:
    window = desk("ada")
    library = 'script[src*="vendor/chartjs/"]'
    assert window.open("/{b}/treasury/cashflow/").locator(library).count() == 1
    assert window.open("/{b}/treasury/").locator(library).count() == 0
    source = window.page.locator("script").evaluate_all("all => all.map(one => one.src)")
    assert all(re.match(r"https?://[^/]+/static/", address) for address in source if address)
