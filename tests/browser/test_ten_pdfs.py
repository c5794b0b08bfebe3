"""A clerk drops ten PDFs: two are the same bill, one asks to be paid on an account that is not on the vendor's record, one is a
Factur-X. One field is corrected, eight are paid in a run after their approval, one is held and one is named; books and balances
agree to the cent, and the held one goes out once a second person has called back and confirmed the account."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from playwright.sync_api import Page, expect

from tests.browser.bill_payments import approve_payment, request_of, settle
from tests.browser.desk import COPIED_S, HANG_S, Desk
from tests.browser.dropped_bills import HELD, Morning, check_form, drop

CORRECTED = 2
Open = Callable[..., Desk]


def test_of_ten_pdfs_eight_are_paid_one_is_held_and_one_is_named(
    desk: Open, demo: dict[str, Any], tmp_path: Path
) -> None:
    # Each in one window: who proves who they are goes on in a new session there.
    morning, window = Morning(demo, uuid4().int), cache(desk)
    ada = window("ada")
    entered(ada, morning, tmp_path)
    propose_account(ada, morning)

    before = morning.balance()
    run(ada, morning, 9, "8 will go · 1 on hold: payee change", "Pay 8 bills", "8 bills sent for payment")
    approve_waiting(window, morning)
    paid = settled(morning, 8)
    agrees_to_the_cent(morning, paid, before)
    page = ada.open_with(f"/{{b}}/bills/?show=ALL&q={morning.mark}", "#rows-of-list tbody tr:has-text('Paid') >> nth=7")
    expect(page.locator("#rows-of-list tbody tr").filter(has_text="Paid")).to_have_count(8)

    confirm_account(window("apollo"), morning)
    before = morning.balance()
    run(ada, morning, 1, "1 will go", "Pay 1 bill", "1 bill sent for payment")
    held = morning.bills()[morning.number(HELD)]
    approve_payment(window, morning.office, held["_id"], held["payments"][0])
    again = settled(morning, 9)
    agrees_to_the_cent(morning, {number: bill for number, bill in again.items() if number not in paid}, before)


def entered(ada: Desk, morning: Morning, folder: Path) -> None:
    """Enters nine of the ten; the ninth is the first one again, which is named and not entered."""
    ada.open_with("/{b}/bills/new/", f"#id_vendor_id option:text-is('{morning.changed}')")
    papers = morning.papers()
    for place, paper in enumerate(papers):
        file = folder / f"bill-{place}.pdf"
        file.write_bytes(paper.content)
        page = drop(ada, file)
        vendor = morning.changed if place == len(papers) - 1 else morning.usual
        check_form(page, paper, vendor, morning.issued, morning.due)
        if papers.index(paper) < place:
            named(page, paper.number)
            continue
        if place == CORRECTED:
            page.get_by_label(re.compile("^Due")).fill((morning.due + timedelta(days=7)).isoformat())
        if vendor == morning.changed:
            expect(page.get_by_text("The vendor has no account in use")).to_be_visible()
        page.get_by_role("button", name="Save bill").last.click()
        expect(page.get_by_role("heading", name=paper.number, level=1)).to_be_visible()
    bills = morning.bills()
    assert {number: Decimal(bill["total_minor"]) / 100 for number, bill in bills.items()} == {
        paper.number: paper.total for paper in papers
    }
    corrected = bills[papers[CORRECTED].number]
    assert corrected["due_at"] == (morning.due + timedelta(days=7)).isoformat()
    assert all(len(bill["attachments"]) == 1 for bill in bills.values())


def named(page: Page, number: str) -> None:
    """The bill that it is stands beside it, and it is not saved unless somebody says that it is another."""
    flags = page.get_by_role("alert").filter(has_text="Possible duplicates:")
    expect(flags).to_contain_text(number)
    expect(flags).to_contain_text("the same file")
    expect(page.get_by_role("region", name="Possible duplicate", exact=True)).to_contain_text(f"Bill {number}")
    page.get_by_role("button", name="Save bill").last.click()
    expect(page.get_by_label("This is another bill: save it anyway.")).to_be_focused()


def propose_account(ada: Desk, morning: Morning) -> None:
    """The account that the bill names is proposed at its vendor, and awaits a second person."""
    page = ada.open(f"/{{b}}/vendors/{morning.garage}/")
    page.get_by_role("link", name="Add account").click()
    page.get_by_label("Paid by").select_option("MPESA_TILL")
    page.get_by_label("Account", exact=True).fill(morning.till)
    page.get_by_label("Reason").fill("Their bill asks for it")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Awaiting confirmation")).to_be_visible()


def run(ada: Desk, morning: Morning, ticked: int, plan: str, button: str, outcome: str) -> None:
    """A payment run over all open bills of the morning, from its own wallet."""
    page = ada.open_with(f"/{{b}}/bills/?q={morning.mark}", f"[name=ids] >> nth={ticked - 1}")
    expect(page.locator("[name=ids]")).to_have_count(ticked)
    for box in page.locator("[name=ids]").all():
        box.check()
    page.get_by_role("button", name="Review bulk pay").click()
    page.get_by_role("link", name="Choose wallets and discounts").click()
    page.get_by_label("Pay bills in KES from").select_option(morning.wallet["org_wallet_ref"])
    page.get_by_role("button", name="Review payment run").click()
    expect(page.get_by_role("heading", name=plan)).to_be_visible()
    page.get_by_role("button", name=button).click()
    ada.verified(page.get_by_role("heading", name=outcome).or_(page.get_by_role("progressbar")))
    expect(page.get_by_role("heading", name=outcome)).to_be_visible(timeout=COPIED_S * 1000)


def approve_waiting(window: Open, morning: Morning) -> None:
    """Approves what waits, several at once; what a policy lets nobody approve so, one by one."""
    if refs := waiting(morning):
        approve(window("apollo"), morning, list(refs))
    for ref, bill_id in waiting(morning).items():
        approve_payment(window, morning.office, bill_id, ref)


def settled(morning: Morning, count: int) -> dict[str, dict[str, Any]]:
    """The paid bills of the morning by their numbers, once they are so many."""
    ends = time.monotonic() + COPIED_S
    while len(paid := {no: bill for no, bill in morning.bills().items() if bill["status"] == "PAID"}) < count:
        assert time.monotonic() < ends, f"{len(paid)} of {count} are paid"
        settle(morning.office)
        time.sleep(0.5)
    assert len(paid) == count
    return paid


def waiting(morning: Morning) -> dict[str, str]:
    """The payments that wait for votes, by their references, each with the id of its bill."""
    refs = {ref: bill["_id"] for bill in morning.bills().values() for ref in bill["payments"]}
    return {ref: bill for ref, bill in refs.items() if request_of(morning.office, ref)["status"] == "PENDING"}


def approve(voter: Desk, morning: Morning, refs: list[str]) -> None:
    """Approves all of them in one step, unless a policy blocks them, as one of the demo does at night."""
    page = voter.open_with(f"/{{b}}/approvals/?q={morning.mark}", f"#rows tr[data-row] >> nth={len(refs) - 1}")
    expect(page.locator("#rows tr[data-row]")).to_have_count(len(refs))
    for box in page.locator("#rows tr[data-row] input").all():
        box.check()
    page.get_by_role("button", name="Review approval").click()
    given = {ref: len(request_of(morning.office, ref)["votes"]) for ref in refs}
    decide = page.get_by_role("button", name=f"Approve {len(refs)}", exact=True)
    expect(decide.or_(page.get_by_role("heading", name="blocked by policy")).first).to_be_visible()
    if not decide.count():
        return
    decide.click()
    result = page.get_by_role("heading", name="Bulk decision")
    expect(result.or_(page.locator("[name=password]")).first).to_be_visible()
    if "reauthenticate" in page.url:
        voter.prove_it_is_me()
        decide.click()
    expect(result).to_be_visible()
    ends = time.monotonic() + COPIED_S
    while any(len(request_of(morning.office, ref)["votes"]) == count for ref, count in given.items()):
        assert time.monotonic() < ends, "the votes did not arrive"
        time.sleep(0.5)


def agrees_to_the_cent(morning: Morning, paid: dict[str, dict[str, Any]], before: int) -> None:
    """Each bill is paid once and whole, by a posting that comes to nothing; the wallet has less by exactly what they took."""
    office, out = morning.office, 0
    query = f"accountref={morning.wallet['org_wallet_ref']}&limit=200"
    transactions = {row["ref"]: row for row in office.ask("", "GET", f"/transactions?{query}")["docs"]}
    for bill in paid.values():
        assert bill["amount_paid_minor"] == bill["total_minor"]
        [ref] = bill["payments"]
        transaction = transactions[ref]
        assert transaction["amount_minor"] == bill["total_minor"]
        posting = office.ask("", "GET", f"/accounting/postings/{transaction['ledger_transaction_id']}")
        assert sum(entry["amount_minor"] for entry in posting["entries"]) == 0
        out += transaction["amount_minor"] + transaction["fees_minor"]
    assert before - morning.balance() == out


def confirm_account(apollo: Desk, morning: Morning) -> None:
    """A second person sees what is held, calls the number on record and confirms the account."""
    page = apollo.open_with("/{b}/vendors/payee-changes/", f"text={morning.changed}")
    change = page.get_by_role("region", name=morning.changed)
    expect(change).to_contain_text(morning.number(HELD))
    change.get_by_text("Confirm after a call-back").click()
    expect(change.get_by_label("Number called")).to_have_value(f"254712{morning.digits}")
    change.get_by_label("Spoke to").fill("Mary Otieno")
    # Not before it was proposed, on the clock of the business.
    change.get_by_label("Called at").fill(f"{datetime.now(ZoneInfo('Africa/Nairobi')):%Y-%m-%dT%H:%M}")
    change.get_by_role("button", name="Confirm account").click()
    apollo.verified(page.get_by_text("is in use."))
    ends = time.monotonic() + HANG_S
    while page.get_by_text("Confirm after a call-back").count():
        assert time.monotonic() < ends
        page.reload()
