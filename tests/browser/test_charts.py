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


# What is done to charts, and when the browser was free for others in between.
TASKS = """
window.chartTasks = [];
const free = window.requestIdleCallback;
window.requestIdleCallback = (work, options) => free((deadline) => { chartTasks.push("idle"); work(deadline); }, options);
let library;
Object.defineProperty(window, "Chart", {
  get: () => library,
  set: (Chart) => {
    library = Chart;
    const note = (task) => () => { chartTasks.push(task); };
    Chart.register({ id: "watch", beforeInit: note("made"), afterLayout: note("laid out"), afterDraw: note("painted") });
  },
});
"""


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
    expect(window.open("/{b}/treasury/cashflow/").locator(library)).to_have_count(1)
    assert window.open("/{b}/treasury/").locator(library).count() == 0
    source = window.page.locator("script").evaluate_all("all => all.map(one => one.src)")
    assert all(re.match(r"https?://[^/]+/static/", address) for address in source if address)


def test_the_library_comes_after_the_page_and_a_chart_is_drawn_in_parts(desk: Callable[..., Desk]) -> None:
    window = desk("ada")
    page = window.page
    page.add_init_script(TASKS)
    window.open_with("/{b}/treasury/cashflow/", FLOWS)
    pixels_hold(page, "--ok")
    source = page.request.get(page.url).text()
    assert "vendor/chartjs/" not in re.sub(r'data-library="[^"]*"', "", source)
    # Each of its parts is a task of its own.
    tasks = page.evaluate("window.chartTasks")
    first = tasks[: tasks.index("painted") + 1]
    assert first == ["idle", "idle", "made", "idle", "laid out", "idle", "painted"], tasks


def test_an_axis_says_large_amounts_in_short(desk: Callable[..., Desk]) -> None:
    page = desk("ada").open_with("/{b}/treasury/cashflow/", FLOWS)
    pixels_hold(page, "--ok")
    labels = page.locator(FLOWS).evaluate(
        "canvas => Chart.getChart(canvas).scales.y.ticks.map((tick) => [tick.value, tick.label])"
    )
    assert len(labels) > 2
    for minor, label in labels:
        number = {"K": 1e3, "M": 1e6}.get(label[-1], 1) * float(label.rstrip("KM").replace(",", ""))
        assert number == minor / 100, labels
    assert any(label[-1] in "KM" for _, label in labels)
