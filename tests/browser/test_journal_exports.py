"""The accountant's export: an account without a mapping stops it, mapped it is exported and downloaded, and its undo is confirmed by another admin."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.desk import COPIED_S, Desk


def test_a_period_is_mapped_exported_and_undone_by_two(desk: Callable[..., Desk]) -> None:
    ada = desk("ada")
    page = ada.open("/{b}/journal-exports/new/")
    _preview(page, "QuickBooks Online")
    expect(page.get_by_text("Nothing is exported before each is there")).to_be_visible()
    page.get_by_role("alert").get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mapping: Accounts")
    _map_all(page)
    expect(page.get_by_text("0 not mapped")).to_be_visible()

    page = ada.open("/{b}/journal-exports/new/")
    _preview(page, "QuickBooks Online")
    page.get_by_role("button", name=re.compile(r"^Export [\d,]+ line")).press("Enter")
    expect(page.get_by_text("lines were exported")).to_be_visible()
    title = page.get_by_role("heading", level=1).inner_text()
    rows = _downloaded(page, ".csv")
    assert sum(Decimal(row["Debit"] or 0) - Decimal(row["Credit"] or 0) for row in rows) == 0

    page.get_by_label("Reason").fill("The wrong period")
    page.get_by_role("button", name="Propose undo").press("Enter")
    expect(page.get_by_text("waits for a second admin").first).to_be_visible()
    address = page.url.removeprefix(ada.demo["address"])

    abel = desk("abel")
    page = abel.open(address)
    state = page.locator(".top .state")
    abel.confirm_change(state.filter(has_text=re.compile("Confirmed|Applied")))
    # A worker applies it.
    ends = time.monotonic() + COPIED_S
    while state.inner_text() != "Applied":
        assert time.monotonic() < ends, state.inner_text()
        page.wait_for_timeout(1000)
        page.reload()
    ada.open("/{b}/journal-exports/")
    expect(ada.page.get_by_role("row").filter(has_text=title)).to_contain_text("Undone")


def _preview(page: Page, more: str) -> None:
    page.get_by_label("Period").select_option(index=1)
    for name in ("CSV", more):
        page.get_by_label(name, exact=True).check()
    page.get_by_role("button", name="Preview export").press("Enter")
    expect(page.get_by_role("region", name="What would be exported")).to_be_visible()


def _map_all(page: Page) -> None:
    codes = page.locator("input[name^='code-']")
    for place in range(codes.count()):
        codes.nth(place).fill(str(1000 + place))
    page.get_by_role("button", name="Save mapping").press("Enter")


def _downloaded(page: Page, ending: str) -> list[dict[str, str]]:
    with page.expect_download() as waiting:
        page.get_by_role("region", name="Files").get_by_role("link").filter(has_text=ending).first.click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8-sig")
    return [row for row in csv.DictReader(io.StringIO(text)) if (row["Line"] or "").isdigit()]
