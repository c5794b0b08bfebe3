"""A real browser at a running house (`manage.py up`): people of the demo sign in, and no page may break its own policy."""

from __future__ import annotations

import base64
import hmac
import json
import os
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from tests.browser.second_tries import SECOND_TRIES
from tests.sandbox import sandbox_headers

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
HANG_S = 30
COPIED_S = 240
IS_FILLED = pytest.StashKey[bool]()
# Home's widgets ask one after the other, the last of them after 90 ms.
BEGINS_MS = 150
expect.set_options(timeout=HANG_S * 1000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test here needs Chromium; those of the files that are named have a second try."""
    for item in items:
        item.add_marker(pytest.mark.browser)
        if item.path.name in SECOND_TRIES:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def demo() -> dict[str, Any]:
    """What `manage.py up` wrote: addresses, people, businesses; and where it lies."""
    path = os.environ.get("DEMO_JSON", "")
    if not path:
        pytest.skip("DEMO_JSON is not set: run through `manage.py test`")
    found: dict[str, Any] = json.loads(Path(path).read_text())
    return found | {"address": found["dashboard"]["address"], "folder": str(Path(path).parent)}


@pytest.fixture(scope="session")
def chromium(demo: dict[str, Any]) -> Iterator[Browser]:
    """One browser for all tests."""
    program = os.environ.get("COUNTERSIGN_BROWSER", "")
    if not program:
        pytest.skip("COUNTERSIGN_BROWSER names no Chromium: run through `manage.py test`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


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
        business = self.person["business"] if self.person else ""
        self.page.goto(self.demo["address"] + path.replace("{b}", business))
        return self.page

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


@pytest.fixture(scope="session")
def kept() -> dict[str, Any]:
    """Signed-in states by person: signing in is limited in how often."""
    return {}


@pytest.fixture
def desk(chromium: Browser, demo: dict[str, Any], kept: dict[str, Any]) -> Iterator[Callable[..., Desk]]:
    """`desk("apollo")`: a window in which they are signed in; `js=False`, `width=320`, `theme="dark"`, `fresh=True`, and
    `phone=True` for one that is touched."""
    opened: list[Desk] = []
    signed_in: dict[str, Desk] = {}

    def open_desk(
        name: str = "", *, js: bool = True, width: int = 1360, theme: str = "light", fresh: bool = False,
        phone: bool = False,
    ) -> Desk:  # fmt: skip
        people = demo["dashboard"]["people"]
        person = next((one for one in people if one["email"].startswith(name)), None) if name else None
        state = None if fresh else kept.get(name)
        context = chromium.new_context(
            viewport={"width": width, "height": 860},
            color_scheme=theme,  # type: ignore[arg-type]
            # What fades in is judged by axe, and clicked, as it is once it is there.
            reduced_motion="reduce",
            java_script_enabled=js,
            storage_state=state,
            has_touch=phone,
            is_mobile=phone,
        )
        found = Desk(context, demo, person)
        opened.append(found)
        if person and state is None:
            found.sign_in()
            if not fresh:
                kept[name] = context.storage_state()
        if not fresh:
            signed_in[name] = found
        return found

    yield open_desk
    trouble = [line for each in opened for line in each.trouble]
    kept.update({name: desk.context.storage_state() for name, desk in signed_in.items() if desk.proven})
    for each in opened:
        each.context.close()
    assert not trouble


@pytest.fixture(autouse=True)
def filled(request: pytest.FixtureRequest) -> None:
    """Before the first test that opens a desk, what waits for approval has come into the copy: a new house's fills itself in the
    background, and the first test would find an empty desk."""
    stash = request.session.stash
    if "desk" in request.fixturenames and not stash.get(IS_FILLED, False):
        request.getfixturevalue("desk")("apollo").open_with("/{b}/approvals/?kind=payment", "[data-item]")
        stash[IS_FILLED] = True


@pytest.fixture
def spend(demo: dict[str, Any]) -> Callable[..., list[dict[str, Any]]]:
    """`spend(3)`: that many new expenses wait in the first business, made at its service."""
    service = demo["service"]
    business = service["businesses"][0]["business_id"]

    def make(count: int) -> list[dict[str, Any]]:
        until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        answer = requests.post(
            f"{service['address']}/sandbox/businesses/{business}/expenses",
            json={"count": count, "seed": time.time_ns() % 10**6, "until": until},
            headers=sandbox_headers(),
            timeout=HANG_S,
        )
        assert answer.ok, answer.text
        made: list[dict[str, Any]] = answer.json()["expenses"]
        return made

    return make


@pytest.fixture
def upstream(demo: dict[str, Any]) -> Callable[[str], str]:
    """`upstream(expense id)`: its status as the service itself says, past the dashboard."""
    service = demo["service"]
    business = service["businesses"][0]

    def status(expense_id: str) -> str:
        token = requests.post(
            f"{service['address']}/oauth/token",
            data={"grant_type": "client_credentials"},
            auth=(business["client_id"], business["client_secret"]),
            timeout=HANG_S,
        ).json()["access_token"]
        headers = {"Authorization": f"Bearer {token}", "business_id": business["business_id"]}
        rows = requests.get(
            f"{service['address']}/v2/expenses", params={"limit": 1000}, headers=headers, timeout=HANG_S
        ).json()["docs"]
        return next(str(row["status"]) for row in rows if row["_id"] == expense_id)

    return status
