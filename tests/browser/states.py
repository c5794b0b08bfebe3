"""Pages that are there only after something was done, and what they ask while it goes on: each act ends on such a page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit
from uuid import uuid4

from playwright.sync_api import Page

from tests.browser import item_states
from tests.browser.desk import Desk
from tests.browser.office import Office, spend_clean
from tests.browser.test_customers import file_of
from tests.browser.test_offboarding import give_work, hire, open_plan
from tests.browser.test_people import continue_as_oneself
from tests.browser.test_policy_override import without_receipt
from tests.browser.test_reconciliation import WALLET, check, statement, topped_up
from tests.days import business_day

# A job may be over before its page is drawn: then it is begun once more.
TRIES = 6
# What the templates write where something asks for itself (dashboard/web/templatetags/swap_tags.py).
POLLS = """
(elt, address) => {
  const attributes = { "hx-get": address, "hx-trigger": "every 2s", "hx-swap": "outerHTML", "data-polls": "" };
  for (const [name, value] of Object.entries(attributes)) elt.setAttribute(name, value);
  window.htmx.process(elt);
}
"""


def submit(page: Page, which: str) -> None:
    """Sends the first form that fits, as its own button would."""
    with page.expect_navigation():
        page.locator(which).first.evaluate(
            "form => form.requestSubmit(form.querySelector('button:not([type=button])'))"
        )


def ask_by_itself(page: Page, what: str, address: str) -> None:
    """Lets a part of the page that is open ask for itself as it does while a long job is on its way: no list and no journal of
    the tests' house is long enough to be left to a worker."""
    page.locator(what).evaluate(POLLS, urljoin(urlsplit(page.url).path, address))


def await_months(window: Desk) -> None:
    """The months of the demo are being added: the tests' house has them all, so Home asks as if some were missing."""
    page = window.go("/{b}/")
    page.locator("main .body").evaluate(
        """body => body.insertAdjacentHTML("afterbegin", '<div id="demo" role="status"></div>')"""
    )
    ask_by_itself(page, "#demo", "home/demo/")


def export_a_list(window: Desk) -> None:
    """A list's rows were exported: so few come at once, as a file; the page of exports asks as if one were being written."""
    page = window.open("/{b}/expenses/")
    with page.expect_download():
        page.get_by_role("button", name="Export CSV").click()
    window.open("/{b}/exports/")
    page.get_by_role("region", name="Your exports").wait_for()
    ask_by_itself(page, "#rows-of-exports", "rows/")


def export_receipts(window: Desk) -> None:
    """All receipts of a period are packed."""
    page = window.go("/{b}/expenses/receipts/")
    submit(page, 'main form[action$="/receipts/"]')


def replay_a_policy(window: Desk) -> None:
    """A change of a policy is run over what was spent."""
    page = window.go("/{b}/policies/new/CHANNEL/")
    page.get_by_label("Channel").select_option("RECURRING")
    page.get_by_label("Limit", exact=False).first.fill("5000")
    page.get_by_label("Flag").check()
    page.get_by_label("Name", exact=False).last.fill(f"Fuel {uuid4().hex[:6]}")
    page.get_by_role("button", name="Review change").click()
    page.get_by_role("button", name="Run replay").click()
    page.wait_for_url("**/replays/*/")


def pack_evidence(window: Desk) -> None:
    """Evidence of a quarter is packed."""
    page = window.go("/{b}/audit/packs/")
    page.get_by_label("Start date").fill(business_day().replace(day=1).isoformat())
    page.get_by_label("End date").fill(business_day().isoformat())
    page.get_by_role("button", name="Make pack").click()
    page.wait_for_url("**/packs/*/")


def check_an_import(window: Desk) -> Page:
    """A file of customers is checked, and not added yet."""
    page = window.go("/{b}/customers/import/")
    page.locator("input[type=file]").set_input_files(file_of(str(time.time_ns() % 10**8).zfill(8), {}))
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Add all").wait_for()
    return page


def import_customers(window: Desk) -> None:
    """A file of customers is being added."""
    page = check_an_import(window)
    with page.expect_navigation():
        page.get_by_role("button", name="Add all").click()


def plan_in_bulk(window: Desk) -> Page:
    """The deletion of customers is planned."""
    page = window.go("/{b}/customers/")
    page.locator('#rows-of-list [name="ids"]').last.check()
    page.get_by_role("button", name="Review bulk delete").click()
    page.wait_for_url("**/bulk/*/")
    return page


def delete_in_bulk(window: Desk) -> None:
    """A customer is being deleted."""
    page = plan_in_bulk(window)
    with page.expect_navigation():
        page.get_by_role("button", name="Delete ").click()


def approve_one(window: Desk) -> None:
    """A decision waits for its undo, on the desk."""
    [expense] = spend_clean(Office(window.demo), f"Kiosk {uuid4().hex[:6]}", 1)
    # Opened before the copy has its receipt, it would have changed by the time it is approved, which is refused.
    page = window.open_with(f"/{{b}}/approvals/expense/{expense}/", "#pane:has([data-receipt]) form[data-choice=a]")
    page.locator("#pane").get_by_role("button", name="Approve", exact=True).click()
    undo = page.locator("#toasts [data-due]").first
    # Its time would be over long before every fault was played.
    undo.evaluate("undo => { undo.dataset.due = String(Date.now() + 3600_000); }")


def read_a_receipt(window: Desk) -> None:
    """A receipt is being read beside the decision: it is known by the time the page is there, and is asked for once more."""
    page = item_states.doubt_a_receipt(window)
    address = str(page.locator("#pane [data-viewer] a[data-receipt]").first.get_attribute("href"))
    ask_by_itself(page, "#pane [data-viewer]", address)


def list_decisions(window: Desk) -> None:
    """A decision waits for its undo, on the list of decisions."""
    approve_one(window)
    window.go("/{b}/decisions/")


def plan_several(window: Desk) -> Page:
    """The approval of several expenses is planned."""
    merchant = f"Kiosk {uuid4().hex[:6]}"
    spend_clean(Office(window.demo), merchant, 2)
    page = window.open_with(f"/{{b}}/approvals/?kind=expense&q={quote(merchant)}", "#rows tr:nth-child(2)")
    for at in range(2):
        page.locator("#rows [name=ids]").nth(at).check()
    page.locator('.bulk button[value="approve"]').click()
    page.wait_for_url("**/plan/**")
    return page


def approve_several(window: Desk) -> None:
    """Several decisions wait for their undo."""
    page = plan_several(window)
    page.get_by_role("button", name="Approve").first.click()
    page.wait_for_url("**/several/**")


def watch_a_payout(window: Desk) -> None:
    """A payout of the demo that is approved, and not over."""
    rows = Office(window.demo).ask("", "GET", "/payments?limit=100")["docs"]
    moving = next(row["_id"] for row in rows if row["status"] in {"APPROVED", "PROCESSING", "ON_HOLD"})
    window.open_with(f"/{{b}}/payouts/{moving}/", "#progress")


def block_an_approval(window: Desk) -> None:
    """A policy blocks the approval of an expense without a receipt."""
    window.open_with(f"/{{b}}/approvals/expense/{without_receipt(window.demo)}/", ".blocked")


def check_a_statement(window: Desk) -> Page:
    """A bank's statement is checked, and not imported yet."""
    office = Office(window.demo)
    entry = topped_up(office, 1_000_000_00 + uuid4().int % 10**6)
    line = [(f"Deposit {uuid4().hex[:6]}", entry["amount_minor"])]
    [account] = [row for row in office.ask("", "GET", "/accounts")["docs"] if row["org_wallet_ref"] == WALLET]
    page = window.open_with("/{b}/reconciliation/", f'option[value="{account["_id"]}"]')
    check(page, account["_id"], statement(office, entry["effective_on"], entry["currency"], line))
    page.get_by_role("button", name="Import ").wait_for()
    return page


def reconcile(window: Desk) -> None:
    """Lines of a statement wait to be matched."""
    page = check_a_statement(window)
    page.get_by_role("button", name="Import ").click()
    page.get_by_text("new line").first.wait_for()


def offboard(window: Desk) -> None:
    """Somebody who has just been hired is offboarded, with what they leave to a successor."""
    name = f"Leaver {uuid4().hex[:6].upper()}"
    employee = hire(window, name)
    give_work(Office(window.demo), employee)
    page = open_plan(window, employee)
    page.get_by_role("combobox", name="Main successor").select_option(label="Zawadi Njeri · Approver")
    page.get_by_role("button", name="Suspend and offboard").press("Enter")
    continue_as_oneself(window, page, f"The offboarding of {name} has started.")


def export_a_journal(window: Desk) -> None:
    """The journal of a period was exported, now or before, and its page asks as that of a longer one does."""
    made = window.go("/{b}/journal-exports/").locator("main tbody a")
    if made.count():
        window.go(str(made.first.get_attribute("href")))
    else:
        export_what_is_left(window)
    ask_by_itself(window.page, "#result", "progress/")


def export_what_is_left(window: Desk) -> None:
    """Exports the oldest period that has lines left: the latest is that of the story of exports."""
    page = window.go("/{b}/journal-exports/new/")
    for period in range(page.get_by_label("Period").locator("option").count() - 1, 1, -1):
        page = window.go("/{b}/journal-exports/new/")
        page.get_by_label("Period").select_option(index=period)
        page.get_by_label("CSV", exact=True).check()
        page.get_by_role("button", name="Preview export").press("Enter")
        # Where everything of a period is exported already, no more than its heading stands there.
        page.locator("#preview").wait_for()
        export = page.get_by_role("button", name=re.compile(r"^Export [\d,]+ line"))
        if export.count():
            with page.expect_navigation():
                export.click()
            return
    raise AssertionError("no period has lines left")


@dataclass(frozen=True)
class State:
    """Who brings it about and how, and what must be asked there."""

    who: str
    act: Callable[[Desk], object]
    views: frozenset[str]


STATES = {
    "months": State("ada", await_months, frozenset({"home_demo"})),
    "exports": State("ada", export_a_list, frozenset({"exports_rows"})),
    "receipts": State("ada", export_receipts, frozenset({"expenses_receipts_rows"})),
    "replay": State("ada", replay_a_policy, frozenset({"policies_replay_progress"})),
    "evidence": State("ada", pack_evidence, frozenset({"audit_pack_progress"})),
    "checked import": State("ada", check_an_import, frozenset()),
    "import": State("ada", import_customers, frozenset({"customers_import_progress"})),
    "bulk plan": State("ada", plan_in_bulk, frozenset()),
    "bulk run": State("ada", delete_in_bulk, frozenset({"bulk_progress"})),
    "undo": State("apollo", approve_one, frozenset({"decisions_undo", "decisions_toast"})),
    "decisions": State("apollo", list_decisions, frozenset({"decisions_rows"})),
    "several plan": State("apollo", plan_several, frozenset()),
    "several": State("apollo", approve_several, frozenset({"approvals_several_rows"})),
    "payout": State("ada", watch_a_payout, frozenset({"payouts_progress"})),
    "statement checked": State("ada", check_a_statement, frozenset()),
    "journal export": State("ada", export_a_journal, frozenset({"journal-exports_progress"})),
    "reconciliation": State("ada", reconcile, frozenset({"reconciliation_select"})),
    "offboarding": State("sam", offboard, frozenset({"people_offboarding_progress"})),
    "blocked": State("apollo", block_an_approval, frozenset({"approvals_approve_expense override"})),
    "tags": State("apollo", item_states.correct_tags, frozenset({"approvals_expense_tags"})),
    "flag": State("apollo", item_states.doubt_a_receipt, frozenset({"conversation_dismiss"})),
    "receipt": State("apollo", read_a_receipt, frozenset({"documents_receipt"})),
    "conversation": State("ada", item_states.open_conversation, frozenset({"conversation_say"})),
    "comment": State("ada", item_states.edit_comment, frozenset()),
    "bill workflow": State("ada", item_states.edit_bill_workflow, frozenset({"workflows_sentences"})),
    "bill workflow's end": State("ada", item_states.delete_bill_workflow, frozenset()),
    "workflow's version": State("ada", item_states.restore_workflow, frozenset()),
    "policy's version": State("ada", item_states.restore_policy, frozenset()),
    "recurring bill": State("ada", item_states.add_recurring_bill, frozenset()),
    "contact": State("ada", item_states.edit_contact, frozenset()),
    "merge": State("ada", item_states.merge_vendors, frozenset()),
    "lines left": State("ada", item_states.list_lines_left, frozenset()),
    "corrections": State("ada", item_states.list_corrections, frozenset()),
    "access review": State("ada", item_states.review_access, frozenset()),
    "bulk funds": State("apollo", item_states.allocate_to_several, frozenset()),
    "columns": State("ada", item_states.remember_columns, frozenset()),
}
