"""The wallet policies as an admin works: why can she pay from this wallet? And it ends on Friday."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.days import business_day

ROOM = "/{b}/wallet-policies/"


def next_friday() -> date:
    """The Friday after this week's days are over."""
    today = business_day()
    return today + timedelta(days=(4 - today.weekday()) % 7 + 7)


def somebody_who_pays(page: Page) -> str:
    """Opens the cell of somebody who pays by a policy, found by keyboard and search alone; their name."""
    cell = page.locator(".matrix .cell.given a").filter(has_text="by policy view, pay").first
    told = cell.locator(".sr").inner_text()
    cell.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/people/**")
    return told.split(",")[0]


def test_why_can_she_pay_and_it_ends_on_friday(desk: Callable[..., Desk]) -> None:
    page = desk("abel").go(f"{ROOM}?has=policy")
    who = somebody_who_pays(page)
    because = page.locator(".because").filter(has_text="pay vendors from it")
    expect(because).to_contain_text(f"{who} can")
    expect(because).to_contain_text("wallet policy granted by")
    friday = next_friday()
    page.get_by_label("End date").fill(friday.isoformat())
    page.get_by_role("button", name="Set end date…").click()
    expect(page.get_by_label("End date")).to_have_value(friday.isoformat())
    page.get_by_role("button", name="Review change").click()
    expect(page.locator("main")).to_contain_text(f"{who} loses all access after Friday {friday.day} {friday:%b %Y}")
    page.get_by_role("button", name="Save policy", exact=True).click()
    page.wait_for_url("**/people/**")
    expect(page.locator("#toasts, .toast").first).to_contain_text("is changed")
    expect(page.locator(".because").first).to_contain_text(f"until {friday.day} {friday:%b %Y}")
    page.get_by_role("link", name="View all changes").click()
    expect(page.locator("main li").first).to_contain_text("Abel Kariuki")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_and_a_phone_shows_all_of_it(desk: Callable[..., Desk], theme: str) -> None:
    window, axe, found = desk("abel", theme=theme, width=320), Axe(), []
    page = window.go(f"{ROOM}?has=policy")
    trace = page.locator(".matrix .cell.given a").first.get_attribute("href") or ""
    page.goto(window.demo["address"] + trace)
    suspend = page.get_by_role("link", name="Suspend policy…").first.get_attribute("href") or trace
    whole = page.get_by_role("link", name="View who has access").get_attribute("href") or ""
    change = page.get_by_role("link", name="Edit policy…").first.get_attribute("href") or trace
    rest = ("", "?q=zzzz", "audit/", "permissions/", "proposals/", "proposals/?show=all", "grant/")
    for path in (*(ROOM + one for one in rest), trace, suspend, change, whole):
        page = window.go(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        for violation in axe.run(page).response["violations"]:
            found += [f"{path} {violation['id']}: {node['html'][:160]}" for node in violation["nodes"]]
    assert not found


def test_without_javascript_it_is_looked_at_and_left(desk: Callable[..., Desk]) -> None:
    page = desk("abel", js=False).go(f"{ROOM}?has=policy")
    page.locator(".matrix .cell.given a").first.click()
    page.get_by_role("link", name="Revoke policy…").click()
    expect(page.locator("main")).to_contain_text("Impact today")
    expect(page.get_by_role("button", name="Revoke policy")).to_be_visible()
    page.get_by_role("link", name="‹ Cancel").click()
    expect(page.locator("main")).to_contain_text("Policy")


def test_the_matrix_answers_while_one_types(desk: Callable[..., Desk]) -> None:
    page = desk("abel").go(ROOM)
    page.get_by_role("searchbox", name="Search people").fill("apol")
    expect(page.locator(".matrix tbody tr")).to_have_count(1)
    expect(page.locator(".matrix tbody th")).to_contain_text("Apollo Mutua")
    expect(page.get_by_role("searchbox", name="Search people")).to_be_focused()
