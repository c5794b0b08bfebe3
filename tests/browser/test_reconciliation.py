"""A statement is imported twice without a double, a line is matched at the desk with the keyboard, and the proof is zero."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from playwright.sync_api import expect

from tests.browser.conftest import Desk


def test_a_statement_twice_a_match_and_the_proof(desk: Callable[..., Desk]) -> None:
    ada = desk("ada")
    page = ada.open("/{b}/reconciliation/")
    link = page.get_by_role("region", name="Wallets").get_by_role("link").filter(has_text="KES").first
    wallet = link.inner_text()
    link.click()
    entry = page.get_by_role("region", name="Unmatched entries").get_by_role("listitem").last
    printed = entry.inner_text().replace("\xa0", " ").replace("−", "-")
    day = datetime.strptime(re.findall(r"\d{1,2} [A-Z][a-z]{2} \d{4}", printed)[-1], "%d %b %Y").date()  # noqa: DTZ007
    amount = re.findall(r"-?[\d,]+\.\d{2}", printed)[-1].replace(",", "")
    sign = "-" if "-" in printed.split()[-1] + printed.split()[-2] and not amount.startswith("-") else ""
    content = f"Day;Words;Sum\n{day};Bank line of the story;{sign}{amount}\n".encode()
    for _ in range(2):
        _bring(ada, wallet, content, f"{sign}{amount}")
    lines = page.get_by_role("region", name="Unmatched bank lines")
    expect(lines.get_by_role("listitem").filter(has_text="Bank line of the story")).to_have_count(1)
    expect(page.get_by_text("The difference is zero.")).to_be_visible()

    lines.get_by_label("Bank line of the story").check()
    page.get_by_role("region", name="Unmatched entries").get_by_role("checkbox").last.check()
    page.get_by_role("button", name="Show sums").press("Enter")
    expect(page.get_by_text(re.compile(r"difference .*0\.00"))).to_be_visible()
    page.get_by_role("button", name="Match selected").press("Enter")
    matches = page.get_by_role("region", name=re.compile("^Matches"))
    expect(matches.get_by_text("Bank line of the story")).to_be_visible()
    expect(page.get_by_text("The difference is zero.")).to_be_visible()
    matches.get_by_role("button", name="Undo match").first.press("Enter")
    expect(lines.get_by_text("Bank line of the story")).to_be_visible()
    expect(page.get_by_text("The difference is zero.")).to_be_visible()


def _bring(ada: Desk, wallet: str, content: bytes, amount: str) -> None:
    """Uploads the CSV for the wallet, says its columns, and imports it."""
    page = ada.open("/{b}/reconciliation/")
    page.get_by_label("Wallet", exact=True).select_option(label=wallet)
    page.get_by_label("Bank statement").set_input_files(
        {"name": "story.csv", "mimeType": "text/csv", "buffer": content}
    )
    page.get_by_role("button", name="Check statement").press("Enter")
    page.get_by_label("Date column").select_option("Day")
    page.get_by_label("Amount column").select_option("Sum")
    page.get_by_label("Description column").select_option("Words")
    page.get_by_label("Amounts are written as").select_option(".")
    page.get_by_label("Opening balance").fill("0")
    page.get_by_label("Closing balance").fill(amount)
    page.get_by_role("button", name="Apply columns").press("Enter")
    page.get_by_role("button", name=re.compile(r"^Import \d+ line")).press("Enter")
    expect(page.get_by_text("already there.")).to_be_visible()
