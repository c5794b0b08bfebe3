"""Which of the dashboard's addresses answer with a page, and who opens it in the walk over every control.

The table of addresses (tests/dashboard/data/addresses.csv) is the source, so that a page cannot be forgotten: each GET of it is
opened, or stands here with the reason why it is not. tests/dashboard/web/test_every_page_is_walked.py holds the two together.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

TABLE = Path(__file__).parents[1] / "dashboard" / "data" / "addresses.csv"
BUSINESS = "/<slug:business>/"
# Who of the demo has a role's column in the table; the first who may open a page opens it.
WALKERS = {"Ada": "ada", "Apollo": "apollo", "Sam": "selma", "Carla": "carla"}
# A page of the first who may read it leads to less than that of who may change what is on it.
FALLS_TO = {f"{BUSINESS}mandates/": "selma", f"{BUSINESS}people/<remote:remote_id>/top-ups/": "apollo"}
# A page, a page once its item is there, or a way to another page.
OPENS = {"200", "302", "404"}
# Why an address is not opened by itself, by what it looks like.
NO_PAGE = {
    r"/(totals|rows|progress|twins|terms|count|toast|news|tags|suggestions)/$": "a part of a page, which the page asks for",
    r"^/<slug:business>/home/|/conversation/.*/people/$|/expense/<remote:remote_id>/category/$": "a part of a page, too",
    r"/(file|original|manifest|signature|key|sheet|pdf|bank-file|statement|export)/$|/audit-file/|/audit/evidence/": "a file to download",
    r"\.(pdf|zip|json|pem|js|webmanifest)$|/files?/<remote:file_id>/$|/receipt/<remote:receipt_id>/$": "a file to download",
    r"/files/<(number:file_id|uuid:attachment_id)>/$|/page/<number:page_number>/$": "a file, or a picture of its page",
    r"/documents/<remote:file_id>/$|^/<slug:business>/documents/": "the viewer of a document, a part of its item's page",
    r"^/-/(scim|account|sign-on|kept|session|alive|submissions|pulse|bell)/": "sign-in, probes and machines: no business's",
    r"^/$|^/<slug:business>/submissions/": "leads on, or answers a script",
}  # fmt: skip

# Pages of what has to be made first: by which act of tests/browser/states.py, or in which story they are opened.
AFTER_AN_ACT = {
    f"{BUSINESS}{address}": how
    for address, how in {
        "approvals/plan/<uuid:plan_id>/": "several plan",
        "approvals/several/<uuid:bulk_id>/": "several",
        "approvals/access-change/<number:proposal_id>/": "test_access_changes.py",
        "approvals/fund-opt-in/<remote:remote_id>/": "test_mixed_queue.py",
        "customers/import/<uuid:import_id>/": "import",
        "transactions/<remote:remote_id>/documents/<remote:file_id>/remove/": "test_transactions.py",
        "journal-exports/<uuid:export_id>/": "journal export",
        "reconciliation/files/<uuid:draft_id>/": "statement checked",
        "category-rules/<number:rule_id>/": "test_uncategorised.py",
        "category-rules/<number:rule_id>/edit/": "test_uncategorised.py",
        "bills/runs/<uuid:batch_id>/wallets/": "test_payment_runs.py",
        "people/offboarding/<uuid:offboarding_id>/": "offboarding",
        "wallet-policies/proposals/<number:proposal_id>/": "test_mandates.py",
        "policies/replays/<uuid:replay_id>/": "replay",
        "audit/packs/<uuid:pack_id>/": "evidence",
        "bulk/<uuid:batch_id>/": "bulk run",
        "conversation/<word:kind>/<remote:remote_id>/": "conversation",
        "conversation/comments/<uuid:comment_id>/": "comment",
        "policies/workflows/bills/<remote:workflow_id>/edit/": "bill workflow",
        "policies/workflows/bills/<remote:workflow_id>/delete/": "bill workflow's end",
        "policies/workflows/<remote:workflow_id>/restore/<number:version>/": "workflow's version",
        "policies/<remote:policy_id>/restore/<number:version>/": "policy's version",
        "bills/recurring/<remote:schedule_id>/": "recurring bill",
        "vendors/<remote:remote_id>/contacts/<remote:contact_id>/": "contact",
        "vendors/<remote:remote_id>/merge/<remote:duplicate_id>/": "merge",
        "journal-exports/pending/<remote:period>/": "lines left",
        "journal-exports/pending/<remote:period>/corrections/": "corrections",
        "access-reviews/<number:review_id>/": "access review",
        "people/bulk-funds/<uuid:batch_id>/": "bulk funds",
        "payouts/new/columns/<number:columns_id>/": "columns",
    }.items()
}


def get_addresses() -> Iterator[tuple[str, dict[str, str]]]:
    """Each address that takes GET, and what every role is answered there."""
    with TABLE.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["method"] == "GET" and row["Ada"] != "405":
                yield row["address"], row


def reason_against(address: str) -> str:
    """Why an address is not opened as a page; "" where it is."""
    return next((why for looks, why in NO_PAGE.items() if re.search(looks, address)), "")


def pages() -> dict[str, str]:
    """The pages of a business: the address, with its converters, and who opens it."""
    found = {}
    for address, answers in get_addresses():
        first = next((person for column, person in WALKERS.items() if answers[column] in OPENS), "")
        who = next((person for start, person in FALLS_TO.items() if address.startswith(start)), first)
        if address.startswith(BUSINESS) and not reason_against(address):
            found[address] = who
    return found


def of_one(address: str) -> bool:
    """Whether an address names an item: it is not opened before a link leads to it."""
    return "<" in address.removeprefix(BUSINESS)
