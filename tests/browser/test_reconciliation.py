"""A bank's statement is imported, a second time without a double; what is certain is accepted, a line is matched by hand with two
entries, undone and matched again; and the proof adds up, its first difference accepted with a reason."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import uuid4

import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import COPIED_S, HANG_S, Desk
from tests.browser.office import Office
from tests.sandbox import sandbox_headers

# Not the wallet that everything else is paid from: its entries are those of this story.
WALLET = "2"


def clean(page: Page) -> None:
    """Axe finds nothing once the page stands still: what fades in has another contrast while it does."""
    page.wait_for_load_state("load")
    ends = time.monotonic() + HANG_S
    while page.evaluate("document.getAnimations().some(one => one.playState === 'running')"):
        assert time.monotonic() < ends
        page.wait_for_timeout(50)
    found = Axe().run(page).response["violations"]
    assert not found, [node["html"] for one in found for node in one["nodes"]]


def topped_up(office: Office, amount: int) -> dict[str, Any]:
    """The entry of a top-up of so many minor units."""
    body = {"org_wallet_ref": WALLET, "amount": amount / 100}
    assert requests.post(f"{office.sandbox}/top-up", json=body, headers=sandbox_headers(), timeout=HANG_S).ok
    query = f"accountref={WALLET}&amount_minor={amount}"
    entry: dict[str, Any] = office.ask("", "GET", f"/accounting/unmatched-entries?{query}")["docs"][0]
    return entry


def statement(office: Office, day: str, currency: str, lines: list[tuple[str, int]]) -> bytes:
    """A camt.053 of a day with these lines: what the bank calls them, and minor units. It opens with what the last one closed
    with, the first one with what is not in the books."""
    known = office.ask("", "GET", f"/accounting/bank-statements?accountref={WALLET}&limit=1")["docs"]
    opening = known[0]["closing_minor"] if known else 5_000_00

    def amount(minor: int) -> str:
        return f'<Amt Ccy="{currency}">{Decimal(minor).scaleb(-2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd>'

    def balance(code: str, minor: int) -> str:
        return f"<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp>{amount(minor)}<Dt><Dt>{day}</Dt></Dt></Bal>"

    booked = "".join(
        f"<Ntry>{amount(minor)}<Sts>BOOK</Sts><BookgDt><Dt>{day}</Dt></BookgDt><AcctSvcrRef>{uuid4().hex}</AcctSvcrRef>"
        f"<AddtlNtryInf>{name}</AddtlNtryInf></Ntry>"
        for name, minor in lines
    )
    closing = opening + sum(minor for _, minor in lines)
    return (
        f"<Document><Stmt><Acct><Id><Othr><Id>KE-2</Id></Othr></Id></Acct>{balance('OPBD', opening)}"
        f"{balance('CLBD', closing)}{booked}</Stmt></Document>"
    ).encode()


def check(page: Page, wallet: str, content: bytes) -> None:
    """Has a statement of a wallet checked."""
    page.get_by_label("Wallet", exact=True).select_option(wallet)
    page.get_by_label("Bank statement", exact=True).set_input_files(
        {"name": "bank.xml", "mimeType": "application/xml", "buffer": content}
    )
    page.get_by_role("button", name="Check statement").click()


def test_a_statement_is_reconciled_and_the_proof_adds_up(desk: Callable[..., Desk], demo: dict[str, Any]) -> None:
    office, mark = Office(demo), uuid4().int % 10**6
    alone, first, second = (topped_up(office, base + mark) for base in (1_000_000_00, 2_000_000_00, 3_000_000_00))
    both = first["amount_minor"] + second["amount_minor"]
    names = f"Alone {mark:06}", f"Together {mark:06}"
    lines = list(zip(names, (alone["amount_minor"], both), strict=True))
    content = statement(office, alone["effective_on"], alone["currency"], lines)
    [account] = [row for row in office.ask("", "GET", "/accounts")["docs"] if row["org_wallet_ref"] == WALLET]

    # A new house's copy fills itself: there is a wallet to choose first.
    ada = desk("ada", width=1280)
    page = ada.open_with("/{b}/reconciliation/", f'option[value="{account["_id"]}"]')
    check(page, account["_id"], content)
    page.get_by_role("button", name="Import 2 lines").click()
    expect(page.get_by_text("2 new lines, 0 already there.")).to_be_visible()
    clean(page)
    ada.open("/{b}/reconciliation/")
    check(page, account["_id"], content)
    expect(page.get_by_text("This file was imported already: nothing changes.")).to_be_visible()
    page.get_by_role("button", name="Import 0 lines").click()
    expect(page.get_by_text("This file was imported already.")).to_be_visible()
    assert [bank_lines(office, name) for name in names] == [1, 1]

    page.get_by_role("button", name=re.compile(r"^Accept [\d,]+ certain match")).click()
    expect(page.get_by_text("Matches made: ")).to_be_visible()
    matched = page.get_by_role("region", name=re.compile("^Matches"))
    expect(matched.get_by_text(names[0])).to_be_visible()

    by_hand(page, names[1], (first, second))
    matched.get_by_role("listitem").filter(has_text=names[1]).get_by_role("button", name="Undo match").click()
    expect(page.get_by_text("The match was undone.")).to_be_visible()
    expect(matched.get_by_text(names[1])).to_have_count(0)
    assert bank_lines(office, names[1], "UNMATCHED") == 1
    by_hand(page, names[1], (first, second))
    clean(page)

    proof = page.get_by_role("region", name="Proof")
    if proof.get_by_text("Not proven").count():
        accepted(ada, desk)
        page = ada.open(f"/{{b}}/reconciliation/wallets/{account['_id']}/")
    expect(proof).to_contain_text("Proven")
    expect(proof).not_to_contain_text("Not proven")
    expect(proof).to_contain_text("accepted difference before the first statement")
    clean(page)


def bank_lines(office: Office, name: str, status: str = "") -> int:
    """How many bank lines have a name."""
    query = f"accountref={WALLET}&search={name.replace(' ', '%20')}{f'&status={status}' if status else ''}"
    total: int = office.ask("", "GET", f"/accounting/bank-lines?{query}")["total"]
    return total


def by_hand(page: Page, name: str, entries: tuple[dict[str, Any], ...]) -> None:
    """Matches a line with entries, after a look at what both sides come to."""
    page.get_by_label(re.compile(f"^{name}")).check()
    for entry in entries:
        page.locator(f"#entry-{entry['seq']}").check()
    page.get_by_role("button", name="Keep selection, show sums").click()
    expect(page.get_by_text(re.compile(r"difference \S+\s0\.00\."))).to_be_visible()
    page.get_by_role("button", name="Match selected").click()
    expect(page.get_by_role("region", name=re.compile("^Matches")).get_by_text(name)).to_be_visible()


def accepted(ada: Desk, desk: Callable[..., Desk]) -> None:
    """Accepts the difference before the first statement, by another admin where the business asks for one."""
    page = ada.page
    page.get_by_text("Accept the difference before the first statement").click()
    page.get_by_label("Reason", exact=True).fill("The account is older than our books.")
    page.get_by_role("button", name="Accept difference").click()
    done, waits = page.get_by_text("The difference was accepted."), page.get_by_text("It waits for a second admin.")
    expect(done.or_(waits).first).to_be_visible()
    if done.count():
        return
    abel = desk("abel")
    page = abel.open(page.url.removeprefix(ada.demo["address"]))
    abel.confirm_change(page.locator(".top .state").filter(has_text=re.compile("Confirmed|Applied")))
    state, ends = page.locator(".top .state"), time.monotonic() + COPIED_S
    while state.inner_text() != "Applied":
        assert time.monotonic() < ends, state.inner_text()
        page.wait_for_timeout(1000)
        page.reload()
