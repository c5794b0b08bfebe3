"""A treasurer moves EUR to USD inside the quote: sees the rate and what it costs, shows that it is them, and it is done."""

from __future__ import annotations

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.desk import Desk, totp


def test_euros_become_dollars_inside_the_quote(desk: Callable[..., Desk]) -> None:
    window = desk("ole", fresh=True)
    # A house that has just come up reads its wallets within its first half minute.
    for _ in range(40):
        page = window.go("/{b}/treasury/")
        if page.get_by_role("heading", name="EUR").count():
            break
        page.wait_for_timeout(1_000)
    page = window.go("/{b}/treasury/fx/?source=EUR&target=USD&amount=250&side=SELL&span=30")
    prove = page.get_by_role("link", name="Verify it's you")
    if prove.count():
        prove.click()
        assert window.person is not None
        page.fill("[name=code]", totp(window.person["totp_secret"]))
        page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Convert EUR")).to_be_visible()
    assert int(page.locator("[data-seconds]").get_attribute("data-seconds") or 0) > 0
    assert not Axe().run(page).response["violations"]
    page.get_by_label("Note").fill("Simulation seats")
    page.get_by_role("button", name="Convert EUR").click()
    expect(page.locator("#toasts")).to_contain_text("was converted to")
    page.wait_for_url("**/treasury/")
