"""Every page, light and dark, wide and 320 pixels: axe finds nothing, nothing scrolls sideways, no policy is broken."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Desk

PUBLIC = ("/-/account/login/", "/-/account/password/reset/", "/-/account/signup/", "/-/style/", "/-/mail/")
OWN = (
    "/-/you/", "/?all=1", "/no-such-business/", "/-/account/2fa/", "/-/account/sessions/", "/-/account/logout/",
    "/-/account/password/change/", "/-/account/reauthenticate/", "/-/account/2fa/webauthn/", "/-/account/3rdparty/",
)  # fmt: skip
STAFF = (
    "/{b}/", "/{b}/approvals/", "/{b}/approvals/?show=others", "/{b}/approvals/?show=decided",
    "/{b}/approvals/?kind=payment", "/{b}/approvals/?q=zzzz", "/{b}/approvals/?risk=purple", "/{b}/expenses/",
    "/{b}/expenses/?q=zzzz", "/{b}/expenses/?status=NO", "/{b}/decisions/", "/{b}/audit/", "/{b}/audit/?person=zzzz",
    "/{b}/settings/", "/{b}/exports/", "/{b}/expenses/receipts/", "/{b}/expenses/?cols=risk%2Creceipt&sort=-amount",
    "/{b}/customers/", "/{b}/customers/new/", "/{b}/customers/import/", "/{b}/cards/", "/{b}/cards/?as=table",
    "/{b}/cards/?q=zzzz", "/{b}/cards/mine/", "/{b}/cards/orders/", "/{b}/cards/requests/", "/{b}/cards/new/",
    "/{b}/delegation/", "/{b}/notifications/", "/{b}/notifications/choices/",
)  # fmt: skip
OWNER = ("/{b}/settings/", "/{b}/settings/connection/", "/{b}/settings/members/", "/{b}/settings/security/")
CARD_USER = ("/{b}/", "/{b}/expenses/", "/{b}/approvals/", "/{b}/cards/", "/{b}/cards/?as=table")
PAGES = [("", PUBLIC), ("apollo", OWN), ("apollo", STAFF), ("selma", OWNER), ("carla", CARD_USER)]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("person", "paths"), PAGES, ids=["public", "own", "staff", "owner", "card-user"])
def test_axe_finds_nothing(desk: Callable[..., Desk], person: str, paths: tuple[str, ...], theme: str) -> None:
    window, axe, found = desk(person, theme=theme), Axe(), []
    for path in paths:
        page = window.go(path)
        page.wait_for_load_state("networkidle")
        for violation in axe.run(page).response["violations"]:
            found += [f"{path} {violation['id']}: {node['html'][:160]}" for node in violation["nodes"]]
    assert not found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_what_opens(desk: Callable[..., Desk], theme: str) -> None:
    page = desk("apollo", theme=theme).go("/{b}/expenses/")
    for summary in page.locator("details.chip > summary").all():
        summary.click()
        found = [one["id"] for one in Axe().run(page).response["violations"]]
        assert not found, summary.inner_text()


@pytest.mark.parametrize(("person", "paths"), PAGES, ids=["public", "own", "staff", "owner", "card-user"])
def test_nothing_scrolls_sideways_on_a_small_phone(
    desk: Callable[..., Desk], person: str, paths: tuple[str, ...]
) -> None:
    window, wide = desk(person, width=320), {}
    for path in paths:
        page = window.go(path)
        page.wait_for_load_state("networkidle")
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 320:
            wide[path] = width
    assert not wide


def test_an_item_fits_a_small_phone_and_leads_back(desk: Callable[..., Desk]) -> None:
    page = desk("apollo", width=320).go("/{b}/approvals/")
    page.locator("#rows a").first.click()
    page.locator("[data-item]").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.get_by_role("link", name="‹ Approvals").click()
    page.locator("#rows a").first.wait_for()


def test_the_keyboard_reaches_the_content_first(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").go("/{b}/expenses/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
