"""An export: previewed, claimed once, in every format equal to the trial balance, signed, and undone by two."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.utils import timezone

from dashboard.journal_exports.models import JournalExport, Mapping
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import Proposal, ProposalState
from tests.dashboard.accounting.test_periods import now, page, spend
from tests.dashboard.accounting.test_reports import report
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


def test_each_line_is_exported_once_and_stays_as_it_was(world: World) -> None:
    spend(world)
    first = exported(world, ["csv"])
    before = downloads(world, first)
    assert "Everything of these days has been exported" in page(export(world, ["csv"], key="form-2"))
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
    assert "Everything of these days has been exported" in page(refused)
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
    assert "Everything of these days has been exported" in page(world.client("Ada").get(address))
    assert world.client("Ada").get(world.address(f"{ROOM}pending/1999-01/")).status_code == 404
    # What is no place is the first page.
    assert world.client("Ada").get(f"{address}?after=x'").status_code == 200
    for who in ("Apollo", "Rita", "Carla"):
        assert world.client(who).get(address).status_code == 403
