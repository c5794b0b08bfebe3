"""A clerk imports 500 customers (100 in CI), three of which are wrong: told beside their rows, put right, and all come in."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FilePayload, expect

from tests.browser.desk import Desk

COUNT = 500 if os.environ.get("FULL") else 100
WRONG = {17: "not-an-address", COUNT // 2: "a@@b", COUNT - 1: "@nobody"}


def file_of(mark: str, wrong: dict[int, str]) -> FilePayload:
    rows = [
        f"Customer {mark} {at},2547{mark[-4:]}{at:04d},{wrong.get(at, f'c{at}.{mark}@example.test')}"
        for at in range(COUNT)
    ]
    content = "\n".join(["Name,Phone,E-mail", *rows]).encode()
    return {"name": "customers.csv", "mimeType": "text/csv", "buffer": content}


def test_many_customers_with_three_errors(desk: Callable[..., Desk]) -> None:
    mark = str(time.time_ns() % 10**8).zfill(8)
    page = desk("ada").go("/{b}/customers/")
    page.get_by_role("link", name="Import").click()
    page.locator("input[type=file]").set_input_files(file_of(mark, WRONG))
    page.get_by_role("button", name="Check").click()
    for at in WRONG:
        # The first row of a file is its headings.
        expect(page.get_by_role("row").filter(has_text=f"Customer {mark} {at}").first).to_contain_text(str(at + 2))
    assert not Axe().run(page).response["violations"]

    page.goto(page.url.split("/import/")[0] + f"/?q={mark}")
    expect(page.locator("main")).to_contain_text("No matches")

    page.goto(page.url.split("/?")[0] + "/import/")
    page.locator("input[type=file]").set_input_files(file_of(mark, {}))
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name=f"Add all {COUNT}").click()
    page.get_by_text(f"{COUNT} customers added.").wait_for(timeout=180_000)
    page.get_by_role("link", name="View customers").click()
    expect(page.locator("#rows-of-list")).to_contain_text(f"Customer {mark}")
