"""Sixty payments are pasted, seven with errors: four put right in their cells, three left out by choice; the rest is approved,
verified by a code and paid, each once, and the closing sheet is equal to the ledger."""

from __future__ import annotations

import time
from collections import Counter
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

HEADING = "receiver\tchannel\taccount\tbank\treference\tamount\tnote"
ROWS = 60
VOTERS = ("apollo", "zawadi", "juma")
OVER = {"COMPLETED", "PARTIALLY_COMPLETED", "FAILED"}
# By the number of the payment, the line of the names being the first: the column, what is wrong in it, and what the page says of
# it. The first four are put right.
ERRORS = {
    4: ("channel", "pigeon post", "unknown channel"),
    11: ("account", "12", "not a Kenyan mobile number"),
    19: ("amount", "-5", "must be above zero"),
    27: ("receiver", "", "missing"),
    36: ("amount", "1.234", "KES has 2 digits after the point."),
    48: ("account", "", "missing"),
    59: ("amount", "plenty", "Enter digits, such as 1250.50, at most 15 before the point."),
}
FIXED = set(list(ERRORS)[:4])
LEFT_OUT = ERRORS.keys() - FIXED


def clean(page: Page) -> None:
    assert not Axe().run(page).response["violations"]


def payments(mark: int) -> list[dict[str, str]]:
    """Sixty payments, none of them like one that was made before."""
    return [
        {
            "receiver": f"Person {number} of {mark}", "channel": "MPESA_SEND_MONEY",
            "account": f"07{10 + mark % 20}{mark // 20 % 100:02d}{1000 + number}", "bank": "", "reference": "",
            "amount": f"{100 + number}.{(mark + number) % 100:02d}", "note": "",
        }
        for number in range(1, ROWS + 1)
    ]  # fmt: skip


def pasted(rows: list[dict[str, str]]) -> str:
    """The table as it is typed, with the seven errors."""
    lines = [HEADING]
    for number, row in enumerate(rows, 1):
        if number in ERRORS:
            column, wrong, _ = ERRORS[number]
            row = row | {column: wrong}
        lines.append("\t".join(row[name] for name in HEADING.split("\t")))
    return "\n".join(lines)


def test_of_sixty_rows_with_seven_errors_each_is_fixed_or_left_out_and_paid_once(
    desk: Callable[..., Desk], demo: dict[str, Any]
) -> None:
    office, mark = Office(demo), uuid4().int % 10**8
    name, rows = f"Wages {mark:08d}", payments(mark)
    ada = desk("ada", width=1280)
    page = ada.open_with("/{b}/payouts/new/", "[name=wallet] option")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("textbox", name="Payments").fill(pasted(rows))
    page.get_by_role("button", name="Check payments").click()

    expect(page.get_by_role("heading", name="7 rows with errors")).to_be_focused()
    clean(page)
    for number, (column, wrong, why) in ERRORS.items():
        cell = page.get_by_label(f"Row {number + 1}, {column}")
        expect(cell).to_have_value(wrong)
        expect(cell).to_have_accessible_description(why)
        if number in FIXED:
            cell.fill(rows[number - 1][column])
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_role("heading", name="3 rows with errors")).to_be_focused()
    page.get_by_label("Leave out the rows that still have errors").check()
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    address, payout = page.url, the_payout(office, name)
    assert expected(rows) == {item["receiver_name"]: Decimal(str(item["amount"])) for item in payout["items"]}

    page.get_by_role("button", name="Initiate").click()
    sent = page.get_by_text("Sent for approval.")
    expect(sent.or_(page.locator("[name=password]")).first).to_be_visible()
    if "reauthenticate" in page.url:
        ada.prove_it_is_me()
        page.get_by_role("button", name="Continue").click()
    expect(sent).to_be_visible()

    voter = voted(desk, office, name, address)
    if the_payout(office, name)["status"] == "AWAITING_CODE":
        with_code(voter, office, address)
    paid = settled(office, name)
    # Each row exactly once: at the service, and in the ledger.
    assert Counter(item["receiver_name"] for item in paid["items"]) == Counter(dict.fromkeys(expected(rows), 1))
    assert {item["status"] for item in paid["items"]} == {"SUCCEEDED"}
    ledger = office.ask("", "GET", f"/payments/{paid['batch_no']}/ledger")
    assert Counter(row["item_id"] for row in ledger["rows"]) == Counter({item["_id"]: 1 for item in paid["items"]})
    assert sum(row["out_minor"] for row in ledger["rows"]) == sum(expected(rows).values()) * 100
    page = ada.open_with(address.removeprefix(demo["address"]), "text=Equal to the cent")
    expect(page.get_by_text("Equal to the cent").first).to_be_visible()
    clean(page)


def expected(rows: list[dict[str, str]]) -> dict[str, Decimal]:
    """What is paid to whom, once the errors are fixed or left out."""
    return {
        row["receiver"]: Decimal(row["amount"]) for number, row in enumerate(rows, 1) if number not in LEFT_OUT
    }  # fmt: skip


def the_payout(office: Office, name: str) -> dict[str, Any]:
    """The payout of this name at the service, with its payments."""
    [found] = [row for row in office.ask("", "GET", "/payments?limit=20")["docs"] if row["name"] == name]
    whole: dict[str, Any] = office.ask("", "GET", f"/payments?batch_no={found['batch_no']}")["docs"][0]
    return whole


def voted(desk: Callable[..., Desk], office: Office, name: str, address: str) -> Desk:
    """All votes that the mandate wants, each from the payout's own page; the last who voted."""
    for who in VOTERS:
        voter = desk(who)
        page = voter.open_with(address.removeprefix(voter.demo["address"]), "main")
        ends = time.monotonic() + COPIED_S
        link = page.get_by_role("link", name="Open the payment request")
        while not link.count() and time.monotonic() < ends:
            page.wait_for_timeout(1000)
            page.reload()
        link.click()
        approve = page.get_by_role("button", name="Approve", exact=True)
        approve.click()
        approved = page.locator("#toasts").get_by_text("You approved")
        expect(approved.or_(page.locator("[name=password]")).first).to_be_visible()
        if "reauthenticate" in page.url:
            # Who signed in some minutes ago is led back to the item, and decides there.
            voter.prove_it_is_me()
            approve.click()
            expect(approved).to_be_visible()
        ends = time.monotonic() + HANG_S
        while (status := the_payout(office, name)["status"]) == "PENDING_APPROVAL" and time.monotonic() < ends:
            time.sleep(0.5)
        if status != "PENDING_APPROVAL":
            return voter
    raise AssertionError("it still waits for votes")


def with_code(voter: Desk, office: Office, address: str) -> None:
    """Has the code sent and types it, as the simulated phone shows it."""
    page = voter.open(address.removeprefix(voter.demo["address"]))
    page.get_by_role("button", name="Send code").click()
    field = page.get_by_label("Code", exact=False).first
    expect(page.get_by_role("button", name="Pay ")).to_be_visible()
    intent = page.locator("[name=intent_id]").input_value()
    answer = requests.get(
        f"{office.address}/sandbox/messages",
        params={"business_id": office.business["business_id"]},
        headers=sandbox_headers(),
        timeout=HANG_S,
    )
    assert answer.ok, answer.text
    code = next(row["code"] for row in answer.json()["messages"] if row["ref"] == intent)
    field.fill(code)
    page.get_by_role("button", name="Pay ").click()
    paying = page.get_by_text("The code was right: it is approved, and paid once its funds are on hold.")
    expect(paying.or_(page.locator("[name=password]")).first).to_be_visible()
    if "reauthenticate" in page.url:
        voter.prove_it_is_me()
        page.get_by_role("button", name="Continue").click()
    expect(paying).to_be_visible()


def settled(office: Office, name: str) -> dict[str, Any]:
    """The payout once the rails have worked on it."""
    ends = time.monotonic() + COPIED_S
    while (whole := the_payout(office, name))["status"] not in OVER:
        assert time.monotonic() < ends, whole["status"]
        assert requests.post(f"{office.sandbox}/settle", headers=sandbox_headers(), timeout=HANG_S).ok
        time.sleep(0.5)
    return whole
