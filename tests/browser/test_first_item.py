"""The desk's first item, asked for before the scripts are there: whatever becomes of that, it is asked for by htmx; and where it
does not come then either, it is said."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.controls import FAULTS, HANG_MS, Fault, Stage
from tests.browser.desk import Desk

DESK = "/{b}/approvals/?kind=expense"
ITEM = "#pane [data-item]"
# Nobody waits in these tests as long as a person would: for the item with the page, and for htmx's.
SOON = f"""
const lasts = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => lasts(Math.min(ms, {HANG_MS}));
document.addEventListener("DOMContentLoaded", () => {{ window.htmx.config.timeout = {HANG_MS}; }});
"""
# The others fail alike: a status, a body that is not ours.
DAILY = {"hang", "network error", "502 of a proxy", "200 of a proxy"}
FAULTY = [pytest.param(one, id=one.name, marks=() if one.name in DAILY else pytest.mark.full) for one in FAULTS]


@pytest.fixture
def stage(desk: Callable[..., Desk]) -> Stage:
    """Apollo's desk, the copy of which has items; what is asked for is let through until a fault is set."""
    window = desk("apollo")
    window.open_with(DESK, ITEM)
    stage = Stage(window.page, window.demo["address"])
    stage.hold = False
    return stage


def reload(stage: Stage, fault: Fault) -> None:
    """Opens the desk anew; where no answer comes at all, it is given up soon. Of any other the answer comes, however busy the
    machine is."""
    if fault.name == "hang":
        stage.page.add_init_script(SOON)
    stage.page.reload(wait_until="commit")


@pytest.mark.parametrize("fault", FAULTY)
def test_it_is_asked_for_again_through_the_door(stage: Stage, fault: Fault) -> None:
    stage.early = fault
    reload(stage, fault)
    item = stage.page.locator(ITEM)
    expect(item).to_be_visible()
    key = item.get_attribute("data-item")
    expect(stage.page.locator(f'#rows tr[data-row="{key}"]')).to_have_attribute("aria-current", "true")
    expect(stage.page.locator("#announce")).to_contain_text("1 of ")
    expect(stage.page.locator("#toasts [data-toast]")).to_have_count(0)


@pytest.mark.parametrize("fault", [one for one in FAULTY if one.id != "401 of ours"])
def test_where_it_does_not_come_then_either_it_is_said_and_the_list_works(stage: Stage, fault: Fault) -> None:
    page = stage.page
    stage.early = stage.late = fault
    reload(stage, fault)
    toasts = page.locator("#toasts")
    expect(toasts.locator("[data-toast]")).not_to_have_count(0)
    expect(toasts).to_have_attribute("aria-live", "polite")
    assert stage.asked >= 1
    expect(page.locator(".htmx-request")).to_have_count(0)
    expect(page.locator("html.drawing")).to_have_count(0)
    expect(page.locator(ITEM)).to_have_count(0)
    stage.early = stage.late = None
    page.locator("#rows a").first.click()
    expect(page.locator(ITEM)).to_be_visible()
