"""Whom a payout pays, chosen from what is known: people with what they are reimbursed for, by keyboard alone; vendors, with the
payee change that holds one, on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.desk import Desk
from tests.browser.look import faults_of
from tests.browser.office import Office

WIDTHS = (390, 320)
PEOPLE = "/{b}/payouts/new/from/employees/"


def in_order(page: Page) -> None:
    """Accessible, and nothing out of its box, at every width of a phone."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 860})
        violations = [
            (width, found["id"], node["html"][:160])
            for found in Axe().run(page).response["violations"]
            for node in found["nodes"]
        ]
        assert violations == []
        assert faults_of(page) == []


def go_to(page: Page, field: Locator) -> None:
    """Goes to a field by Tab alone."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if field.evaluate("field => field === document.activeElement"):
            return
    raise AssertionError(f"{field} is not reached by Tab")


def test_a_vendor_that_is_held_leads_to_its_payee_change_on_a_phone(
    desk: Callable[..., Desk], demo: dict[str, Any]
) -> None:
    office, name = Office(demo), f"Baobab {uuid4().hex[:8]}"
    vendor = office.ask("Ada", "POST", "/vendors", {"name": name})
    till = {"channel": "MPESA_TILL", "account": "512345"}
    office.ask("Ada", "POST", f"/vendors/{vendor['_id']}/payment-instruction/add", till)
    page = desk("ada", width=390).open_with(
        f"/{{b}}/payouts/new/from/vendors/?q={name.replace(' ', '+')}", "text=Payee change"
    )
    expect(page.get_by_text("Held", exact=True)).to_be_visible()
    expect(page.get_by_role("checkbox", name=f"Pay {name}")).to_have_count(0)
    in_order(page)
    page.get_by_role("link", name=f"Payee change: {name} ···2345").click()
    expect(page.get_by_role("region", name=name)).to_be_visible()


def test_somebody_is_reimbursed_by_keyboard_once_it_is_said_what_for_and_where(desk: Callable[..., Desk]) -> None:
    page = desk("ada", width=1280).open_with(PEOPLE, "main tbody tr")
    known = page.locator("main tbody tr").filter(has=page.locator("option", has_text="profile phone")).first
    name = known.locator("bdi").first.inner_text()
    pay = page.get_by_label(f"Pay {name}", exact=True)
    purpose = page.get_by_label(f"What {name} is reimbursed for", exact=True)
    other = page.get_by_label(f"Other account of {name}", exact=True)
    go_to(page, pay)
    page.keyboard.press("Space")
    go_to(page, page.get_by_label(f"Amount for {name}", exact=True))
    page.keyboard.type("300")
    go_to(page, other)
    page.keyboard.type("0110234567")
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_be_focused()
    expect(pay).to_be_checked()
    expect(purpose).to_have_accessible_description(f"Enter what {name} is reimbursed for.")
    expect(other).to_have_accessible_description(
        f"{name}: an account is typed, but one that is known is chosen. Choose the typed one's channel, or clear it."
    )
    in_order(page)
    go_to(page, purpose)
    page.keyboard.type("Taxi to the airport, receipt 118")
    go_to(page, other)
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 payment filled in below.")).to_be_visible()
    rows = page.get_by_role("textbox", name="Payments").input_value()
    assert name in rows
    assert "Reimbursement of Taxi to the airport, receipt 118" in rows


@pytest.mark.parametrize(("width", "js"), [(1280, True), (390, True), (390, False)])
def test_what_is_ticked_stays_ticked_while_others_are_searched_for(
    desk: Callable[..., Desk], demo: dict[str, Any], width: int, js: bool
) -> None:
    """Shown and counted above those that match, through a reload and Back; both are in the table that is filled."""
    office, word = Office(demo), uuid4().hex[:8]
    names = [f"Acacia {word}", f"Baobab {word}"]
    for place, name in enumerate(names):
        till = {"channel": "MPESA_TILL", "account": f"51234{place}"}
        office.ask("Ada", "POST", "/vendors", {"name": name, "payment_instructions": [till]})
    ada = desk("ada", width=width, js=js)
    page = ada.open_with(f"/{{b}}/payouts/new/from/vendors/?q={word}", f"text={names[1]}")
    boxes = [page.get_by_role("checkbox", name=f"Pay {name}") for name in names]
    search = page.get_by_role("searchbox", name="Name, phone or email")
    search.fill("Acacia " + word)
    search.press("Enter")
    expect(boxes[1]).to_have_count(0)
    boxes[0].check()
    page.get_by_label(f"Amount for {names[0]}").fill("120.50")
    search.fill("Baobab " + word)
    page.get_by_role("button", name="Search").click()
    for turn in ("searched", "loaded again"):
        expect(boxes[0], turn).to_be_checked()
        expect(page.get_by_label(f"Amount for {names[0]}")).to_have_value("120.50")
        expect(page.get_by_text("1 selected", exact=True)).to_be_visible()
        page.reload()
    boxes[1].check()
    expect(page.get_by_text("2 selected" if js else "1 selected", exact=True)).to_be_visible()
    page.get_by_label(f"Amount for {names[1]}").fill("80")
    search.fill("nobody of this name")
    search.press("Enter")
    for box in boxes:
        expect(box).to_be_checked()
    expect(page.get_by_text("2 selected", exact=True)).to_be_visible()
    if js:
        page.go_back()
        expect(boxes[0]).to_be_checked()
        page.go_forward()
        in_order(page)
        page.set_viewport_size({"width": width, "height": 860})
    page.get_by_role("button", name="Add to payout").click()
    expect(page.get_by_text("2 payments filled in below.")).to_be_visible()
    rows = page.get_by_role("textbox", name="Payments").input_value()
    assert all(name in rows for name in names)
    assert "120.50" in rows
