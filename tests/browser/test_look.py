"""The look of every page, measured from 320 to 2560 pixels: no text leaves its box or breaks inside a word, amounts line up and
stay in sight, nothing scrolls sideways, the sidebar fits 800 pixels.

In CI a sample of the pages, in the full run all of them, as every role that has them.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from config.site_walk import shape, walk
from tests.browser.desk import Desk
from tests.browser.look import BELOW_THE_FOLD, faults_of

WIDTHS = (320, 390, 600, 820, 1024, 1280, 1440, 1920, 2560)
SAMPLED_WIDTHS, SAMPLE = (320, 390, 1280), 6
# One of each role.
PEOPLE = ("carla", "rita", "rex", "apollo", "ada", "selma")
SETTLES_MS = 120
# A page as it must not be, and what is found of it.
BROKEN = {
    '<p style="width: 60px; white-space: nowrap">Longer than its box is wide</p>': "text leaves its box",
    '<div style="width: 60px; overflow: hidden"><p style="width: 300px">Cut off without a way to it</p></div>': "text is cut off",
    '<p style="width: 60px; overflow-wrap: anywhere">Counterparties</p>': "a word is broken",
    '<p style="width: 60px; overflow-wrap: anywhere">USD\u00a0343,972.00</p>': "a word is broken",
    '<table><tr><td class="num">KES\u00a01.00</td></tr><tr><td class="num">JPY\u00a01</td></tr></table>': "amounts are out of line",
    '<div style="width: 4000px">Wide</div>': "pixels wide",
    '<main><table style="width: 60px"><tr><td><a href="/">INV-2026-3076</a></td></tr></table></main>': "a reference is broken",
    '<input style="width: 90px" placeholder="Number, vendor, memo or amount">': "the text of a field is cut off",
    '<select style="width: 90px"><option>Savings and loan societies</option></select>': "the text of a field is cut off",
    '<main><div style="width: 200px; overflow: auto"><table><tr><td style="min-width: 300px">29 November 2026, settled on the 30th, charged again</td>'
    '<td style="position: sticky; right: 0; background: white">KES\u00a01.00</td></tr></table></div></main>': "a figure is covered",
    '<main><div class="table" style="width: 100px; overflow: auto"><table><tbody><tr><td style="min-width: 300px">Fuel</td>'
    '<td class="num">KES\u00a01.00</td></tr></tbody></table></div></main>': "an amount is out of sight",
}  # fmt: skip


def pages_for(window: Desk) -> list[str]:
    """The addresses of one page of each kind that the person is led to."""

    def fetch(path: str) -> str | None:
        answer = window.page.request.get(window.demo["address"] + path)
        return answer.text() if answer.ok and "text/html" in answer.headers["content-type"] else None

    return walk(fetch, f"/{window.business()}/")


def faults_at(window: Desk, path: str, widths: tuple[int, ...]) -> list[str]:
    """What is wrong with a page at each of the widths."""
    page = window.open(path)
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(SETTLES_MS)
        found += [f"{path} at {width}: {fault}" for fault in faults_of(page)]
        if width > 820 and (below := page.evaluate(BELOW_THE_FOLD)):
            found.append(f"{path} at {width}: below the fold of the sidebar: {below}")
    return found


def test_two_items_of_a_kind_are_one_page() -> None:
    """Thirteen months of accounting, each with five pages, were a third of the walk of an approver."""
    months = {shape(f"/kifaru/accounting/{month}/ledger/") for month in ("2026-11", "2025-12")}
    references = {
        shape(f"/kifaru/approvals/fund-opt-in/{reference}/")
        for reference in ("OI01a21e19344500004f1a8398", "OI" + "0" * 24)
    }
    currencies = {shape(f"/kifaru/treasury/currencies/{code}/open/") for code in ("KES", "USD")}
    assert [len(shapes) for shapes in (months, references, currencies)] == [1, 1, 1]
    assert len({shape("/kifaru/policies/new/CHANNEL/"), shape("/kifaru/policies/new/DAY_TIME/")}) == 2


def test_a_sample_of_pages_is_in_order(desk: Callable[..., Desk]) -> None:
    window = desk("apollo")
    window.open_with("/{b}/approvals/", "#rows a")
    pages = pages_for(window)
    assert len(pages) > 40
    faults = [fault for path in pages[::SAMPLE] for fault in faults_at(window, path, SAMPLED_WIDTHS)]
    assert not faults, "\n".join(faults)


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("person", PEOPLE)
def test_every_page_is_in_order(desk: Callable[..., Desk], person: str, theme: str) -> None:
    window = desk(person, theme=theme)
    faults = [fault for path in pages_for(window) for fault in faults_at(window, path, WIDTHS)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(("markup", "fault"), BROKEN.items(), ids=range(len(BROKEN)))
def test_the_check_finds_what_is_out_of_order(desk: Callable[..., Desk], markup: str, fault: str) -> None:
    page = desk("", width=390).page
    page.set_content(f"<style>.num {{ text-align: right }}</style>{markup}")
    assert fault in "\n".join(faults_of(page))


def test_a_button_out_of_sight_is_found_on_a_narrow_window(desk: Callable[..., Desk]) -> None:
    page = desk("", width=390).page
    row = "<td style='min-width: 300px'>Ada</td><td><details><summary>More</summary></details></td>"
    page.set_content(
        f"<main><div class='table' style='width: 280px; overflow: auto'><table><tr>{row}</tr></table></div></main>"
    )
    assert "what can be pressed is out of sight in summary: More" in "\n".join(faults_of(page))


def test_an_amount_out_of_its_container_is_found_on_a_wide_window_too(desk: Callable[..., Desk]) -> None:
    page = desk("", width=1280).page
    row = "<td style='min-width: 300px'>Fuel</td><td class='num'>KES\u00a01.00</td>"
    page.set_content(
        f"<main><div class='table' style='width: 330px; overflow: auto'><table><tr>{row}</tr></table></div></main>"
    )
    assert "an amount is out of sight" in "\n".join(faults_of(page))


def test_the_check_finds_a_page_of_ours_that_was_broken(desk: Callable[..., Desk]) -> None:
    window = desk("apollo", width=1280)
    page = window.open("/{b}/expenses/")
    assert faults_of(page) == []
    # As if the rule that makes room for a column had been lost.
    page.evaluate(
        "document.querySelectorAll('main td').forEach((cell) => { cell.style.maxWidth = '40px'; cell.style.whiteSpace = 'nowrap'; })"
    )
    assert any("text leaves its box" in fault for fault in faults_of(page))
