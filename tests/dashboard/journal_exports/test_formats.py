"""Every format of an export holds the same lines: balanced, signed for, with the business's own accounts, codes and tags."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.dom import minidom

from dashboard.audit.models import AuditEntry
from dashboard.journal_exports.formats.registry import chosen
from dashboard.journal_exports.journal import JournalLine, journal_digest
from dashboard.journal_exports.mapped_lines import MappedCode, Mappings
from dashboard.journal_exports.models import Mapping
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin
from dashboard.signing.signature import is_signed
from tests.dashboard.accounting.test_periods import page, spend
from tests.dashboard.accounting.test_reports import report
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.journal_exports import readers
from tests.dashboard.journal_exports.test_exports import (
    ALL,
    ROOM,
    downloads,
    exported,
    item,
    map_all,
    read,
    rows_of,
    trial,
)


def test_every_format_is_balanced_and_equals_the_trial_balance(world: World) -> None:
    spend(world, 3)
    map_all(world)
    row = exported(world, ALL)
    files = downloads(world, row)
    # What a wallet gained is the ledger's credit and the debit of the business's own books.
    expected = {
        (str(account["account_id"]), account["currency"]): (
            Decimal(str(account["credit"])),
            Decimal(str(account["debit"])),
        )
        for account in trial(world)
        if account["credit_minor"] or account["debit_minor"]
    }
    for form in ALL:
        lines = read(form, files)
        assert len(lines) == rows_of(row, form), form
        assert readers.check(lines) == expected, form


def test_the_manifest_is_signed_and_tells_rows_totals_and_hashes(world: World, tmp_path: Path) -> None:
    spend(world)
    row = exported(world, ["csv", "xlsx"])
    text, signature, key = (item(world, row, part).content for part in ("manifest/", "signature/", "key/"))
    manifest = json.loads(text)
    assert manifest["export"]["lines"] == row.line_count
    assert {file["name"]: file["sha256"] for file in manifest["files"]} == {
        name: hashlib.sha256(content).hexdigest() for name, content in downloads(world, row).items()
    }
    moved = {account["account_id"]: account for account in trial(world)}
    for account in manifest["accounts"]:
        assert Decimal(account["debit"]) == Decimal(str(moved[account["account"]]["debit"]))
        assert Decimal(account["credit"]) == Decimal(str(moved[account["account"]]["credit"]))
    assert all(total["debit"] == total["credit"] for total in manifest["currencies"])
    assert is_signed(key.decode(), text, signature)
    assert not is_signed(key.decode(), text.replace(b'"lines"', b'"rows"', 1), signature)
    # As the page says that it is done.
    for name, content in (("m", text), ("s", signature), ("k", key)):
        (tmp_path / name).write_bytes(content)
    command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "k", "-rawin", "-in", "m", "-sigfile", "s"]
    assert subprocess.run(command, cwd=tmp_path, check=False, capture_output=True).returncode == 0
    noted = AuditEntry.objects.filter(chain=world.business.pk, operation="create_journal_export")
    assert any(hashlib.sha256(text).hexdigest() in str(entry.after) for entry in noted)


def test_the_manifest_has_the_codes_that_the_files_have(world: World) -> None:
    """Where a category is mapped, its lines stand on its account: in the files and in the signed totals alike."""
    spend(world)
    map_all(world)
    filed = world.upstream("/categories")["docs"][0]["subcategories"][0]
    for spent in world.upstream("/expenses?limit=50")["docs"]:
        world.send("POST", f"/expenses/changeSubCategory/{spent['_id']}", {"subcategory_id": filed["_id"]})
    Mapping.objects.create(business=world.business, source="category", source_id=filed["_id"], code="6100", name="Fuel")
    row = exported(world, ["csv"])
    [content] = downloads(world, row).values()
    written: dict[tuple[str, str], Decimal] = {}
    for line in readers.dictionaries(content):
        if line["Line"].isdigit():
            place = line["Ledger account"], line["Accountant's code"]
            written[place] = written.get(place, Decimal(0)) + Decimal(line["Debit"] or 0) + Decimal(line["Credit"] or 0)
    manifest = json.loads(item(world, row, "manifest/").content)
    assert {
        (str(total["account"]), total["code"]): Decimal(total["debit"]) + Decimal(total["credit"])
        for total in manifest["accounts"]
    } == written
    assert "6100" in {code for _, code in written}


def test_the_audit_file_holds_all_of_the_period(world: World) -> None:
    spend(world, 2)
    upsert("vendor", world.business, [upstream.vendor(world, "Paper & Sons")], Origin.POLL)
    exported(world, ["csv"])
    document = minidom.parseString(report(world, "audit_file", "xml"))

    def text(element: Any, name: str) -> str:
        child = element.getElementsByTagName(name)
        return str(child[0].firstChild.data) if child and child[0].firstChild else ""

    moved: dict[str, list[Decimal]] = {}
    for posting in document.getElementsByTagName("Transaction"):
        total: dict[str, Decimal] = {}
        for line in posting.getElementsByTagName("Line"):
            debit, credit = (Decimal(text(line, f"{side}Amount") or 0) for side in ("Debit", "Credit"))
            currency = text(line, "CurrencyCode")
            total[currency] = total.get(currency, Decimal(0)) + debit - credit
            sides = moved.setdefault(text(line, "AccountID"), [Decimal(0), Decimal(0)])
            sides[0] += debit
            sides[1] += credit
        assert not any(total.values())
    for account in trial(world):
        [element] = [each for each in document.getElementsByTagName("Account")
                     if text(each, "AccountID") == str(account["account_id"])]  # fmt: skip
        opening, closing = (
            Decimal(text(element, f"{name}CreditBalance") or 0) - Decimal(text(element, f"{name}DebitBalance") or 0)
            for name in ("Opening", "Closing")
        )
        debit, credit = moved.get(str(account["account_id"]), [Decimal(0), Decimal(0)])
        assert (debit, credit) == (Decimal(str(account["debit"])), Decimal(str(account["credit"])))
        assert opening + credit - debit == closing == Decimal(str(account["closing"]))
    vendors = world.upstream("/vendors", limit=200)["docs"]
    suppliers = document.getElementsByTagName("Supplier")
    assert {(text(each, "SupplierID"), text(each, "CompanyName")) for each in suppliers} == {
        (vendor["_id"], vendor["name"]) for vendor in vendors
    }
    rates = {
        (text(each, "TaxCode"), text(each, "TaxPercentage"), text(each, "EffectiveDate"))
        for each in document.getElementsByTagName("TaxTableEntry")
    }
    taxes = world.upstream("/taxes", limit=200)["docs"]
    assert rates == {
        (tax["code"], f"{Decimal(version['resident_rate_bps']) / 100:f}", version["effective_from"] or "")
        for tax in taxes
        for version in tax["versions"]
    }
    assert rates


def test_tags_are_a_dimension_of_every_format_that_has_one() -> None:
    line = JournalLine(
        number=1, effective_on=date(2026, 10, 1), posted_at=datetime(2026, 10, 1, tzinfo=UTC), posting_id=7, kind="EXPENSE",
        ref="r", description="Paper", account_id=3, seq=1, account_kind="WALLET", account_name="Main", currency="KES",
        amount_minor=-500, category_id="", team_id="team", tax_id="", tag_ids=("t2", "t1", "t3"),
    )  # fmt: skip
    targets = {
        ("account", "3"): MappedCode("1110", "Cash"), ("tag", "t1"): MappedCode("P-9"), ("tag", "t2"): MappedCode("P-1"),
        ("team", "team"): MappedCode("OPS"),
    }  # fmt: skip
    mapped = Mappings(targets).map(line)
    assert mapped.tags == ("P-1", "P-9")
    assert Mappings.from_json(Mappings(targets).as_json()).map(line) == mapped
    texts = {
        form.name: b"".join(file.content for file in form.write([mapped], "j", "Acme")).decode("utf-8", "ignore")
        for form in chosen(ALL)
    }
    assert "P-1, P-9" in texts["csv"]
    assert '"Tag","P-1"' in texts["xero"]
    assert '"OPS","P-1"' in texts["quickbooks"]
    assert 'Costunit code="P-1"' in texts["exact"]
    assert '"OPS","P-1",' in texts["erpnext"]
    assert '"OPS",' in texts["sage"]
    assert "P-1" not in texts["sage"]
    without_team = Mappings({key: target for key, target in targets.items() if key[0] != "team"}).map(line)
    sage = next(form for form in chosen(ALL) if form.name == "sage").write([without_team], "j", "Acme")
    # A tag is no department: whoever reads the file could not tell which of the two a code is.
    assert b"P-1" not in sage[0].content
    other = replace(line, tag_ids=())
    assert journal_digest([other]) != journal_digest([line])


def test_tags_are_mapped_on_a_page_of_their_own(world: World) -> None:
    made = world.send("POST", "/expenses/tags", {"name": "Trip"})
    address = world.address(f"{ROOM}mapping/tag/")
    assert "Trip" in page(world.client("Ada").get(address))
    assert world.client("Ada").post(address, {f"code-{made['_id']}": "P-1"}).status_code == 302
    assert Mapping.objects.get(business=world.business, source="tag").code == "P-1"


def test_the_parts_of_a_split_transaction_stand_on_their_own_accounts_under_one_number(world: World) -> None:
    [expense] = spend(world, 1)
    rows = world.upstream("/transactions", limit=1000)["docs"]
    moved = next(row for row in rows if row["expense_id"] == expense["_id"])
    first, second = [row["_id"] for row in world.upstream("/categories", limit=1)["docs"][0]["subcategories"]][:2]
    whole = moved["amount_minor"] + moved["fees_minor"]
    parts = [
        {"subcategory_id": first, "amount": str(Decimal(1).scaleb(-2))},
        {"subcategory_id": second, "amount": str(Decimal(moved["amount_minor"] - 1).scaleb(-2))},
    ]
    world.send("PUT", f"/transactions/{moved['_id']}/parts", {"version": moved["version"], "parts": parts})
    map_all(world)
    mapped = world.client("Ada").post(
        world.address(f"{ROOM}mapping/category/"),
        {f"code-{first}": "6100", f"name-{first}": "Rooms", f"code-{second}": "6200", f"name-{second}": "Meals"},
    )
    assert mapped.status_code == 302, page(mapped)
    row = exported(world, ["csv", "xlsx", "quickbooks"])
    files = downloads(world, row)
    [content] = [content for name, content in files.items() if name.endswith(".csv") and "quickbooks" not in name]
    lines = [line for line in readers.dictionaries(content) if line["Line"].isdigit()]
    shares = [line for line in lines if line["Accountant's code"] in {"6100", "6200"}]
    assert len({line["Line"] for line in shares}) == 1
    amounts = {line["Accountant's code"]: Decimal(line["Credit"] or line["Debit"]) for line in shares}
    assert amounts == {
        "6100": Decimal(1 + moved["fees_minor"]).scaleb(-2), "6200": Decimal(moved["amount_minor"] - 1).scaleb(-2)
    }  # fmt: skip
    assert sum(amounts.values()) == Decimal(whole).scaleb(-2)
    assert len(lines) == row.line_count + 1
    for form in ("csv", "xlsx", "quickbooks"):
        assert {sum((line.amount for line in read(form, files)), Decimal(0))} == {Decimal(0)}, form
