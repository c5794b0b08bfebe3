"""A payout by keyboard: a pasted table, a cell corrected in its place, a draft with its fees, sent for approval."""

from collections.abc import Callable
from uuid import uuid4

from playwright.sync_api import expect

from tests.browser.desk import Desk

HEADING = "receiver\tchannel\taccount\tamount"


def test_a_table_is_pasted_corrected_in_place_initiated_and_found_by_its_approver(desk: Callable[..., Desk]) -> None:
    # A name and amounts that no payout has: else the page asks whether these are the same payments.
    number = uuid4().int
    name, amount = f"Wages {number % 10**8:08d}", f"{number % 900 + 100}.{number // 1000 % 90 + 10}"
    rows = f"{HEADING}\nGrace Achieng\tMPESA_SEND_MONEY\t0712 345 678\t{amount}\nBrian Kiptoo\tpigeon post\t512345\t{amount}"
    ada = desk("ada")
    page = ada.open("/{b}/payouts/")
    page.get_by_role("link", name="New payout").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("textbox", name="Payments").fill(rows)
    page.get_by_role("button", name="Check payments").click()
    expect(page.get_by_role("heading", name="1 row with errors")).to_be_focused()
    wrong = page.get_by_label("Row 3, channel")
    expect(wrong).to_have_value("pigeon post")
    expect(wrong).to_have_accessible_description("unknown channel")
    wrong.fill("MPESA_TILL")
    wrong.press("Enter")

    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(page.get_by_text("Draft", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Balance after")).to_be_visible()
    expect(page.get_by_role("region", name="Payment rows").locator("tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Initiate").press("Enter")
    sent = page.get_by_text("Sent for approval.")
    expect(sent.or_(page.locator("[name=password]")).first).to_be_visible()
    if "reauthenticate" in page.url:
        ada.prove_it_is_me()
        page.get_by_role("button", name="Continue").click()
    expect(sent).to_be_visible()
    expect(page.get_by_text("Awaiting approval", exact=True)).to_be_visible()
    address = page.url

    page = desk("apollo", width=390).open("/{b}/payouts/?q=" + name.replace(" ", "+"))
    page.get_by_role("link", name=name).click()
    assert page.url == address
    expect(page.get_by_role("region", name="Payments").get_by_text("···5678")).to_have_count(1)
    expect(page.get_by_role("button", name="Initiate")).to_have_count(0)
