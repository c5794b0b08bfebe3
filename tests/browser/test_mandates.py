"""Roles and mandates as a super admin works: one approval more, and a change that a second one confirms."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk

ROOM = "/{b}/mandates/"


def open_large_batches(page: Page, currency: str) -> str:
    """Opens the mandate for large payout batches; how many of how many it asks for."""
    page.get_by_role("link", name=currency, exact=True).click()
    page.locator("main tbody").filter(has_text="Payout batches").get_by_role("link", name="from").first.click()
    page.get_by_role("heading", name="Requirements").wait_for()
    return page.locator("dd").first.inner_text()


def want(page: Page, needed: int) -> None:
    """Looks at what another number would mean."""
    page.get_by_role("link", name="Change required approvals…").click()
    page.get_by_label("Required approvals").fill(str(needed))
    page.get_by_role("button", name="Review change").click()


def test_one_approval_more_is_read_as_a_sentence_and_then_asked_for(desk: Callable[..., Desk]) -> None:
    page = desk("sam").go(ROOM)
    asked = open_large_batches(page, "KES")
    others = asked.split(" of ")[1]
    want(page, 99)
    expect(page.locator(".field .error")).to_contain_text(f"Only {others} can approve")
    expect(page.get_by_label("Required approvals")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(others)
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text(f"{asked} → {others} of {others} must approve.")
    expect(page.locator("main")).to_contain_text("nobody can be away")
    page.get_by_role("button", name="Save change", exact=True).click()
    expect(page.locator("dd").first).to_have_text(f"{others} of {others}")
    want(page, int(asked.split(" of ")[0]))
    page.get_by_role("button", name="Save change", exact=True).click()
    expect(page.locator("dd").first).to_have_text(asked)


def test_a_second_super_admin_confirms(desk: Callable[..., Desk]) -> None:
    oscar = desk("oscar")
    page = oscar.go("/{b}/wallet-policies/proposals/")
    if (ask := page.get_by_role("button", name="Require a second admin")).count():
        ask.click()
    page = oscar.go(ROOM)
    asked = open_large_batches(page, "EUR")
    mandate = page.url
    needed = 1 if asked.startswith("2") else 2
    want(page, needed)
    expect(page.locator("main")).to_contain_text("A second admin must confirm this before it takes effect.")
    page.get_by_role("button", name="Propose change").click()
    expect(page.locator("main")).to_contain_text("You proposed this: a second admin must confirm it.")
    proposal = page.url
    page.goto(mandate)
    expect(page.locator("dd").first).to_have_text(asked)
    expect(page.locator("main")).to_contain_text("A change is waiting for confirmation")
    olivia = desk("olivia")
    second = olivia.go(proposal.removeprefix(oscar.demo["address"]))
    expect(second.locator("main")).to_contain_text(f"{asked} → {needed} of")
    olivia.confirm_change(second.locator(".top .state").filter(has_text=re.compile("Confirmed|Applied")))
    for _ in range(30):
        page.goto(mandate)
        if page.locator("dd").first.inner_text() != asked:
            break
        page.wait_for_timeout(500)
    expect(page.locator("dd").first).to_contain_text(f"{needed} of")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_and_a_phone_shows_all_of_it(desk: Callable[..., Desk], theme: str) -> None:
    window, axe, found = desk("sam", theme=theme, width=320), Axe(), []
    page = window.go(ROOM)
    one = page.locator("main tbody a").first.get_attribute("href") or ""
    person = window.go(f"{ROOM}people/?q=apollo").locator("main tbody a").first.get_attribute("href") or ""
    for path in (
        ROOM,
        f"{ROOM}people/?q=zzzz",
        f"{ROOM}roles/",
        f"{ROOM}roles/REVIEWER/",
        one,
        f"{one}minimum/",
        person,
    ):
        page = window.go(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        for violation in axe.run(page).response["violations"]:
            found += [f"{path} {violation['id']}: {node['html'][:160]}" for node in violation["nodes"]]
    assert not found


def test_without_javascript_a_role_is_looked_at_and_left(desk: Callable[..., Desk]) -> None:
    page = desk("sam", js=False).go(f"{ROOM}people/?q=carla")
    page.locator("main tbody a").first.click()
    page.get_by_role("link", name="Change role…").click()
    page.get_by_label("Reviewer").check()
    page.get_by_role("button", name="Review change").click()
    expect(page.locator("main")).to_contain_text("Card user → Reviewer.")
    page.get_by_role("button", name="Edit again").click()
    expect(page.get_by_label("Reviewer")).to_be_checked()
    page.get_by_role("link", name="‹ Back").click()
    expect(page.locator("header")).to_contain_text("Card user")


def test_the_palette_finds_it(desk: Callable[..., Desk]) -> None:
    page = desk("sam").go("/{b}/")
    page.keyboard.press("Control+k")
    page.keyboard.type("mandates")
    page.get_by_role("dialog").get_by_role("link", name="Roles and mandates").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Roles and mandates")
