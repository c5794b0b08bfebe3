"""The busiest approver leaves: an admin gives everything a successor or an action, and nothing is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import COPIED_S, Desk
from tests.browser.office import Office
from tests.browser.test_people import continue_as_oneself
from tests.days import business_day

CARDS, SEATS, SUBSCRIPTIONS = 5, 2, 7
SUSPENDED, ACCESS_ENDED, DELEGATION = 1, 1, 1


def hire(sam: Desk, name: str) -> str:
    """A super admin adds an approver and invites them; the id of the employee."""
    page, number = sam.open("/{b}/people/new/"), uuid4().int
    page.get_by_label("Name").fill(name)
    page.get_by_label("Email").fill(f"leaver.{number % 10**9}@example.com")
    page.get_by_label("Phone").fill(f"07{number % 10**8:08d}")
    page.get_by_label("Role").select_option(label="Approver")
    page.get_by_label("Team").select_option(label="Technology")
    page.get_by_label("Invite to this dashboard").check()
    page.get_by_role("button", name="Add person").click()
    continue_as_oneself(sam, page, f"{name} was added")
    return page.url.rstrip("/").rsplit("/", 1)[-1]


def give_work(office: Office, employee_id: str) -> None:
    """Cards, seats in workflows and subscriptions, at the service itself."""
    wallet = next(
        row["org_wallet_ref"] for row in office.ask("", "GET", "/accounts")["docs"] if row["currency"] == "KES"
    )
    for number in range(CARDS):
        card = {"employee_id": employee_id, "name": f"Errand {number}", "org_wallet_ref": wallet, "type": "VIRTUAL"}
        office.ask("Ada", "POST", "/cards", card)
    for number in range(SEATS):
        steps = [{"order": 1, "approver_ids": [employee_id]}]
        vendor = office.ask("Ada", "POST", "/vendors", {"name": f"Errand vendor {uuid4().hex[:8]}"})["_id"]
        body = {"name": f"Errands {number} {uuid4().hex[:4]}", "steps": steps, "conditions": {"vendor_ids": [vendor]}}
        office.ask("Ada", "POST", "/bills/workflow", body)
    for number in range(SUBSCRIPTIONS):
        body: dict[str, Any] = {
            "name": f"Tool {number}", "vendor": f"Tool {uuid4().hex[:6]}", "currency": "KES", "amount": 900,
            "billing_frequency": "MONTHLY", "employee_id": employee_id,
        }  # fmt: skip
        office.ask("Ada", "POST", "/subscriptions/create", body)


def delegate_to(desk: Desk, name: str) -> None:
    """Somebody delegates a day that is weeks away to the leaver: until then nobody is away."""
    page = desk.open("/{b}/delegation/")
    far = business_day() + timedelta(days=20 + uuid4().int % 60)
    page.get_by_label("Delegate", exact=True).select_option(label=name)
    page.get_by_label("Expenses").check()
    page.get_by_label("Start date").fill(far.isoformat())
    page.get_by_label("End date").fill(far.isoformat())
    page.get_by_role("button", name="Set out of office").click()
    expect(page.get_by_role("row").filter(has_text=name)).to_be_visible()


def open_plan(ada: Desk, employee_id: str) -> Page:
    """Opens the plan once the copy has all that was given."""
    ends = time.monotonic() + COPIED_S
    while True:
        page = ada.open(f"/{{b}}/people/{employee_id}/offboard/")
        counts = [
            page.locator(f"fieldset [name^={kind}-][name$=-action]").count()
            for kind in ("card", "workflow", "subscription")
        ]
        if counts == [CARDS, SEATS, SUBSCRIPTIONS]:
            return page
        assert time.monotonic() < ends, counts
        page.wait_for_timeout(2000)


def test_the_busiest_approver_is_offboarded_and_nothing_is_left(
    desk: Callable[..., Desk], demo: dict[str, Any]
) -> None:
    name, office = f"Baraka {uuid4().hex[:6].upper()}", Office(demo)
    employee_id = hire(desk("sam"), name)
    give_work(office, employee_id)
    delegate_to(desk("apollo"), name)
    ada = desk("ada")
    page = open_plan(ada, employee_id)
    expect(page.get_by_role("heading", name="Delegations")).to_be_visible()
    assert not Axe().run(page).response["violations"]

    page.get_by_role("button", name="Suspend and offboard").click()
    expect(page.get_by_text("Choose a successor here, or a main successor above.").first).to_be_visible()
    page.get_by_role("combobox", name="Main successor").select_option(label="Zawadi Njeri · Approver")
    page.get_by_role("button", name="Suspend and offboard").press("Enter")
    continue_as_oneself(ada, page, f"The offboarding of {name} has started.")
    expect(page.get_by_role("heading", name="Nothing is left")).to_be_visible(timeout=COPIED_S * 1000)
    expect(page.locator("#offboarding .state.is-ok")).to_have_count(
        SUSPENDED + ACCESS_ENDED + DELEGATION + CARDS + SEATS + SUBSCRIPTIONS
    )
    assert not Axe().run(page).response["violations"]
    zawadi = office.people["Zawadi"]
    named = [
        row for row in office.ask("", "GET", "/bills/workflow?limit=200")["docs"] if row["name"].startswith("Errands")
    ]
    assert not any(employee_id in (step["approver_ids"] or ()) for row in named for step in row["steps"])
    assert any(zawadi in (step["approver_ids"] or ()) for row in named for step in row["steps"])
    assert office.ask("", "GET", f"/employees/{employee_id}")["status"] == "SUSPENDED"
    cards = office.ask("", "GET", f"/cards/employee/{employee_id}")["docs"]
    assert {card["status"] for card in cards} == {"RETIRED"}
