"""An admin tightens a card after a bad swipe: sees the spend, opens the controls, tries the example, saves, tries again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Route, expect

from tests.browser.desk import HANG_S, Desk
from tests.sandbox import sandbox_headers

Swipe = Callable[..., dict[str, Any]]


@pytest.fixture
def swipe(demo: dict[str, Any]) -> Swipe:
    """`swipe(card_id, 900, merchant="…")`: a use of a card in the first business, at the sandbox's terminal."""
    service = demo["service"]
    address = f"{service['address']}/sandbox/businesses/{service['businesses'][0]['business_id']}/swipe"

    def use(card_id: str, amount: int, **what: Any) -> dict[str, Any]:
        answer = requests.post(
            address, json={"card_id": card_id, "amount": amount, **what}, headers=sandbox_headers(), timeout=HANG_S
        )
        assert answer.ok, answer.text
        found: dict[str, Any] = answer.json()
        return found

    return use


def card_id_of(address: str) -> str:
    return address.rstrip("/").split("/")[-1]


def test_an_admin_tightens_a_card_after_a_bad_swipe(desk: Callable[..., Desk], swipe: Swipe) -> None:
    page = desk("ada").open_with("/{b}/cards/?kind=VIRTUAL&status=ACTIVE", ".plastic a")
    bar = f"Club Mombasa {time.time_ns() % 10**6}"
    cards = [page.evaluate("link => link.href", link) for link in page.locator(".plastic a").element_handles()]
    # Of a month that is nearly over, some cards have nothing left.
    item = next(
        card for card in cards if swipe(card_id_of(card), 600, merchant=bar, mcc="5813", country="KE")["approved"]
    )
    page.goto(item)
    expect(page.get_by_role("region", name="Transactions, as a table")).to_contain_text(bar)
    page.get_by_role("row", name=bar).get_by_role("link", name="Simulate a purchase").click()
    told = page.locator("#told")
    expect(page.get_by_label("Purchase amount, KES")).to_have_value("600")
    page.get_by_label("Merchant categories", exact=True).select_option(label="all except selected")
    page.get_by_role("checkbox", name="Restaurants, cafés and bars").check()
    expect(told).to_contain_text("With the current controls")
    expect(told).to_contain_text("It would be approved.")
    expect(told).to_contain_text("Deciding rule: Merchant categories: never for Restaurants, cafés and bars")
    page.get_by_label("Per-transaction limit, KES").first.fill("500")
    expect(told.locator(".diff")).to_have_count(2)
    page.get_by_label("Per-transaction limit, KES").first.fill("-5")
    expect(told).to_contain_text("Incomplete")
    page.get_by_label("Per-transaction limit, KES").first.fill("500")
    expect(told.locator(".diff")).to_have_count(2)
    assert not Axe().run(page).response["violations"]
    told.get_by_role("button", name="Save changes").click()

    expect(page.locator("#toasts")).to_contain_text("are saved")
    expect(page.locator("dl.facts").first).to_contain_text("never for Restaurants, cafés and bars")
    refused = swipe(card_id_of(item), 600, merchant=bar, mcc="5813", country="KE")
    assert (refused["approved"], refused["code"]) == (False, "mcc_blocked")
    page.get_by_role("link", name="Edit spending controls").click()
    page.get_by_label("Purchase amount, KES").fill("499")
    expect(told).to_contain_text("It would be approved.")
    page.get_by_label("Purchase amount, KES").fill("501")
    expect(told).to_contain_text("Deciding rule: Per-transaction limit: at most KES 500.00")


def test_without_javascript_the_changes_are_shown_before_they_are_saved(desk: Callable[..., Desk]) -> None:
    page = desk("ada", js=False).go("/{b}/cards/?kind=VIRTUAL&status=ACTIVE&q=dennis")
    page.locator(".plastic a").first.click()
    page.get_by_role("link", name="Edit spending controls").click()
    expect(page.get_by_role("button", name="Save changes")).to_have_count(0)
    page.get_by_label("Maximum transactions per hour").fill(str(2 + time.time_ns() % 1000))
    page.get_by_role("button", name="Review changes and simulate").click()
    expect(page.locator("#told .diff")).to_have_count(1)
    page.get_by_role("button", name="Save changes").click()
    expect(page.locator("dl.facts").first).to_contain_text("Transactions per hour")


def test_a_card_user_blocks_a_lost_card_and_has_it_back(desk: Callable[..., Desk]) -> None:
    page = desk("carla", width=320).go("/{b}/cards/")
    expect(page.get_by_role("heading", level=1)).to_have_text("My cards")
    page.get_by_text("Block card").first.click()
    page.get_by_role("textbox", name="Reason").first.fill("I left it in a taxi")
    page.get_by_role("button", name="Block ···").first.click()
    expect(page.get_by_text("You blocked this card: “I left it in a taxi”")).to_be_visible()
    page.get_by_role("button", name="Unblock").click()
    expect(page.locator("#toasts")).to_contain_text("can be used again")


def test_a_form_that_asks_while_it_is_typed_is_saved_once(desk: Callable[..., Desk]) -> None:
    page = desk("ada").go("/{b}/cards/?kind=VIRTUAL&status=ACTIVE")
    page.locator(".plastic").filter(has_text="KES").last.locator("a").click()
    page.get_by_role("link", name="Edit spending controls").click()
    posted: list[str] = []
    page.on("request", lambda sent: posted.append(sent.url.split("/controls/")[1]) if sent.method == "POST" else None)

    def answer_late(route: Route) -> None:
        # Long enough for the question that leaving the field has set off.
        time.sleep(1)
        route.continue_()

    page.route("**/controls/save/", answer_late)
    page.get_by_label("Per-transaction limit, KES").first.fill(str(600 + time.time_ns() % 300))
    save = page.locator("#told").get_by_role("button", name="Save changes")
    expect(save).to_be_visible()
    save.click()

    expect(page.locator("#toasts")).to_contain_text("are saved")
    assert posted.count("save/") == 1, posted


def test_what_is_typed_before_the_scripts_are_there_is_asked_about(desk: Callable[..., Desk]) -> None:
    window = desk("ada")
    page = window.go("/{b}/cards/?kind=VIRTUAL&status=ACTIVE")
    page.locator(".plastic").filter(has_text="KES").last.locator("a").click()
    address = page.get_by_role("link", name="Edit spending controls").get_attribute("href")
    assert address, "no way to the controls"
    held: list[Route] = []
    page.route("**/htmx*.js", lambda route: held.append(route))
    page.goto(window.demo["address"] + address, wait_until="commit")
    page.get_by_label("Per-transaction limit, KES").first.fill(str(600 + time.time_ns() % 300))
    assert held, "the scripts were not held back"
    for route in held:
        route.continue_()
    expect(page.locator("#told").get_by_role("button", name="Save changes")).to_be_visible()
