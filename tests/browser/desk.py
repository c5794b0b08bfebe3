"""Somebody's browser window at a running house: they sign in, open pages, and prove who they are where they are asked."""

from __future__ import annotations

import base64
import hmac
import struct
import time
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

HANG_S = 30
COPIED_S = 240
# Home's widgets ask one after the other, the last of them after 90 ms.
BEGINS_MS = 150
expect.set_options(timeout=HANG_S * 1000)


def totp(secret: str) -> str:
    """The code that an authenticator app shows now."""
    counter = struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.new(base64.b32decode(secret), counter, "sha1").digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at : at + 4])[0] & 0x7FFFFFFF) % 10**6:06d}"


class Desk:
    """Somebody's browser window, at the house."""

    def __init__(self, context: BrowserContext, demo: dict[str, Any], person: dict[str, str] | None) -> None:
        self.context, self.demo, self.person = context, demo, person
        # Whoever proves who they are goes on in a new session: the one they had ends.
        self.proven = False
        self.page: Page = context.new_page()
        self.page.set_default_timeout(HANG_S * 1000)
        self.trouble: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on(
            "console", lambda said: self.trouble.append(said.text) if "Content Security Policy" in said.text else None
        )

    def business(self) -> str:
        assert self.person is not None
        return self.person["business"]

    def go(self, path: str) -> Page:
        """Opens an address; `{b}` is the person's business."""
        self.page.goto(self.address_of(path))
        return self.page

    def address_of(self, path: str) -> str:
        """The whole of an address; `{b}` is the person's business."""
        business = self.person["business"] if self.person else ""
        return str(self.demo["address"]) + path.replace("{b}", business)

    def open(self, path: str) -> Page:
        """Opens an address and waits until what it asks for by itself has come."""
        page = self.go(path)
        page.wait_for_load_state("load")
        page.wait_for_timeout(BEGINS_MS)
        expect(page.locator(".htmx-request")).to_have_count(0)
        return page

    def open_with(self, path: str, what: str) -> Page:
        """Opens an address until it shows what it should: a new house's copy fills itself in the background."""
        ends = time.monotonic() + COPIED_S
        while not self.open(path).locator(what).count() and time.monotonic() < ends:
            time.sleep(1)
        return self.page

    def sign_in(self) -> None:
        """By e-mail and password, and a code where one is asked for."""
        assert self.person is not None
        self.go("/-/account/login/")
        self.page.fill("[name=login]", self.person["email"])
        self.page.fill("[name=password]", self.person["password"])
        self.page.get_by_role("button", name="Sign in", exact=True).click()
        if "totp_secret" in self.person:
            self.page.fill("[name=code]", totp(self.person["totp_secret"]))
            self.page.get_by_role("button", name="Sign in", exact=True).click()
        self.page.wait_for_url(lambda url: "/-/account/" not in url)

    def prove_it_is_me(self) -> None:
        """Answers the question that is asked before money moves."""
        assert self.person is not None
        self.page.wait_for_url("**/reauthenticate/**")
        if "totp_secret" in self.person:
            self.page.fill("[name=code]", totp(self.person["totp_secret"]))
        else:
            self.page.fill("[name=password]", self.person["password"])
        self.page.get_by_role("button", name="Confirm").click()
        self.page.wait_for_url(lambda url: "/reauthenticate/" not in url)
        self.proven = True

    def verified(self, outcome: Locator) -> None:
        """Waits for the outcome of a form that was sent: who signed in a while ago is asked who they are first, and sends it on."""
        expect(outcome.or_(self.page.locator("[name=password], [name=code]")).first).to_be_visible()
        if "reauthenticate" in self.page.url:
            self.prove_it_is_me()
            self.page.get_by_role("button", name="Continue").click()
        expect(outcome.first).to_be_visible()

    def confirm_change(self, outcome: Locator) -> None:
        """Confirms the proposal of this page as a second admin: who signed in a while ago is asked who they are first."""
        self.page.get_by_role("button", name="Confirm change").press("Enter")
        expect(outcome.or_(self.page.locator("[name=password], [name=code]")).first).to_be_visible()
        if "reauthenticate" in self.page.url:
            self.prove_it_is_me()
            self.page.get_by_role("button", name="Continue").click()
        expect(outcome).to_be_visible()
