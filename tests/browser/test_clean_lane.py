"""What looks clean: an approver approves all of it in one step by keyboard, and somebody else checks the sample that is drawn."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import COPIED_S, Desk
from tests.browser.office import Office, open_clean_lane, spend_clean, swipe, tab_to

CLEAN = 12
# A sample is drawn within a minute of the last decision of its batch.
DRAWN_S = 150
FOUND = "The receipt is for the same dinner."


def nothing_wrong(page: Page) -> None:
    assert not Axe().run(page).response["violations"]
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), "it scrolls sideways"


def test_what_looks_clean_is_approved_in_one_step_by_keyboard_and_a_sample_of_it_is_checked(
    desk: Callable[..., Desk], demo: dict[str, Any], upstream: Callable[[str], str]
) -> None:
    office, merchant = Office(demo), f"Usual Diner {time.time_ns() % 10**6}"
    expenses = spend_clean(office, merchant, CLEAN)
    blemished = str(swipe(office, merchant, 40, CLEAN)["_id"])
    apollo = desk("apollo")
    page = open_clean_lane(apollo, merchant, CLEAN)
    expect(page.locator(f'tr[data-row="expense/{blemished}"]')).to_have_count(0)
    expect(page.locator(".list .rule")).to_contain_text("An expense looks clean when its receipt says the same")
    expect(page.get_by_role("link", name="Looks clean")).to_have_attribute("aria-current", "true")
    nothing_wrong(page)

    page.keyboard.press("p")
    expect(page.locator("[data-review-all]")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/plan/**")
    nothing_wrong(page)
    tab_to(page, f"Approve {CLEAN}")
    page.keyboard.press("Enter")
    page.wait_for_url("**/several/**")
    ends = time.monotonic() + COPIED_S
    while {upstream(expense) for expense in expenses} != {"APPROVED"}:
        assert time.monotonic() < ends, [upstream(expense) for expense in expenses]
        time.sleep(1)
    assert upstream(blemished) == "PENDING"
    rest = apollo.open(f"/{{b}}/approvals/?show=mine&lane=clean&q={merchant}")
    expect(rest.locator("#list .empty")).to_contain_text("Nothing looks clean")

    zawadi = desk("zawadi")
    samples = zawadi.go("/{b}/approvals/samples/").locator(".samples > li", has_text=merchant)
    ends = time.monotonic() + DRAWN_S
    while not samples.count():
        assert time.monotonic() < ends, "nothing was drawn"
        time.sleep(2)
        zawadi.page.reload()
    home = zawadi.open("/{b}/")
    expect(home.get_by_role("link", name="Audit sample")).to_be_visible()
    home.get_by_role("link", name="Audit sample").click()
    nothing_wrong(home)
    sample = samples.first
    expect(sample).to_contain_text("Approved by Apollo")
    sample.get_by_label("In order").check()
    # The browser's own check holds an empty note back.
    sample.get_by_role("button", name="Save check").click()
    expect(sample.get_by_label("What did you find?")).to_be_focused()
    sample.get_by_label("What did you find?").fill(FOUND)
    sample.get_by_role("button", name="Save check").click()
    expect(samples.filter(has_text=FOUND)).to_contain_text("In order")

    own = apollo.go("/{b}/approvals/samples/")
    expect(own.locator(".samples > li", has_text=merchant).filter(has_text=FOUND)).to_be_visible()
    audit = desk("ada").open("/{b}/audit/?kind=check_sample")
    expect(audit.get_by_text("drawn for a second look: in order").first).to_be_visible()


def test_an_empty_lane_says_what_appears_there_and_a_phone_shows_all_of_it(desk: Callable[..., Desk]) -> None:
    for width, theme in ((320, "dark"), (390, "light")):
        page = desk("apollo", width=width, theme=theme).open(
            "/{b}/approvals/?show=mine&lane=clean&q=nobody-is-called-this"
        )
        expect(page.locator("#list .empty")).to_contain_text("Nothing looks clean")
        expect(page.locator("#list .empty")).to_contain_text("once their receipts have been read")
        expect(page.locator("[data-review-all]")).to_have_count(0)
        nothing_wrong(page)
        nothing_wrong(desk("zawadi", width=width, theme=theme).open("/{b}/approvals/samples/"))
