"""The books as files: at once where they are short, else by a worker that may be killed; memory stays flat, however long."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.lists import exports, tasks
from dashboard.lists.models import Export, ExportState
from dashboard.notifications.models import Notice
from dashboard.pages.accounting import tables
from dashboard.schemas.accounting import TrialBalance
from tests.dashboard.accounting.test_periods import now, page, spend
from tests.dashboard.conftest import World

BYTES_AT_ONCE = "dashboard.pages.lists.views.exports.BYTES_AT_ONCE"
NAMESPACE = "{urn:countersign:audit-file:1}"


def ask(world: World, name: str, form: str = "csv", by: str = "Ada", period: str = "") -> Any:
    """Exports the report of a period, this one's where none is named, as a person does."""
    fields = {"period": period or now(world), "format": form}
    return world.client(by).post(world.address(f"exports/reports/{name}/"), fields)


def report(world: World, name: str, form: str = "csv", by: str = "Ada") -> bytes:
    """The file of a report that is short enough to be had at once."""
    answer = ask(world, name, form, by)
    assert answer.status_code == 200, page(answer)
    return b"".join(answer.streaming_content)


def export_of(world: World) -> Export:
    return Export.objects.get(business=world.business)


def entries_of(content: bytes) -> list[list[str]]:
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    return [row for row in rows[1:] if len(row) == len(rows[0])]


@pytest.fixture
def long(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """A world in which every ledger is too long to be waited for."""
    spend(world)
    monkeypatch.setattr(BYTES_AT_ONCE, 1)
    monkeypatch.setattr("dashboard.pages.lists.views.exports.enqueue_on_commit", lambda *_, **__: None)
    return world


def test_a_long_ledger_is_written_by_a_worker_that_says_how_far_it_is_and_when_it_is_ready(
    long: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = ask(long, "general_ledger")
    assert answer["Location"] == long.address("exports/")
    ada, export = long.client("Ada"), export_of(long)
    shown = page(ada.get(long.address("exports/")))
    assert "General ledger" in shown
    assert "Queued" in shown
    assert (export.state, export.attempts, export.lease_id) == (ExportState.QUEUED, 0, None)
    # The same again is the same export.
    assert ask(long, "general_ledger")["Location"] == long.address("exports/")
    steps: list[dict[str, Any]] = []
    renew = exports.renew
    monkeypatch.setattr(
        "dashboard.lists.report_files.renew", lambda row, **changes: steps.append(changes) or renew(row, **changes)
    )
    assert tasks.write_export(str(export.pk))
    export.refresh_from_db()
    assert export.state == ExportState.DONE
    sizes = [step["size"] for step in steps if "size" in step]
    assert sizes
    assert all(size > 0 for size in sizes)
    assert {"rows_done": 0, "rows_total": export.rows_done} in steps
    notice = Notice.objects.get(membership=long.people["Ada"], topic="exports")
    assert notice.sentence.startswith("Your export is ready: General ledger as CSV, ")
    monkeypatch.undo()
    file = b"".join(ada.get(long.address(f"exports/{export.pk}/file/")).streaming_content)
    assert entries_of(file) == entries_of(report(long, "general_ledger"))
    assert len(entries_of(file)) == export.rows_done
    line = AuditEntry.objects.filter(chain=long.business.pk, sentence__startswith="exported general-ledger-").first()
    assert line is not None
    assert f"{export.rows_done:,} entries" in line.sentence
    # What is old is deleted, and cannot be had any more.
    Export.objects.filter(pk=export.pk).update(finished_at=timezone.now() - timedelta(hours=49))
    exports.forget_old()
    assert ada.get(long.address(f"exports/{export.pk}/file/")).status_code == 302


class Killed(BaseException):
    """What ends a worker where it stands."""


@pytest.mark.parametrize("at", ["download_ledger", "ledger_sums", "files.write"])
def test_killed_anywhere_it_leaves_no_file_and_the_next_worker_writes_it_whole(
    long: World, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    ask(long, "general_ledger")
    export = export_of(long)

    def dies(*_: Any, **__: Any) -> Any:
        raise Killed

    with monkeypatch.context() as killed:
        killed.setattr(f"dashboard.pages.accounting.tables.{at}", dies)
        with pytest.raises(Killed):
            exports.run(export.pk)
    export.refresh_from_db()
    assert (export.state, export.file) == (ExportState.RUNNING, "")
    # Its lease is not over yet.
    assert not exports.run(export.pk)
    Export.objects.filter(pk=export.pk).update(heartbeat_at=timezone.now() - exports.LOST_AFTER * 2)
    assert str(export.pk) in exports.lost()
    assert exports.run(export.pk)
    export.refresh_from_db()
    assert (export.state, export.attempts) == (ExportState.DONE, 2)


def test_a_service_that_is_away_is_tried_again_and_after_three_tries_given_up(
    proxied_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = proxied_world
    assert world.proxy is not None
    monkeypatch.setattr("dashboard.pages.lists.views.exports.enqueue_on_commit", lambda *_, **__: None)
    monkeypatch.setattr(BYTES_AT_ONCE, 1)
    assert ask(world, "audit_file", "xml").status_code == 302
    export = export_of(world)
    world.proxy.fail("500", path="/general-ledger")
    for tries in (1, 2, 3):
        assert exports.run(export.pk)
        export.refresh_from_db()
        assert export.attempts == tries
        assert export.state == (ExportState.FAILED if tries == 3 else ExportState.QUEUED)
        assert ("tried again" in export.trouble) == (tries < 3)
    world.proxy.heal()
    assert world.client("Ada").post(world.address(f"exports/{export.pk}/again/")).status_code == 302
    again = Export.objects.exclude(pk=export.pk).get(business=world.business)
    assert exports.run(again.pk)
    again.refresh_from_db()
    assert again.state == ExportState.DONE


def test_what_breaks_off_is_read_anew_by_a_worker_and_nothing_stands_twice(
    proxied_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = proxied_world
    monkeypatch.setattr("dashboard.pages.lists.views.exports.enqueue_on_commit", lambda *_, **__: None)
    assert world.proxy is not None
    spend(world)
    whole = entries_of(report(world, "general_ledger"))
    Export.objects.all().delete()
    world.proxy.fail("truncated", path="/general-ledger", times=1)
    assert ask(world, "general_ledger").status_code == 302
    export = export_of(world)
    assert (export.state, export.attempts, export.size) == (ExportState.QUEUED, 0, 0)
    assert exports.run(export.pk)
    file = world.client("Ada").get(world.address(f"exports/{export.pk}/file/"))
    assert entries_of(b"".join(file.streaming_content)) == whole


@pytest.mark.parametrize(
    ("name", "path"),
    [("trial_balance", "/trial-balance"), ("general_ledger", "/general-ledger"), ("audit_file", "/general-ledger")],
)
def test_a_service_that_takes_long_is_waited_for_by_a_worker_and_not_by_a_person(
    proxied_world: World, monkeypatch: pytest.MonkeyPatch, name: str, path: str
) -> None:
    world = proxied_world
    assert world.proxy is not None
    monkeypatch.setattr("dashboard.pages.lists.views.exports.enqueue_on_commit", lambda *_, **__: None)
    monkeypatch.setattr("dashboard.lists.report_files.AT_ONCE_S", 1.0)
    world.proxy.fail("slow", path=path)
    assert ask(world, name, "xml" if name == "audit_file" else "csv").status_code == 302
    export = export_of(world)
    assert (export.state, export.attempts, export.lease_id, export.trouble) == (ExportState.QUEUED, 0, None, "")
    world.proxy.heal()
    assert exports.run(export.pk)
    export.refresh_from_db()
    assert export.state == ExportState.DONE


def test_an_audit_file_that_does_not_agree_with_the_trial_balance_is_none(
    long: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(long, "audit_file", "xml")
    export, trial = export_of(long), tables.trial_balance_of

    def moved(*arguments: Any) -> TrialBalance:
        answer = trial(*arguments)
        first, *others = answer.accounts
        changed = first.model_copy(update={"debit_minor": first.debit_minor + 1})
        moved_answer: TrialBalance = answer.model_copy(update={"accounts": [changed, *others]})
        return moved_answer

    with monkeypatch.context() as other:
        other.setattr(tables, "trial_balance_of", moved)
        assert exports.run(export.pk)
    export.refresh_from_db()
    assert export.state == ExportState.QUEUED
    assert export.trouble.startswith(tables.MOVED)
    assert exports.run(export.pk)
    export.refresh_from_db()
    assert (export.state, export.trouble) == (ExportState.DONE, "")


@pytest.mark.parametrize("name", ["trial_balance", "general_ledger", "audit_file"])
def test_whose_role_does_not_open_it_gets_neither_file_nor_export(world: World, name: str) -> None:
    form = "xml" if name == "audit_file" else "csv"
    assert ask(world, name, form, by="Carla").status_code == 403
    assert not Export.objects.filter(business=world.business).exists()
    report(world, name, form, by="Apollo")
    export = export_of(world)
    assert world.client("Ada").get(world.address(f"exports/{export.pk}/file/")).status_code == 404
    world.people["Apollo"].role = "CARD_USER"
    world.people["Apollo"].save()
    assert world.client("Apollo").get(world.address(f"exports/{export.pk}/file/")).status_code == 403


def test_what_is_no_report_period_or_format_is_refused(world: World) -> None:
    assert ask(world, "balance_sheet").status_code == 404
    for period in ("2026-13", "0000-01", "2026-1", "2026-10-01"):
        assert "Choose a period" in page(ask(world, "general_ledger", period=period)), period
    assert "Choose CSV or XLSX" in page(ask(world, "general_ledger", "xml"))
    assert "Choose XML" in page(ask(world, "audit_file", "csv"))
    assert not Export.objects.filter(business=world.business).exists()
