"""An admin deletes 61 customers at once: one is renamed by somebody else meanwhile, 60 are deleted, that one is retried."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import COPIED_S, HANG_S, Desk

COUNT = 61


class Elsewhere:
    """Somebody else at the finance service, past the dashboard."""

    def __init__(self, demo: dict[str, Any]) -> None:
        service, business = demo["service"], demo["service"]["businesses"][0]
        self.address = f"{service['address']}/v2"
        token = requests.post(
            f"{service['address']}/oauth/token",
            data={"grant_type": "client_credentials"},
            auth=(business["client_id"], business["client_secret"]),
            timeout=HANG_S,
        ).json()["access_token"]
        self.headers = {"Authorization": f"Bearer {token}", "business_id": business["business_id"]}

    def send(self, method: str, path: str, body: dict[str, str]) -> dict[str, Any]:
        headers = self.headers | {"Idempotency-Key": f"elsewhere-{time.time_ns()}"}
        answer = requests.request(method, f"{self.address}{path}", json=body, headers=headers, timeout=HANG_S)
        assert answer.ok, answer.text
        found: dict[str, Any] = answer.json()
        return found


@pytest.fixture
def elsewhere(demo: dict[str, Any]) -> Elsewhere:
    return Elsewhere(demo)


def lists_until(page: Page, address: str, text: str) -> None:
    """Opens the list again until what was done elsewhere has come in."""
    ends = time.monotonic() + COPIED_S
    while True:
        page.goto(address)
        totals = page.locator("#totals-of-list .figs")
        totals.wait_for()
        if text in f"{totals.inner_text()} {page.locator('#rows-of-list').inner_text()}":
            return
        assert time.monotonic() < ends, text
        time.sleep(0.5)


def clean(page: Page) -> None:
    assert not Axe().run(page).response["violations"]


def test_60_of_61_are_deleted_and_the_one_that_failed_is_tried_again(
    desk: Callable[..., Desk], elsewhere: Elsewhere
) -> None:
    mark = f"Bulk{time.time_ns() % 10**8:08}"
    made = [elsewhere.send("POST", "/customers", {"name": f"{mark} {at:02}"}) for at in range(COUNT)]
    window = desk("ada")
    page = window.go("/{b}/customers/")
    found = f"{page.url.split('?')[0]}?q={mark}"
    lists_until(page, found, f"{COUNT} customers")

    # By keyboard: the row that has the focus is ticked, then all that match, on every page.
    page.locator("#rows-of-list tbody a").first.focus()
    page.keyboard.press("x")
    expect(page.get_by_text("1 selected")).to_be_visible()
    clean(page)
    page.get_by_label(f"All {COUNT} that match, on every page").check()
    page.get_by_role("button", name="Review bulk delete").click()
    expect(page.locator("main h2")).to_have_text(f"{COUNT} will be deleted")
    clean(page)

    other = window.context.new_page()
    elsewhere.send("PUT", f"/customers/{made[30]['_id']}", {"name": f"{mark} renamed"})
    lists_until(other, f"{found}+renamed", f"{mark} renamed")
    page.get_by_role("button", name=f"Delete {COUNT} customers").click()
    expect(page.locator("main h2")).to_have_text("60 customers deleted; 1 to retry", timeout=120_000)
    page.get_by_role("link", name="Changed meanwhile").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text(f"Name: {mark} 30 → {mark} renamed")
    clean(page)

    page.get_by_role("button", name="Review retry of 1").click()
    expect(page.locator("main h2")).to_have_text("1 will be deleted")
    page.get_by_role("button", name="Delete 1 customer").click()
    expect(page.locator("main h2")).to_have_text("1 customer deleted", timeout=60_000)
    page.locator("details.own > summary").click()
    page.get_by_role("link", name="Bulk actions").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("retry")
    clean(page)


def test_without_javascript_what_is_ticked_is_planned_and_done(desk: Callable[..., Desk], elsewhere: Elsewhere) -> None:
    mark = f"Plain{time.time_ns() % 10**8:08}"
    for at in range(2):
        elsewhere.send("POST", "/customers", {"name": f"{mark} {at}"})
    window = desk("ada")
    found = f"{window.go('/{b}/customers/').url.split('?')[0]}?q={mark}"
    lists_until(window.page, found, "2 customers")

    page = desk("ada", js=False, width=320).page
    page.goto(found)
    page.get_by_label(f"Select {mark} 0").check()
    page.get_by_role("button", name="Review bulk delete").click()
    expect(page.locator("main h2")).to_have_text("1 will be deleted")
    page.get_by_role("button", name="Delete 1 customer").click()
    ends = time.monotonic() + HANG_S
    while page.get_by_text("1 customer deleted").count() == 0:
        assert time.monotonic() < ends
        page.get_by_role("link", name="Refresh").click()
        time.sleep(0.3)
    page.get_by_role("link", name="Back to the list").click()
    expect(page.locator("main")).to_contain_text(f"{mark} 1")
    expect(page.locator("main")).not_to_contain_text(f"{mark} 0")
