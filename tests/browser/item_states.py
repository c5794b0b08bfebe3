"""Items of kinds that the demo has none of, and pages that no link of a page as it comes leads to: each act ends on one."""

from __future__ import annotations

from urllib.parse import urljoin
from uuid import uuid4

from playwright.sync_api import Page

from tests.browser.desk import Desk
from tests.browser.office import Office
from tests.browser.test_viewer import pending_expense
from tests.days import business_day


def follow(page: Page, link: str) -> None:
    """Goes where the first link of this kind leads."""
    page.goto(urljoin(page.url, str(page.locator(link).first.get_attribute("href"))))


def correct_tags(window: Desk) -> None:
    """The tags of an expense are being corrected, in the pane."""
    page = window.open_with("/{b}/approvals/?kind=expense", "#pane [data-correct=t]")
    page.locator("#pane [data-correct=t]").click()
    page.locator("#pane [data-correction]").wait_for()


def doubt_a_receipt(window: Desk) -> Page:
    """The total of an expense's receipt is not what was paid: a flag that can be dismissed, beside the receipt."""
    expense = pending_expense(window.demo)["_id"]
    return window.open_with(
        f"/{{b}}/approvals/expense/{expense}/", "#pane:has([data-picture]) #flags .flag.red details"
    )


def open_conversation(window: Desk) -> Page:
    """What was said about a customer, on a page of its own."""
    customers = Office(window.demo).ask("", "GET", "/customers?limit=1")["docs"]
    return window.open_with(f"/{{b}}/conversation/customer/{customers[0]['_id']}/", "#talk")


def edit_comment(window: Desk) -> None:
    """A comment that was just written is being edited."""
    page = open_conversation(window)
    page.get_by_label("Comment", exact=True).fill(f"Checked {uuid4().hex[:6]}")
    page.get_by_role("button", name="Add comment").click()
    page.locator("#talk .said").first.wait_for()
    follow(page, "#talk a:text-is('Edit')")


def bill_workflow(window: Desk) -> str:
    """Who approves the bills of one vendor: the id of the workflow."""
    office = Office(window.demo)
    vendor = office.ask("Ada", "POST", "/vendors", {"name": f"Errand vendor {uuid4().hex[:8]}"})["_id"]
    steps = [{"order": 1, "approver_ids": [office.people["Apollo"]]}]
    body = {"name": f"Errands {uuid4().hex[:6]}", "steps": steps, "conditions": {"vendor_ids": [vendor]}}
    return str(office.ask("Ada", "POST", "/bills/workflow", body)["_id"])


def edit_bill_workflow(window: Desk) -> None:
    """A workflow for bills is being edited."""
    window.open_with(f"/{{b}}/policies/workflows/bills/{bill_workflow(window)}/edit/", "main form")


def delete_bill_workflow(window: Desk) -> None:
    """A workflow for bills is about to be deleted."""
    window.open_with(f"/{{b}}/policies/workflows/bills/{bill_workflow(window)}/delete/", "main form")


def restore_workflow(window: Desk) -> None:
    """The first version of a workflow for bills is about to be restored."""
    changed = bill_workflow(window)
    Office(window.demo).ask("Ada", "PATCH", f"/bills/workflow/{changed}", {"name": f"Errands {uuid4().hex[:6]}"})
    window.open_with(f"/{{b}}/policies/workflows/{changed}/restore/1/", "main form")


def restore_policy(window: Desk) -> None:
    """A policy that was deleted is about to be restored: in force it would be one for the other tests, too."""
    office = Office(window.demo)
    groups = office.ask("", "GET", "/business-policies/policy-group-policies")["docs"]
    group = next(row["_id"] for row in groups if "CHANNEL" in row["types"])
    body = {"type": "CHANNEL", "target": "MPESA", "action": "FLAG", "name": f"Errands {uuid4().hex[:6]}"}
    deleted = office.ask("Ada", "POST", f"/business-policies/create/{group}", body)["_id"]
    office.ask("Ada", "DELETE", f"/business-policies/{deleted}")
    window.open_with(f"/{{b}}/policies/{deleted}/restore/1/", "main form")


def add_recurring_bill(window: Desk) -> None:
    """A bill that comes each month was added."""
    page = window.open_with("/{b}/bills/recurring/new/", "[name=vendor_id] option:nth-child(2)")
    page.locator("[name=vendor_id]").select_option(index=1)
    day = business_day(3).isoformat()
    fields = {
        "number_prefix": f"RENT{uuid4().hex[:6].upper()}", "starts_on": day, "due_in_days": "14",
        "line-0-description": "Rent", "line-0-quantity": "1", "line-0-unit_price": "85000",
    }  # fmt: skip
    for name, value in fields.items():
        page.locator(f'main [name="{name}"]').fill(value)
    with page.expect_navigation():
        page.locator("main form .btn.go").last.press("Enter")


def edit_contact(window: Desk) -> None:
    """Somebody to speak to at a vendor is being changed."""
    vendor = Office(window.demo).ask("Ada", "POST", "/vendors", {"name": f"Errand vendor {uuid4().hex[:8]}"})["_id"]
    page = window.open_with(f"/{{b}}/vendors/{vendor}/", "a:text-is('Add contact')")
    follow(page, "a:text-is('Add contact')")
    page.get_by_label("Name", exact=True).fill("Wanjiku")
    with page.expect_navigation():
        page.get_by_role("button", name="Add contact").press("Enter")
    follow(page, 'a[href*="/contacts/"]:has-text("Edit")')


def merge_vendors(window: Desk) -> None:
    """Two vendors with one tax number are looked at side by side."""
    office, pin = Office(window.demo), f"P{uuid4().int % 10**9:09d}Z"
    first, second = (
        office.ask("Ada", "POST", "/vendors", {"name": f"Errand vendor {uuid4().hex[:8]}", "taxPin": pin})["_id"]
        for _ in range(2)
    )
    window.open_with(f"/{{b}}/vendors/{first}/merge/{second}/", "main form")


def list_lines_left(window: Desk) -> None:
    """The lines of a period that no export has yet."""
    window.open(f"/{{b}}/journal-exports/pending/{latest_period(window)}/")


def list_corrections(window: Desk) -> None:
    """The exported lines of a period that are filed otherwise now."""
    window.open(f"/{{b}}/journal-exports/pending/{latest_period(window)}/corrections/")


def latest_period(window: Desk) -> str:
    """The period that stands first in the form of a new export."""
    options = window.go("/{b}/journal-exports/new/").get_by_label("Period").locator("option")
    return str(options.nth(1).get_attribute("value"))


def review_access(window: Desk) -> None:
    """The access review of this quarter is open."""
    page = window.go("/{b}/access-reviews/")
    begin = page.get_by_role("button", name="Open review")
    if not begin.count():
        follow(page, "main tbody a")
        return
    with page.expect_navigation():
        begin.press("Enter")


def allocate_to_several(window: Desk) -> None:
    """How much is allocated to several people is being chosen."""
    page = window.open_with("/{b}/people/?view=all&status=ACTIVE", '#rows-of-list [name="ids"]')
    page.locator('#rows-of-list [name="ids"]').last.check()
    page.get_by_role("button", name="Review bulk allocate funds").click()
    page.wait_for_url("**/bulk/*/")
    follow(page, 'a[href*="/bulk-funds/"]')


def remember_columns(window: Desk) -> None:
    """Which column is which in a table of payments is remembered, and can be changed."""
    page = window.go("/{b}/payouts/new/")
    if not page.locator('a[href*="/new/columns/"]').count():
        name, number = uuid4().hex[:6], uuid4().int
        page.get_by_label("Name", exact=True).fill(f"Wages {name}")
        row = f"Grace Achieng\tM-Pesa to a phone\t07{number % 10**8:08d}\t{number % 900 + 100}"
        page.get_by_role("textbox", name="Payments").fill(f"Empfänger {name}\tWeg\tKonto\tBetrag\n{row}")
        page.get_by_role("button", name="Check payments").click()
        for at, column in enumerate(("receiver", "channel", "account", "amount")):
            page.locator(f"[name=column-{column}]").select_option(str(at))
        with page.expect_navigation():
            page.get_by_role("button", name="Check payments").first.click()
        page = window.go("/{b}/payouts/new/")
    follow(page, 'a[href*="/new/columns/"]')
