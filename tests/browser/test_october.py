"""A controller closes the month before: its rows to nought, the bank's statement twice without a double, closed, a late
transaction and a late bill that go to the open period and say so, the journal read back by openpyxl and a checker of double
entry, reopened by another.

At the demo's second business, whose periods no other story closes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.bill_payments import approve_payment, enter_bill, paid_transaction, request_payment
from tests.browser.desk import COPIED_S, Desk
from tests.browser.office import Office, attach
from tests.dashboard.journal_exports.readers import check, read_xlsx

UNCATEGORISED = "Transactions without a category"
# What is decided and proven of the month before: by the end of the story none of them is left open.
AT_NOUGHT = ("Expenses to review", "Required receipts missing", UNCATEGORISED)
# Its rows are carried out one by one by a worker.
BULK_MS = 300_000


class October:
    """The month before this one at the second business, with a wallet of its own that so many top-ups came in on."""

    def __init__(self, demo: dict[str, Any], count: int) -> None:
        self.office, self.mark = Office(demo, 1), uuid4().hex[:6]
        periods = self.office.ask("", "GET", "/accounting/periods")["docs"]
        self.now, self.period = periods[0], periods[1]
        self.first = date.fromisoformat(self.period["from"])
        for earlier in reversed(periods[2:]):
            if earlier["status"] == "OPEN":
                self.office.ask("Otto", "POST", f"{path_of(earlier)}/close", {"accept_open_items": True})
        if self.period["status"] == "CLOSED":
            # An earlier try ended before it was reopened.
            self.office.ask("Oda", "POST", f"{path_of(self.period)}/reopen", {"reason": "Another try"})
        self.clear()
        body = {"currency": "EUR", "walletType": f"SUB:m{self.mark}"}
        self.wallet = self.office.ask("Otto", "POST", "/accounts", body)
        self.lines = [(self.day(number), 100_00 + number, f"OCT{self.mark}-{number:04}") for number in range(count)]
        for day, minor, ref in self.lines:
            self.enter(day, minor, ref)

    def day(self, number: int) -> date:
        """A day of the month."""
        return self.first + timedelta(days=number % 28)

    def enter(self, day: date, minor: int, ref: str) -> None:
        """A top-up of that day without a category, entered by one and approved by another."""
        new = {
            "type": "TOPUP", "org_wallet_ref": self.wallet["org_wallet_ref"], "amount": minor / 100, "ref": ref,
            "counterparty": f"Customer {ref}", "description": ref, "value_date": day.isoformat(),
        }  # fmt: skip
        made = self.office.ask("Otto", "POST", "/transactions/new", new)
        self.office.ask("Olga", "PUT", f"/transactions/{made['_id']}/approve")

    def clear(self) -> None:
        """Decides on what the demo has left in the month, proves it, and lets go of what an earlier try has exported."""
        query = f"from={self.period['from']}&to={self.period['to']}&limit=1000"
        for expense in self.office.ask("", "GET", f"/expenses?{query}")["docs"]:
            if expense["status"] in {"PENDING", "DETAILS_REQUESTED"}:
                self.office.ask("Olga", "POST", f"/expenses/approve/{expense['_id']}", {})
            if expense["receipt_required"] and not expense["receipts"]:
                attach(self.office, expense)
        for export in self.office.ask("", "GET", "/accounting/journal-exports")["docs"]:
            if export["status"] == "LIVE":
                body = {"proposed_by": self.office.people["Otto"], "reason": "Another try"}
                self.office.ask("Oda", "POST", f"/accounting/journal-exports/{export['_id']}/undo", body)

    def uncategorised(self) -> int:
        """How many transactions of the month that need a category have none."""
        rows, number = [], 1
        while True:
            query = f"from={self.period['from']}&to={self.period['to']}&limit=1000&page={number}"
            page = self.office.ask("", "GET", f"/transactions?{query}")
            rows += page["docs"]
            if number >= page["pages"]:
                break
            number += 1
        # What arrived late in an earlier try is of the day of its posting.
        return sum(
            row["type"] in {"EXPENSE", "TOPUP"} and not row["subcategory"] and row["status"] not in {"REJECTED", "REVERSED"}
            and (row["effective_on"] or "") <= self.period["to"]
            for row in rows
        )  # fmt: skip

    def statement(self) -> bytes:
        """The bank's camt.053 of the whole month: a line for each top-up, from nothing to what they come to."""
        last = date.fromisoformat(self.period["to"])

        def amount(minor: int) -> str:
            return f'<Amt Ccy="EUR">{Decimal(minor).scaleb(-2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd>'

        def balance(code: str, minor: int, day: date) -> str:
            return f"<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp>{amount(minor)}<Dt><Dt>{day}</Dt></Dt></Bal>"

        booked = "".join(
            f"<Ntry>{amount(minor)}<Sts>BOOK</Sts><BookgDt><Dt>{day}</Dt></BookgDt><AcctSvcrRef>{uuid4().hex}</AcctSvcrRef>"
            f"<NtryDtls><TxDtls><Refs><EndToEndId>{ref}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>"
            for day, minor, ref in self.lines
        )
        total = sum(minor for _, minor, _ in self.lines)
        return (
            f"<Document><Stmt><Acct><Id><Othr><Id>NL-{self.mark}</Id></Othr></Id></Acct>"
            f"{balance('OPBD', 0, self.first)}{balance('CLBD', total, last)}{booked}</Stmt></Document>"
        ).encode()

    def trial(self) -> dict[tuple[str, str], tuple[Decimal, Decimal]]:
        """Debit and credit of each account in the books of the business: the other sides of the ledger's."""
        accounts = self.office.ask("", "GET", f"{path_of(self.period)}/trial-balance")["accounts"]
        return {
            (str(row["account_id"]), row["currency"]): (
                Decimal(str(row["credit"])), Decimal(str(row["debit"])),
            )
            for row in accounts
            if row["credit_minor"] or row["debit_minor"]
        }  # fmt: skip


def path_of(period: dict[str, Any]) -> str:
    return f"/accounting/periods/{period['period']}"


@pytest.mark.parametrize("count", [12, pytest.param(312, marks=pytest.mark.full)])
def test_a_controller_closes_the_month_before(desk: Callable[..., Desk], demo: dict[str, Any], count: int) -> None:
    october = October(demo, count)
    otto, address = desk("otto"), f"/{{b}}{path_of(october.period).replace('/periods', '')}/"

    rows_to_nought(otto, address, october)
    reconciled(otto, october)
    closed(otto, address)
    late_transaction(desk, october)
    late_bill(desk, otto, october)
    export_equals_the_trial_balance(otto, october)
    reopened(desk, address)


def line_of(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name="Checklist").get_by_role("listitem").filter(has_text=title)


def figure(page: Page, title: str) -> int:
    text = line_of(page, title).locator(".state").inner_text().strip()
    return int(re.sub(r"\D", "", text) or -1)


def until(window: Desk, address: str, title: str, holds: Callable[[int], bool]) -> Page:
    """The page of the period, once the copy that it counts in has what was done."""
    page, ends = window.open(address), time.monotonic() + COPIED_S
    while not holds(figure(page, title)):
        assert time.monotonic() < ends, figure(page, title)
        page.wait_for_timeout(1000)
        page = window.open(address)
    return page


def rows_to_nought(otto: Desk, address: str, october: October) -> None:
    """All that the checklist's figure leads to is categorised in one step; then the figure is nought."""
    # A new house's copy fills itself: there is a category to choose first.
    otto.open_with("/{b}/category-rules/new/", "select[name=category] option:nth-child(3)")
    number = october.uncategorised()
    assert number >= len(october.lines)
    page = until(otto, address, UNCATEGORISED, lambda shown: shown == number)
    line_of(page, UNCATEGORISED).get_by_role("link").click()
    expect(page.locator("#totals-of-list")).to_contain_text(f"{number} transactions")
    page.locator("#rows-of-list tbody a").first.focus()
    page.keyboard.press("x")
    if page.get_by_label(f"All {number} that match, on every page").count():
        page.get_by_label(f"All {number} that match, on every page").check()
    page.get_by_role("button", name="Review bulk categorise").click()
    expect(page.locator("main h2")).to_have_text(f"{number} will be categorised")
    page.get_by_label("Category").select_option(index=1)
    page.get_by_role("button", name=f"Categorise {number} transactions").click()
    expect(page.locator("main h2")).to_have_text(f"{number} transactions categorised", timeout=BULK_MS)
    for title in AT_NOUGHT:
        until(otto, address, title, lambda left: left == 0)


def reconciled(otto: Desk, october: October) -> None:
    """The statement is imported, a second time without a double, and each of its lines is an entry of the books."""
    count, wallet = len(october.lines), october.wallet["_id"]
    content = {"name": "october.xml", "mimeType": "application/xml", "buffer": october.statement()}
    for _ in range(2):
        page = otto.open_with("/{b}/reconciliation/", f'option[value="{wallet}"]')
        page.get_by_label("Wallet", exact=True).select_option(wallet)
        page.get_by_label("Bank statement", exact=True).set_input_files(content)  # type: ignore[arg-type]
        page.get_by_role("button", name="Check statement").click()
        page.get_by_role("button", name=re.compile("^Import [0-9]+ lines")).click()
        expect(
            page.get_by_text(re.compile("new lines, 0 already there|This file was imported already"))
        ).to_be_visible()
    query = f"accountref={october.wallet['org_wallet_ref']}"
    assert october.office.ask("", "GET", f"/accounting/bank-lines?{query}")["total"] == count
    page = otto.open(f"/{{b}}/reconciliation/wallets/{wallet}/")
    page.get_by_role("button", name=f"Accept {count} certain matches").click()
    expect(page.get_by_text("Matches made: ")).to_be_visible()
    assert october.office.ask("", "GET", f"/accounting/bank-lines?{query}&status=UNMATCHED")["total"] == 0
    proof = page.get_by_role("region", name="Proof")
    expect(proof).to_contain_text("Proven")
    expect(proof).not_to_contain_text("Not proven")


def closed(otto: Desk, address: str) -> None:
    """Its own wallet is proven; that others have no statement is accepted, and the audit keeps it. Whoever closed it does not
    reopen it."""
    page = otto.open(address)
    expect(line_of(page, "Statement not proven")).to_have_count(0)
    assert [figure(page, title) for title in AT_NOUGHT] == [0, 0, 0]
    expect(line_of(page, "Bank statements, ").first).to_contain_text("No line or balance of")
    page.get_by_label("Close it with these open items").check()
    page.get_by_role("button", name="Close period").press("Enter")
    expect(page.get_by_text("is closed.")).to_be_visible()
    expect(page.get_by_role("button", name="Reopen period")).to_have_count(0)


def late_transaction(desk: Callable[..., Desk], october: October) -> None:
    """What the bank moved in the closed month is entered after it: it is posted in the open period, and says so."""
    name, otto = f"Late arrival {october.mark}", desk("otto")
    page = otto.open("/{b}/transactions/new/")
    page.get_by_label("Wallet", exact=True).select_option(october.wallet["org_wallet_ref"])
    page.get_by_label("Amount").fill("12.34")
    page.get_by_label("Counterparty").fill(name)
    page.get_by_label("Posting date").fill(october.first.isoformat())
    page.get_by_role("button", name="Create transaction").click()
    expect(page.get_by_text("It waits for a second person, and is not posted yet.")).to_be_visible()
    item = page.url.removeprefix(otto.demo["address"])
    desk_of_it = page.get_by_role("link", name="View in the inbox").get_attribute("href") or ""
    pane = desk("olga").open(desk_of_it).locator("#pane")
    pane.get_by_role("button", name="Approve", exact=True).click()
    ends = time.monotonic() + COPIED_S
    while not otto.open(item).get_by_text("a late arrival, counted in the period of that day").count():
        assert time.monotonic() < ends, "it is not posted"
        time.sleep(1)
    page = otto.open(f"/{{b}}{path_of(october.now).replace('/periods', '')}/")
    late = page.get_by_role("region", name="Late arrivals")
    late.get_by_role("link").click()
    expect(page.get_by_role("region", name="Late arrivals").get_by_text(name)).to_be_visible()
    assert october.office.ask("", "GET", path_of(october.period))["status"] == "CLOSED"


def late_bill(desk: Callable[..., Desk], otto: Desk, october: October) -> None:
    """A bill of the closed month is entered and paid after it: its payment is of the open period and says so, and the closed
    one stays to the cent what it was."""
    before, office = october.trial(), october.office
    # An amount that no earlier try has entered: else the page asks whether it is the same bill.
    units, cents = divmod(10_00 + int(october.mark, 16) % 80_00, 100)
    bill_id = enter_bill(otto, "Schoonwerk", f"LATE-{october.mark}", october.first, f"{units}.{cents:02}")
    request_payment(otto, bill_id, october.wallet["org_wallet_ref"], re.compile(f"{units}[.,]{cents:02}"))
    [ref] = office.ask("", "GET", f"/bills/{bill_id}")["payments"]
    approve_payment(desk, office, bill_id, ref)
    paid = paid_transaction(office, ref)
    assert (paid["org_wallet_ref"], paid["amount_minor"]) == (october.wallet["org_wallet_ref"], units * 100 + cents)
    assert paid["effective_on"][:7] == october.now["period"]
    page = otto.open_with(f"/{{b}}/transactions/{paid['_id']}/", "text=counted in the period of its payment")
    expect(page.get_by_text(f"the bill is of {october.first.day} {october.first:%b %Y}, and counted")).to_be_visible()
    page.get_by_role("link", name=f"posting {paid['ledger_transaction_id']}").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Posting {paid['ledger_transaction_id']}")
    expect(page.get_by_text("Balanced", exact=True)).to_be_visible()
    assert october.trial() == before
    assert office.ask("", "GET", path_of(october.period))["status"] == "CLOSED"


def export_equals_the_trial_balance(otto: Desk, october: October) -> None:
    """The journal of the month as Excel: each posting comes to nothing, each account to what the trial balance says."""
    page = otto.open(f"/{{b}}/journal-exports/new/?period={october.period['period']}&formats=csv&formats=xlsx")
    page.get_by_role("button", name="Preview export").press("Enter")
    page.get_by_role("button", name=re.compile(r"^Export [\d,]+ line")).press("Enter")
    files, ends = page.get_by_role("region", name="Files"), time.monotonic() + COPIED_S
    while not files.get_by_role("link").filter(has_text=".xlsx").count():
        assert time.monotonic() < ends, "the files are not written"
        page.wait_for_timeout(1000)
        page.reload()
    with page.expect_download() as waiting:
        files.get_by_role("link").filter(has_text=".xlsx").first.click()
    lines = read_xlsx(Path(waiting.value.path()).read_bytes())
    assert sum(line.amount for line in lines) == 0
    assert check(lines) == october.trial()


def reopened(desk: Callable[..., Desk], address: str) -> None:
    """By another admin than the one who closed it, with a reason."""
    page = desk("oda").open(address)
    page.get_by_label("Reason").fill("A late invoice")
    page.get_by_role("button", name="Reopen period").press("Enter")
    expect(page.get_by_text("is open again.")).to_be_visible()
    expect(page.get_by_role("region", name="Last change")).to_contain_text("A late invoice")
