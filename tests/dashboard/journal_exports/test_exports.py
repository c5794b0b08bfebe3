"""An export: previewed, claimed once, in every format equal to the trial balance, signed, and undone by two."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from html import unescape
from pathlib import Path
from typing import Any
from xml.dom import minidom

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.journal_exports.formats.registry import chosen
from dashboard.journal_exports.journal import JournalLine, journal_digest
from dashboard.journal_exports.mapped_lines import MappedCode, Mappings
from dashboard.journal_exports.models import JournalExport, Mapping
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin
from dashboard.mirror.schedule import today
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import Proposal, ProposalState
from dashboard.signing.signature import is_signed
from tests.dashboard.accounting.test_periods import now, page, spend
from tests.dashboard.accounting.test_reports import report
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.journal_exports import readers
from tests.dashboard.journal_exports.readers import Line
from tests.dashboard.treasury.test_exchange import proven

ALL = ["csv", "xlsx", "quickbooks", "xero", "sage", "exact", "erpnext"]
ROOM = "journal-exports/"


def trial(world: World) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = world.upstream(f"/accounting/periods/{now(world)}/trial-balance")["accounts"]
    return rows


def map_all(world: World) -> None:
    """Every account is called by its number; its name begins as a formula would."""
    form: dict[str, str] = {}
    for row in trial(world):
        form |= {
            f"code-{row['account_id']}": f"{row['account_id']}",
            f"name-{row['account_id']}": f"{row['account_id']}",
        }
    answer = world.client("Ada").post(world.address(f"{ROOM}mapping/account/"), form)
    assert answer.status_code == 302, page(answer)


def export(world: World, formats: list[str], by: str = "Ada", key: str = "form-1") -> Any:
    form = {"period": now(world), "formats": formats, "key": key}
    return world.client(by).post(world.address(f"{ROOM}new/"), form)


def exported(world: World, formats: list[str], key: str = "form-1") -> JournalExport:
    answer = export(world, formats, key=key)
    assert answer.status_code == 302, page(answer)
    return JournalExport.objects.get(business=world.business, key=key)


def item(world: World, row: JournalExport, rest: str = "") -> Any:
    return world.client("Ada").get(world.address(f"{ROOM}{row.pk}/{rest}"))


def downloads(world: World, row: JournalExport) -> dict[str, bytes]:
    """Every file, as its link gives it."""
    return {file.name: item(world, row, f"files/{file.pk}/").content for file in row.files.all()}


def read(form: str, files: dict[str, bytes]) -> list[Line]:
    """All lines of a format."""
    mark = {"csv": r"journal-[^.]*-\d+\.csv", "xlsx": r".*\.xlsx", "quickbooks": r".*-quickbooks.*", "xero": r".*-xero-.*",
            "sage": r".*-sage-.*", "exact": r".*-exact-online.*", "erpnext": r".*-erpnext.*"}[form]  # fmt: skip
    reader = getattr(readers, f"read_{form}")
    lines: list[Line] = []
    for name, content in files.items():
        if re.fullmatch(mark, name):
            currency = re.search(r"-(?:xero|sage)-([A-Z]{3})", name)
            lines += reader(content, currency.group(1)) if currency else reader(content)
    return lines


def rows_of(row: JournalExport, form: str) -> int:
    """How many rows the files of a format are said to have: one for each line, or for each part of a line in parts."""
    return sum(row.files.filter(format=form).values_list("row_count", flat=True))


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


def test_an_export_that_was_undone_is_not_continued(world: World) -> None:
    """From a page that was opened before."""
    spend(world)
    row = exported(world, ["csv"])
    row.files.all().delete()
    JournalExport.objects.filter(pk=row.pk).update(manifest="", undone_at=timezone.now())
    refused = world.client("Ada").post(world.address(f"{ROOM}{row.pk}/continue/"))
    assert refused.status_code == 409
    assert "was undone" in page(refused)
    # The service knows it, whatever our copy of it says.
    JournalExport.objects.filter(pk=row.pk).update(undone_at=None)
    bodies = {"proposed_by": world.employee("Ada")["employee_id"], "reason": "Wrong"}
    abel = {"X-Acting-Employee": world.employee("Abel")["employee_id"]}
    world.send("POST", f"/accounting/journal-exports/{row.remote_id}/undo", bodies, headers=abel)
    assert world.client("Ada").post(world.address(f"{ROOM}{row.pk}/continue/")).status_code == 409
    row.refresh_from_db()
    assert not row.manifest
    assert not row.files.exists()


def payments(count: int) -> list[JournalLine]:
    """A posting of so many payments, each off the wallet and into the float."""
    sides = [(3, "WALLET", -1), (9, "MOBILE_FLOAT", 1)]
    return [
        JournalLine(
            number=place * count + index + 1, effective_on=date(2026, 10, 1), posted_at=datetime(2026, 10, 1, tzinfo=UTC),
            posting_id=7, kind="PAYOUT", ref="r", description=f"Payee {index}", account_id=account, seq=index + 1,
            account_kind=kind, account_name="", currency="KES", amount_minor=sign * (500 + index % 3), category_id="",
            team_id="", tax_id="",
        )
        for place, (account, kind, sign) in enumerate(sides)
        for index in range(count)
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "most"), [("xero", 300), ("quickbooks", 1000)])
def test_a_posting_larger_than_a_file_becomes_journals_that_each_come_to_nothing(name: str, most: int) -> None:
    mappings = Mappings({("account", "3"): MappedCode("1110", "Cash"), ("account", "9"): MappedCode("1900", "Float")})
    lines = payments(most)
    files = chosen([name])[0].write([mappings.map(line) for line in lines], "j", "Acme")
    assert [file.row_count <= most for file in files] == [True] * len(files)
    assert sum(file.row_count for file in files) == len(lines)
    found = [row for file in files for row in read(name, {file.name.replace("j-", "journal-x-1-"): file.content})]
    assert len({row.journal for row in found}) > 1
    total = sum(Decimal(line.amount) for line in lines if line.amount > 0)
    cash, float_name = ("1110", "1900") if name == "xero" else ("Cash", "Float")
    assert readers.check(found) == {(cash, "KES"): (Decimal(0), total), (float_name, "KES"): (total, Decimal(0))}


def test_of_too_many_lines_the_first_are_exported_and_the_next_export_goes_on_within_the_day(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    spend(world)
    whole = exported(world, ["csv"], key="whole")
    lines = [(line.journal, line.account, line.amount) for line in read("csv", downloads(world, whole))]
    undo_all(world)
    monkeypatch.setattr("dashboard.pages.journal_exports.presenters.exports.MOST_EXPORTED_LINES", 2)
    monkeypatch.setattr("dashboard.commands.journal_exports.MOST_EXPORTED_LINES", 2)
    preview = f"{ROOM}new/?period={now(world)}&formats=csv"
    shown = page(world.client("Ada").get(world.address(preview)))
    assert "One export holds up to 2 lines." in shown
    assert "Export the first lines, up to 2" in shown
    slices: list[tuple[str, str, Decimal]] = []
    rows: list[JournalExport] = []
    for number in range(len(lines)):
        answer = export(world, ["csv"], key=f"slice-{number}")
        if answer.status_code == 422:
            break
        assert answer.status_code == 302, page(answer)
        row = JournalExport.objects.get(business=world.business, key=f"slice-{number}")
        rows.append(row)
        # All lines of a posting together, and no other posting's beside them.
        assert len({line.journal for line in read("csv", downloads(world, row))}) == 1 or row.line_count <= 2
        slices += [(line.journal, line.account, line.amount) for line in read("csv", downloads(world, row))]
    assert len(slices) > 2
    assert slices == lines
    # Each but the last says that it is none of the whole: on its page, in the list and in the signed manifest.
    is_partial = [True] * (len(rows) - 1) + [False]
    assert [json.loads(row.manifest)["export"]["is_partial"] for row in rows] == is_partial
    ada = world.client("Ada")
    pages = [page(ada.get(world.address(f"{ROOM}{row.pk}/"))) for row in rows]
    assert [
        "The first lines of these days; the next export continues from there." in each for each in pages
    ] == is_partial
    assert [", in part" in each for each in pages] == is_partial
    assert page(ada.get(world.address(ROOM))).count(", in part") == len(rows) - 1
    assert json.loads(whole.manifest)["export"]["is_partial"] is False
    # The audit names the days of the slice beside those that were asked for.
    noted = AuditEntry.objects.filter(chain=world.business.pk, operation="create_journal_export", outcome="NOTED")
    sentences = {str(row.number): noted.get(sentence__contains=f"export {row.number},").sentence for row in rows}
    for row, partial in zip(rows, is_partial, strict=True):
        asked = f"{row.first_day} to {row.last_day}"
        days = [line.day for line in read("csv", downloads(world, row))]
        slice_text = f", {min(days)} to {max(days)}, the first lines of {asked}"
        assert sentences[str(row.number)].endswith(slice_text if partial else f", {asked}")


def undo_all(world: World) -> None:
    """Undoes every export of the business, by two admins, at the service."""
    for row in world.upstream("/accounting/journal-exports")["docs"]:
        world.send(
            "POST", f"/accounting/journal-exports/{row['_id']}/undo",
            {"proposed_by": world.employee("Ada")["employee_id"], "reason": "Sliced"},
            headers={"X-Acting-Employee": world.employee("Abel")["employee_id"]},
        )  # fmt: skip
    JournalExport.objects.filter(business=world.business).update(undone_at=timezone.now())


def test_up_to_a_day_is_exported(world: World) -> None:
    spend(world)
    days = {"from": f"{now(world)}-01", "to": str(today(world.business))}
    all_lines = world.upstream("/accounting/journal-exports/pending", **days)["line_count"]
    assert all_lines
    form = {"period": now(world), "formats": ["csv"], "key": "part"}
    map_all(world)
    for other in ("2020-01-01", "2999-12-31"):
        outside = world.client("Ada").post(world.address(f"{ROOM}new/"), {**form, "until": other})
        assert outside.status_code == 422
        assert "Choose a day of the period." in page(outside)
    yesterday = today(world.business) - timedelta(days=1)
    if str(yesterday) >= days["from"]:
        # Nothing was posted before today: of those days there is nothing.
        nothing = world.client("Ada").post(world.address(f"{ROOM}new/"), {**form, "until": str(yesterday)})
        assert nothing.status_code == 422
        assert "Everything of these days is exported already." in page(nothing)
        assert not JournalExport.objects.filter(business=world.business).exists()
    until = {"until": days["to"]}
    lines = f"{ROOM}pending/{now(world)}/?until={until['until']}"
    shown = world.client("Ada").get(world.address(f"{ROOM}new/"), {**form, **until})
    assert f'{world.address(lines)}"' in shown.content.decode()
    # What is categorised after an export of an open period is not in it: the page says so before.
    assert "open: what is categorised or tagged there after this export is corrected by the next one" in page(shown)
    assert str(today(world.business).day) in page(world.client("Ada").get(world.address(lines)))
    answer = world.client("Ada").post(world.address(f"{ROOM}new/"), {**form, **until})
    assert answer.status_code == 302, page(answer)
    row = JournalExport.objects.get(business=world.business)
    assert (str(row.first_day), row.last_day, row.line_count) == (f"{now(world)}-01", today(world.business), all_lines)


def test_each_line_is_exported_once_and_stays_as_it_was(world: World) -> None:
    spend(world)
    first = exported(world, ["csv"])
    before = downloads(world, first)
    assert "exported already" in page(export(world, ["csv"], key="form-2"))
    spend(world, 1)
    Mapping.objects.create(
        business=world.business, source="account", source_id=str(trial(world)[0]["account_id"]), code="X"
    )
    second = exported(world, ["csv"], key="form-3")
    postings = [{line.journal for line in read("csv", downloads(world, row))} for row in (first, second)]
    assert not postings[0] & postings[1]
    assert downloads(world, first) == before
    assert first.line_count + second.line_count == len(_ledger(world))


def _ledger(world: World) -> list[str]:
    text = report(world, "general_ledger").decode("utf-8-sig")
    return [row[0] for row in csv.reader(io.StringIO(text)) if row and re.match(r"\d{4}-", row[0])]


def test_an_account_without_a_mapping_is_told_and_nothing_is_exported(world: World) -> None:
    spend(world)
    map_all(world)
    account = trial(world)[0]["account_id"]
    Mapping.objects.filter(business=world.business, source_id=str(account)).delete()
    shown = world.client("Ada").get(world.address(f"{ROOM}new/?period={now(world)}&formats=xero")).content.decode()
    assert "1 mapping missing" in shown
    assert f"mapping/account/#row-{account}" in shown
    assert "Export " not in re.findall(r"<button[^>]*>([^<]*)", shown)[-1]
    refused = export(world, ["xero"])
    assert refused.status_code == 422
    assert not JournalExport.objects.filter(business=world.business).exists()
    assert world.upstream("/accounting/journal-exports")["total"] == 0
    assert export(world, ["csv"]).status_code == 302


def test_a_lost_answer_is_unknown_and_is_asked_again_under_its_key(proxied_world: World) -> None:
    world = proxied_world
    spend(world)
    world.proxy.fail("lost reply", method="POST", path="/accounting/journal-exports")
    lost = export(world, ["csv"])
    assert lost.status_code >= 400
    row = JournalExport.objects.get(business=world.business)
    assert not row.remote_id
    shown = page(lost)
    assert "It is not known" in shown
    assert "Nothing was changed" not in shown
    assert "Not known" in page(world.client("Ada").get(world.address(ROOM)))
    world.proxy.heal()
    assert world.client("Ada").post(world.address(f"{ROOM}{row.pk}/continue/")).status_code == 302
    row.refresh_from_db()
    assert row.manifest
    assert world.upstream("/accounting/journal-exports")["total"] == 1
    # The form that lost its answer, sent again, is that export, too.
    assert export(world, ["csv"]).status_code == 302
    assert world.upstream("/accounting/journal-exports")["total"] == 1


def test_an_export_that_found_nothing_to_claim_is_none(world: World) -> None:
    """Somebody else exported the same days between the preview and the click."""
    first = exported(world, ["csv"])
    late = JournalExport.objects.create(
        business=world.business, key="late", first_day=first.first_day, last_day=first.last_day, formats=["csv"],
        mapping={}, created_by=first.created_by,
    )  # fmt: skip
    refused = world.client("Ada").post(world.address(f"{ROOM}{late.pk}/continue/"))
    assert refused.status_code == 409
    assert "exported already" in page(refused)
    assert list(JournalExport.objects.filter(business=world.business)) == [first]


def test_it_is_undone_by_two_alone(world: World) -> None:
    spend(world)
    row = exported(world, ["csv"])
    undo = world.client("Ada").post(world.address(f"{ROOM}{row.pk}/undo/"), {"reason": "Wrong period", "key": "undo-1"})
    assert undo.status_code == 302, page(undo)
    proposal = Proposal.objects.get(business=world.business)
    assert "waiting for a second admin" in page(item(world, row))
    own = proven(world, "Ada").post(world.address(f"wallet-policies/proposals/{proposal.pk}/confirm/"))
    assert own.status_code == 403
    assert world.upstream("/accounting/journal-exports")["docs"][0]["status"] == "LIVE"
    confirmed = proven(world, "Abel").post(world.address(f"wallet-policies/proposals/{proposal.pk}/confirm/"))
    assert confirmed.status_code in {200, 302}, page(confirmed)
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED, proposal.outcome
    assert world.upstream("/accounting/journal-exports")["docs"][0]["status"] == "UNDONE"
    assert "Undone" in page(item(world, row))
    again = exported(world, ["csv"], key="form-2")
    assert again.line_count == row.line_count


@pytest.mark.parametrize("by", ["Carla", "Rita", "Apollo"])
def test_admins_alone_see_and_make_exports(world: World, by: str) -> None:
    row = exported(world, ["csv"])
    client = world.client(by)
    for rest in (
        "",
        "new/",
        f"{row.pk}/",
        f"{row.pk}/files/{row.files.get().pk}/",
        f"{row.pk}/manifest/",
        "mapping/account/",
    ):
        assert client.get(world.address(f"{ROOM}{rest}")).status_code == 403, rest
    assert client.post(world.address(f"{ROOM}{row.pk}/undo/"), {"reason": "x"}).status_code == 403
    assert export(world, ["csv"], by=by, key="other").status_code == 403


def test_no_export_yet_and_another_business(world: World, new_world: Callable[..., World]) -> None:
    assert "No exports yet" in page(world.client("Ada").get(world.address(ROOM)))
    row = exported(world, ["csv"])
    other = new_world()
    assert other.client("Ada").get(other.address(f"{ROOM}{row.pk}/")).status_code == 404


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


def test_what_is_not_exported_yet_stands_line_by_line(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.pages.journal_exports.selectors.exports.PENDING_AT_ONCE", 2)
    address, seen = world.address(f"{ROOM}pending/{now(world)}/"), list[str]()
    following = ""
    while True:
        shown = world.client("Ada").get(address + following).content.decode()
        seen += re.findall(r'/postings/(\d+)/"', shown)
        found = re.search(r'href="(\?after=[^"]+)"', shown)
        if found is None:
            break
        following = unescape(found.group(1))
    exported(world, ["csv"])
    row = JournalExport.objects.get(business=world.business)
    lines = read("csv", downloads(world, row))
    assert seen == [line.journal for line in lines]
    assert "Everything of these days is exported already" in page(world.client("Ada").get(address))
    assert world.client("Ada").get(world.address(f"{ROOM}pending/1999-01/")).status_code == 404
    # What is no place is the first page.
    assert world.client("Ada").get(f"{address}?after=x'").status_code == 200
    for who in ("Apollo", "Rita", "Carla"):
        assert world.client(who).get(address).status_code == 403


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
