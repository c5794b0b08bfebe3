"""Two bills of a vendor, one of them lowered by a credit note, are paid in one run: planned, verified, each with its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import COPIED_S, Desk
from tests.browser.test_bulk import Elsewhere
from tests.days import business_day

TODAY = business_day().isoformat()


def clean(page: Page) -> None:
    assert not Axe().run(page).response["violations"]


def entered(demo: dict[str, Any], prefix: str) -> list[dict[str, Any]]:
    """Two bills over 300 each of a vendor with a till, and one of a vendor without an account, entered elsewhere."""
    elsewhere = Elsewhere(demo)
    till = [{"channel": "MPESA_TILL", "account": f"77{uuid4().int % 9000 + 1000}"}]
    paid: dict[str, Any] = {"name": f"{prefix} Ltd", "payment_instructions": till}
    bare: dict[str, Any] = {"name": f"{prefix} without account"}
    vendors = [
        elsewhere.send("POST", "/vendors", body)["_id"] for body in (paid, paid | {"name": f"{prefix} Two"}, bare)
    ]
    sums = {"subtotal": 300, "tax_amount": 0, "issued_at": TODAY, "currency": "KES"}
    return [
        elsewhere.send("POST", "/bills", sums | {"vendor_id": vendor, "bill_no": f"{prefix}-{place}"})  # type: ignore[arg-type]
        for place, vendor in enumerate(vendors, 1)
    ]


def outcomes_are_whole_on_a_phone(page: Page) -> None:
    """What happens to a bill, and why, has the width of its row and not a third of it."""
    wide = page.viewport_size
    assert wide is not None
    page.set_viewport_size({"width": 320, "height": wide["height"]})
    for row in page.locator("#rows-of-bulk tbody tr").all():
        whole, outcome = row.bounding_box(), row.locator("td").nth(1).bounding_box()
        assert whole is not None
        assert outcome is not None
        assert outcome["width"] > whole["width"] * 0.9
    clean(page)
    page.set_viewport_size(wide)


def test_a_run_pays_what_can_go_and_says_why_the_rest_stays(desk: Callable[..., Desk], demo: dict[str, Any]) -> None:
    prefix = f"RUN{uuid4().hex[:6].upper()}"
    first = entered(demo, prefix)[0]
    ada = desk("ada", width=1280)
    page = ada.open_with(f"/{{b}}/bills/?q={prefix}-3", f"text={prefix}-3")
    page = ada.open(f"/{{b}}/bills/{first['_id']}/credit/")
    page.get_by_label("Number", exact=True).fill(f"CN-{prefix}")
    page.get_by_label("Amount").fill("100")
    page.get_by_label("Reason").fill("Two boxes came back.")
    page.get_by_role("button", name="Record credit note").click()
    expect(page.get_by_text("100.00 applied")).to_be_visible()
    clean(page)

    page = ada.open_with(f"/{{b}}/bills/?q={prefix}", "[name=ids] >> nth=2")
    for box in page.locator("[name=ids]").all():
        box.check()
    page.get_by_role("button", name="Review bulk pay").click()
    expect(page.get_by_role("heading", name="2 will go · 1 without payment details")).to_be_visible()
    expect(page.get_by_text("KES 500.00")).to_be_visible()
    clean(page)
    outcomes_are_whole_on_a_phone(page)
    page.get_by_role("button", name="Pay 2 bills").click()
    pay = page.get_by_role("heading", name="2 bills sent for payment")
    expect(pay.or_(page.locator("[name=password]"))).to_be_visible(timeout=COPIED_S * 1000)
    if "reauthenticate" in page.url:
        ada.prove_it_is_me()
        page.get_by_role("button", name="Continue").click()
    expect(pay).to_be_visible(timeout=COPIED_S * 1000)
    clean(page)
    page.get_by_role("link", name=f"{prefix}-1").click()
    expect(page.get_by_role("heading", name="Payments")).to_be_visible()
    expect(page.get_by_text("KES 200.00").first).to_be_visible()
