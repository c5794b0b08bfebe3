"""The people of a running house's demo, and a browser in which one of them is signed in: for pictures and benchmarks."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page

from config.demo_months import is_whole

WAIT_MS = 30_000
WHOLE_S = 600
HEIGHT = 900


@dataclass(frozen=True)
class Person:
    """Somebody of the demo: how they sign in, their role, their first business's part of the address."""

    email: str
    password: str
    role: str
    business: str
    totp_secret: str = ""


def demo_people(data: Path) -> tuple[str, list[Person]]:
    """The dashboard's address and those who sign in by password alone, as `manage.py up` wrote them into its data folder,
    once its demo is whole.

    Raises OSError where no house has been there, and TimeoutError where its demo does not become whole."""
    ends = time.monotonic() + WHOLE_S
    while (data / "demo.json").exists() and not is_whole(data):
        if time.monotonic() > ends:
            raise TimeoutError("The months of the demo are not there yet: leave `manage.py up` running.")
        time.sleep(1)
    demo = json.loads((data / "demo.json").read_text())["dashboard"]
    people = [Person(**{name: row[name] for name in Person.__annotations__ if name in row}) for row in demo["people"]]
    return demo["address"], [person for person in people if not person.totp_secret]


def open_signed_in(browser: Browser, address: str, person: Person, width: int, theme: str = "light") -> Page:
    """A window of `width` pixels in which the person is signed in; what moves stands still."""
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHT},
        color_scheme=theme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    page = context.new_page()
    sign_in(page, address, person)
    return page


def sign_in(page: Page, address: str, person: Person) -> None:
    """Signs the person in, by e-mail and password."""
    page.set_default_timeout(WAIT_MS)
    page.goto(f"{address}/-/account/login/")
    page.fill("[name=login]", person.email)
    page.fill("[name=password]", person.password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda url: "/-/account/" not in url)


def wait_for_copy(page: Page, address: str, shows: str, seconds: int = 240) -> bool:
    """Opens an address until it shows what matches `shows`: a new house's copy fills itself in the background. Whether it
    came to it within so many seconds."""
    ends = time.monotonic() + seconds
    while True:
        page.goto(address)
        page.wait_for_load_state("networkidle")
        if page.locator(shows).count():
            return True
        if time.monotonic() > ends:
            return False
        time.sleep(2)
