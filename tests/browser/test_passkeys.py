"""A passkey, with the browser's own virtual authenticator: set up, signed in with, and enough for a step-up."""

from __future__ import annotations

from collections.abc import Callable

import requests
from playwright.sync_api import expect

from tests.browser.desk import Desk

SESSION = "countersign_session"
AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


def with_authenticator(window: Desk) -> None:
    devtools = window.context.new_cdp_session(window.page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})


def test_set_up_once_it_signs_in_by_itself_and_a_step_up_with_it_renews_the_session(desk: Callable[..., Desk]) -> None:
    cyrus = desk("cyrus", fresh=True)
    with_authenticator(cyrus)
    page = cyrus.go("/-/account/2fa/webauthn/add/")
    cyrus.prove_it_is_me()
    page.fill("[name=name]", "Laptop")
    page.check("[name=passwordless]")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("Security key added.")).to_be_visible()

    cyrus.go("/-/account/logout/")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Home")

    # Just signed in counts as having shown who one is: nothing is asked again for the next minutes.
    cyrus.go("/-/account/2fa/webauthn/")
    expect(page.get_by_text("Laptop")).to_be_visible()

    # Showing it again gives the session a new id, as a password does: the old one opens nothing.
    before = session_of(cyrus)
    cyrus.go("/-/account/2fa/webauthn/reauthenticate/?next=/-/you/")
    page.get_by_role("button", name="Use a security key").click()
    page.wait_for_url("**/-/you/")
    after = session_of(cyrus)
    assert after != before
    assert (opens(cyrus, before), opens(cyrus, after)) == (False, True)


def session_of(window: Desk) -> str:
    return next(cookie["value"] for cookie in window.context.cookies() if cookie["name"] == SESSION)


def opens(window: Desk, session: str) -> bool:
    """Whether a session's id alone shows a page of somebody who is signed in."""
    address = f"{window.demo['address']}/-/you/"
    return requests.get(address, cookies={SESSION: session}, allow_redirects=False, timeout=20).status_code == 200
