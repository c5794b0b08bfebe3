"""A PDF beside the decision: opened in the pane, its pages turned by key, zoomed and turned, and the difference said."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import requests
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.dashboard.documents import papers
from tests.sandbox import sandbox_headers


def pending_expense(demo: dict[str, Any]) -> dict[str, Any]:
    """An expense of the demo with an invoice of three pages whose total is one digit off."""
    business = next(row for row in demo["service"]["businesses"] if row["name"] == "Kifaru Logistics")
    service = os.environ.get("SERVICE_ADDRESS") or demo["service"]["address"]
    base = f"{service}/sandbox/businesses/{business['business_id']}"
    made = requests.post(
        f"{base}/expenses", json={"count": 1, "receipts": False}, headers=sandbox_headers(), timeout=30
    )
    expense: dict[str, Any] = made.json()["expenses"][0]
    minor = expense["amount_minor"] + 10_000
    total = f"{minor // 100:,}.{minor % 100:02}"
    day = expense["transaction_date"][:10]
    first = [expense["receiver"], ("Invoice date", day), ("Total", f"{expense['currency']} {total}")]
    content = papers.pdf(first, ["Page two"], ["Page three"])
    sent = requests.post(
        f"{base}/receipt-file",
        data={"expense_id": expense["_id"]},
        files={"file": ("invoice.pdf", content)},
        headers=sandbox_headers(),
        timeout=30,
    )
    assert sent.ok, sent.text
    return expense | {"on_receipt": total}


def drawn(page: Page) -> dict[str, Any]:
    """The picture that is shown: its address, and its size as it was drawn."""
    found: dict[str, Any] = page.locator("[data-picture]").evaluate(
        "async (picture) => { await picture.decode();"
        " return { address: picture.src, wide: picture.naturalWidth, high: picture.naturalHeight }; }"
    )
    return found


def test_a_document_is_read_page_by_page_beside_the_decision(desk: Callable[..., Desk], demo: dict[str, Any]) -> None:
    expense = pending_expense(demo)
    window = desk("apollo")
    page = window.open_with(f"/{{b}}/approvals/expense/{expense['_id']}/", "[data-viewer] [data-picture]")
    status = page.locator("[data-viewer-status]")
    first = drawn(page)
    assert (first["wide"], first["high"]) == (900, 1274)
    expect(page.locator("#flags")).to_contain_text(f"Total {expense['on_receipt']} on the receipt")
    expect(page.locator(".read tr.differs.red")).to_contain_text(expense["on_receipt"])
    place = page.locator("[data-sheet]").bounding_box()
    page.keyboard.press("n")
    expect(status).to_have_text("Page 2 of 3")
    page.keyboard.press("n")
    page.keyboard.press("n")
    expect(status).to_have_text("This is the last page")
    assert "/page/3/" in drawn(page)["address"]
    page.keyboard.press("b")
    expect(page.locator("[data-page]")).to_have_text("2")
    page.keyboard.press("+")
    expect(status).to_have_text("Zoom 150 %")
    assert drawn(page)["wide"] == 1800
    page.keyboard.press("w")
    expect(status).to_have_text("Rotated by 90 degrees")
    turned = drawn(page)
    assert turned["wide"] > turned["high"]
    page.keyboard.press("0")
    expect(status).to_have_text("Zoom 100 %")
    assert page.locator("[data-sheet]").bounding_box() == place, "nothing moves"
    page.locator(".read .value", has_text=expense["on_receipt"]).click()
    expect(status).to_have_text("Shown on page 1")
    expect(page.locator("[data-spot]")).to_be_visible()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_contain_text("next or previous page of the document")
    page.keyboard.press("n")
    expect(status).to_have_text("Shown on page 1")
    assert not window.trouble


def test_keys_do_nothing_while_someone_types(desk: Callable[..., Desk], demo: dict[str, Any]) -> None:
    expense = pending_expense(demo)
    page = desk("apollo").open_with(f"/{{b}}/approvals/expense/{expense['_id']}/", "[data-viewer] [data-picture]")
    page.keyboard.press("r")
    page.keyboard.type("not 0 b+t-n")
    expect(page.locator("#reason-reject")).to_have_value("not 0 b+t-n")
    expect(page.locator("[data-page]")).to_have_text("1")


def test_without_a_script_the_first_page_stands_in_the_pane_and_all_of_them_one_click_away(
    desk: Callable[..., Desk], demo: dict[str, Any]
) -> None:
    expense = pending_expense(demo)
    desk("apollo").open_with(f"/{{b}}/approvals/expense/{expense['_id']}/", "[data-viewer]")
    window = desk("apollo", js=False)
    page = window.go(f"/{{b}}/approvals/expense/{expense['_id']}/")
    expect(page.locator(".viewer img[data-picture]")).to_be_visible()
    window.go(page.locator("[data-receipt]").get_attribute("href") or "")
    expect(page.locator(".sheets img")).to_have_count(3)
    expect(page.locator(".sheets img").first).to_be_visible()
