"""A real browser at a running house (`manage.py up`): people of the demo sign in, and no page may break its own policy."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, sync_playwright

from tests.browser.desk import COPIED_S, HANG_S, Desk
from tests.browser.office import Office, judge_at_any_hour
from tests.browser.second_tries import SECOND_TRIES
from tests.sandbox import sandbox_headers

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
# A session that nobody uses lasts twice that (SESSION_IDLE_SECONDS).
SIGNED_IN_S = 7 * 60
# A row of the list of what waits, by its key.
WAITING_ROW = re.compile(r'<tr[^>]* data-row="(payment/[^"]+)"')
LOOKS_EVERY_S = 2
IS_FILLED = pytest.StashKey[bool]()


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


class SignedIn:
    """The signed-in states of people, by their names: signing in is limited in how often. A session that nobody used for a
    quarter of an hour has ended: what was signed in half of that ago is not offered."""

    def __init__(self) -> None:
        self._states: dict[str, tuple[Any, float]] = {}

    def keep(self, name: str, state: Any) -> None:
        """From now on, what this person's next windows begin with."""
        self._states[name] = (state, time.monotonic())

    def state_of(self, name: str) -> Any:
        """The state of a person; None where they have to sign in."""
        state, since = self._states.get(name, (None, 0.0))
        return state if time.monotonic() - since < SIGNED_IN_S else None


@pytest.fixture(scope="session")
def states() -> SignedIn:
    """Those of this run."""
    return SignedIn()


@pytest.fixture
def desk(chromium: Browser, demo: dict[str, Any], states: SignedIn) -> Iterator[Callable[..., Desk]]:
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
        state = None if fresh else states.state_of(name)
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
                states.keep(name, context.storage_state())
        if not fresh:
            signed_in[name] = found
        return found

    yield open_desk
    trouble = [line for each in opened for line in each.trouble]
    for name, each in signed_in.items():
        if each.proven:
            states.keep(name, each.context.storage_state())
    for each in opened:
        each.context.close()
    assert not trouble


@pytest.fixture(autouse=True)
def filled(request: pytest.FixtureRequest) -> None:
    """Before the first test that opens a desk, the copy shows what waits at the service, and nothing else: a new house's copy fills
    itself in the background, event after event, and shows for a moment as waiting what was decided long ago."""
    stash = request.session.stash
    if "desk" in request.fixturenames and not stash.get(IS_FILLED, False):
        # Once for all tests, however it ends: where the copy never fills itself, each says so by what it misses.
        stash[IS_FILLED] = True
        desk, demo = request.getfixturevalue("desk")("apollo"), request.getfixturevalue("demo")
        judge_at_any_hour(Office(demo))
        ends = time.monotonic() + COPIED_S
        while (shown := waiting_on(desk)) != (waiting := waiting_upstream(demo)):
            assert time.monotonic() < ends, f"shown: {shown}, waiting: {waiting}"
            time.sleep(LOOKS_EVERY_S)
        assert shown


def waiting_upstream(demo: dict[str, Any]) -> set[str]:
    """The requests that wait for approval in the first business, as the service itself says: their keys on the approvals page."""
    rows = Office(demo).ask("", "GET", "/approvals/all?status=PENDING&limit=100")["docs"]
    assert len(rows) < 100
    return {f"payment/{row['_id']}" for row in rows}


def waiting_on(desk: Desk) -> set[str]:
    """The keys of the requests, of whatever kind, that an approver's page shows as waiting, for themselves or for others."""
    found: set[str] = set()
    for kind, lane in product(("payment", "bill", "card", "fund", "policy"), ("mine", "others")):
        # The page as the server sends it: drawn each time, with all that it then asks for, it keeps the reading of the copy waiting.
        answer = desk.page.request.get(desk.address_of(f"/{{b}}/approvals/?kind={kind}&show={lane}"))
        assert answer.ok, answer.status
        found.update(WAITING_ROW.findall(answer.text()))
    return found


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
