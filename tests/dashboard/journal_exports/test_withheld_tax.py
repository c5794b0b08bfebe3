"""Withheld tax in the accountant's books: owed from the payment of the bill until it is remitted, by account and side."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from dashboard.journal_exports.models import JournalExport, Mapping
from dashboard.mirror.schedule import today
from tests.dashboard.accounting.test_periods import page
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.journal_exports import readers
from tests.dashboard.journal_exports.readers import Line
from tests.dashboard.journal_exports.test_exports import ALL, downloads, export, exported, item, read, trial
from tests.dashboard.taxes.test_deductions import deducted

PACKAGES = ["quickbooks", "xero", "sage", "exact", "erpnext"]


def map_rest(world: World) -> None:
    """Every account that has no code yet is called by its number."""
    for row in trial(world):
        number = str(row["account_id"])
        named = {"code": number, "name": number}
        Mapping.objects.get_or_create(business=world.business, source="account", source_id=number, defaults=named)
    for tax in world.upstream("/taxes")["docs"]:
        named = {"code": tax["code"]}
        Mapping.objects.get_or_create(business=world.business, source="tax", source_id=tax["_id"], defaults=named)


def paid_bill_with_tax(world: World) -> dict[str, Any]:
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000_000)
    return deducted(world, 100_000)


def of_postings(world: World, kind: str, lines: list[Line]) -> dict[str, tuple[Decimal, Decimal]]:
    """What the accountant's software then has of the postings of a kind: debit and credit of each account, in the business's
    own books."""
    [row] = JournalExport.objects.filter(business=world.business).order_by("-created_at")[:1]
    service_lines = world.upstream(f"/accounting/journal-exports/{row.remote_id}/lines", limit=5000)["docs"]
    journals = {str(line["ledger_transaction_id"]) for line in service_lines if line["type"] == kind}
    own = [line for line in lines if re.sub(r"\D*(\d+).*", r"\1", line.journal) in journals]
    return {account: totals for (account, _), totals in readers.check(own).items()}


def test_withheld_tax_is_a_credit_of_what_is_owed_until_it_is_remitted(world: World) -> None:
    """Dr expense, Cr bank, Cr tax owed; on remittance Dr tax owed, Cr the bank of the wallet that it was withheld from."""
    tax = paid_bill_with_tax(world)
    map_rest(world)
    kinds = {row["kind"]: str(row["account_id"]) for row in trial(world) if row["currency"] == "KES"}
    wallet = str(
        next(row["ledger_account_id"] for row in world.upstream("/accounts")["docs"] if row["org_wallet_ref"] == "1")
    )
    owed, across = kinds["WHT_PAYABLE"], kinds["MOBILE_FLOAT"]
    exported(world, ALL)
    row = JournalExport.objects.get(business=world.business)
    files = downloads(world, row)
    nothing, whole, net, withheld = (Decimal(units) for units in (0, 100_000, 95_000, 5_000))
    for form in PACKAGES:
        assert of_postings(world, "BILL_PAYMENT", read(form, files)) == {
            across: (whole, nothing), wallet: (nothing, net), owed: (nothing, withheld),
        }, form  # fmt: skip
    # What a person reads has the ledger's accounts and sides: there the wallet lost it all, and the tax was set aside.
    for form in ("csv", "xlsx"):
        assert of_postings(world, "BILL_PAYMENT", read(form, files)) == {
            across: (net, nothing), wallet: (nothing, whole), owed: (withheld, nothing),
        }, form  # fmt: skip

    over = {"remitted_on": today(world.business).isoformat(),
            "transactions": [{"tax_transaction_id": tax["_id"], "certificate_no": "KRAWHT1"}]}  # fmt: skip
    ask(world, "Ada", "POST", "/taxes/remittances", over)
    map_rest(world)
    row = exported(world, ALL, key="form-2")
    files = downloads(world, row)
    for form in PACKAGES:
        assert of_postings(world, "TAX_REMITTANCE", read(form, files)) == {
            owed: (withheld, nothing), wallet: (nothing, withheld),
        }, form  # fmt: skip
    manifest = json.loads(item(world, row, "manifest/").content)
    moved = {
        str(account["account"]): (account["code"], account["debit"], account["credit"])
        for account in manifest["accounts"]
    }
    bank = kinds["BANK_FLOAT"]
    assert (moved[owed], moved[bank]) == ((wallet, "5000.00", "0.00"), (owed, "0.00", "5000.00"))


def test_a_wallet_that_a_remittance_is_paid_from_must_be_mapped(world: World) -> None:
    """Although the ledger moves nothing on it."""
    tax = paid_bill_with_tax(world)
    map_rest(world)
    exported(world, ["csv"])
    over = {"remitted_on": today(world.business).isoformat(),
            "transactions": [{"tax_transaction_id": tax["_id"], "certificate_no": "KRAWHT1"}]}  # fmt: skip
    ask(world, "Ada", "POST", "/taxes/remittances", over)
    map_rest(world)
    wallet = next(row for row in world.upstream("/accounts")["docs"] if row["org_wallet_ref"] == "1")
    Mapping.objects.filter(
        business=world.business, source="account", source_id=str(wallet["ledger_account_id"])
    ).delete()
    refused = export(world, ["xero"], key="form-2")
    assert refused.status_code in {409, 422}
    assert wallet["name"] in page(refused)
    assert not JournalExport.objects.filter(business=world.business, key="form-2").exclude(manifest="").exists()
