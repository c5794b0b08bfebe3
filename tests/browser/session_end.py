"""A control that is set off with the session gone: its page goes to sign in whole, and comes back to a page that can be shown,
with what was typed or a word that it is lost."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as NothingCame

from tests.browser.controls import PRESS, WAITS_MS, Control, Fault, Stage

SESSION = "countersign_session"
SIGN_IN = "/-/account/login/"
LEAVES_MS = 8000
# The server's own answer, without a session.
SIGNED_OUT = Fault("the session is gone", 401, lets_through=True)
# What stands where: fields, and words in the toasts.
BACK = """(text) => [...document.querySelectorAll("input, textarea")].some((one) => one.value === text)
  || document.getElementById("toasts").innerText.includes(text)"""
# The page with this path is there, whole.
THERE = """(path) => location.pathname === path && document.readyState === 'complete'"""


def wrong_once_gone(stage: Stage, control: Control) -> list[str]:
    """What is wrong once a control of the page that is open was set off without a session; after it, the person is signed in
    again, on the page that they were led back to."""
    page = stage.page
    cookies: list[Any] = [one for one in page.context.cookies() if one["name"] == SESSION]
    page.context.clear_cookies(name=SESSION)
    stage.control, stage.fault = control, SIGNED_OUT
    try:
        typed = page.evaluate(PRESS, [control.at, control.how, WAITS_MS])
        # Not by the navigation: where a poll leads there as well, the one ends the other.
        page.wait_for_function(THERE, arg=SIGN_IN, timeout=LEAVES_MS)
        return _led_back(page, next((text for text in typed if (text or "").startswith("typed ")), ""), cookies)
    except NothingCame:
        return ["it does not lead to sign in"]
    finally:
        page.context.add_cookies(cookies)
        stage.control = stage.fault = None


def _led_back(page: Page, typed: str, cookies: list[Any]) -> list[str]:
    parts = urlsplit(page.url)
    [after] = parse_qs(parts.query).get("next", [""])
    lost = "not kept" in page.locator("main").inner_text()
    page.context.add_cookies(cookies)
    answer = page.goto(f"{parts.scheme}://{parts.netloc}{after}")
    wrong = []
    if answer is None or answer.status != 200 or SIGN_IN in page.url:
        wrong.append(f"it leads back to {after!r}, where no page is to be shown")
    elif typed and not lost:
        try:
            page.wait_for_function(BACK, arg=typed, timeout=LEAVES_MS)
        except NothingCame:
            wrong.append("what was typed is neither kept nor said to be lost")
    return wrong
