"""The chart of accounts with thousands of rows against one of a few, read live over both programs, in seconds.

A house of its own with the demo's data; the first business gets 500 categories more with ten subcategories each, the second keeps
its own. Both charts, and the empty page of the shell, are opened in turn by somebody who is signed in, as they come over HTTP:
nothing of them is painted. Needs a Chromium to sign in with.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import requests
from desks import ARGUMENTS, EMPTY, running_house, signed_in
from measure import in_turn, report, seconds
from playwright.sync_api import Browser, sync_playwright

from config.browser import find_browser

CATEGORIES, CHILDREN, AT_ONCE = 500, 10, 1000
ROUNDS = 15
# A chart of thousands is a page of 500 rows, and all of it is read.
LARGE_TO_SMALL, LARGE_TO_EMPTY = 6.0, 12.0


def fill(service: dict[str, Any]) -> int:
    """Adds the categories to the first business by its own interface; how many rows its chart has then."""
    business = service["businesses"][0]
    client = business["client_id"], business["client_secret"]
    asked = requests.post(
        f"{service['address']}/oauth/token", data={"grant_type": "client_credentials"}, auth=client, timeout=30
    )
    headers = {"Authorization": f"Bearer {asked.json()['access_token']}", "business_id": business["business_id"]}
    people = requests.get(f"{service['address']}/v2/employees?limit=200", headers=headers, timeout=30).json()["docs"]
    headers["X-Acting-Employee"] = next(row["_id"] for row in people if row["role"] == "ADMIN")
    names = [f"Account {number:03}" for number in range(CATEGORIES)]
    below = [{"category": name, "name": f"{name} part {part}"} for name in names for part in range(CHILDREN)]
    calls = [
        {"categories": [{"name": name} for name in names]},
        *({"subcategories": below[place : place + AT_ONCE]} for place in range(0, len(below), AT_ONCE)),
    ]
    for number, body in enumerate(calls):
        key = {"Idempotency-Key": f"chart-{number}"}
        url = f"{service['address']}/v2/categories/bulk"
        answer = requests.post(url, json=body, headers=headers | key, timeout=120)
        assert answer.ok, answer.text
    found = requests.get(f"{service['address']}/v2/categories?limit=1", headers=headers, timeout=30).json()
    assert found["total"] >= CATEGORIES, found["total"]
    return len(names) + len(below)


def opened(browser: Browser, demo: dict[str, Any], business: str) -> Callable[[str], Callable[[], float]]:
    """How long a page of a business takes whoever is signed in there."""
    people = [person for person in demo["people"] if person["business"] == business]
    context, base = signed_in(browser, {**demo, "people": people}, "")

    def page(path: str) -> Callable[[], float]:
        def get() -> str:
            answer = context.request.get(base + path)
            assert answer.ok, answer.status
            return answer.text()

        for _ in range(3):
            get()
        return seconds(get)

    return page


def main() -> int:
    """Prints the ratios; the exit code says whether the goals are met."""
    program = find_browser()
    if not program:
        sys.exit("no Chromium was found: nothing is measured")
    os.environ.setdefault("DEMO_EXPENSES", "100")
    with running_house() as data, sync_playwright() as playwright:
        written = json.loads((data / "demo.json").read_text())
        demo, rows = written["dashboard"], fill(written["service"])
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        first, second = dict.fromkeys(person["business"] for person in demo["people"] if person["role"] == "APPROVER")
        large_page, small_page = opened(browser, demo, first), opened(browser, demo, second)
        large, small, empty = large_page("categories/"), small_page("categories/"), large_page(EMPTY)
        time.sleep(1)
        print(
            f"{rows:,} rows: {large() * 1000:.0f} ms; the demo's: {small() * 1000:.0f} ms; empty: {empty() * 1000:.0f} ms"
        )
        good = report(
            "chart of 5,500 rows / the demo's chart", in_turn(large, small, ROUNDS), LARGE_TO_SMALL, at_most=True
        )
        good &= report("chart of 5,500 rows / empty page", in_turn(large, empty, ROUNDS), LARGE_TO_EMPTY, at_most=True)
        browser.close()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
