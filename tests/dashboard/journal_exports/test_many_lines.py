"""An export of more lines than it takes or than a file holds: the rest is the next one's, and each journal comes to nothing."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.journal_exports.formats.registry import chosen
from dashboard.journal_exports.journal import JournalLine
from dashboard.journal_exports.mapped_lines import MappedCode, Mappings
from dashboard.journal_exports.models import JournalExport
from dashboard.mirror.schedule import today
from tests.dashboard.accounting.test_periods import now, page, spend
from tests.dashboard.conftest import World
from tests.dashboard.journal_exports import readers
from tests.dashboard.journal_exports.test_exports import ROOM, downloads, export, exported, map_all, read


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
        assert "Everything of these days has been exported." in page(nothing)
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
