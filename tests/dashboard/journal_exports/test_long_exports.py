"""Exports that a worker writes: how far it is, killed anywhere, given up, continued by somebody else."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.audit.models import AuditEntry
from dashboard.journal_exports.models import JournalExport
from dashboard.journal_files import worker
from tests.dashboard.accounting.test_periods import page, spend
from tests.dashboard.conftest import World
from tests.dashboard.journal_exports.test_exports import downloads, export, exported, item, read, rows_of

ROOM = "journal-exports/"


def long_export(world: World, monkeypatch: pytest.MonkeyPatch, key: str = "long") -> JournalExport:
    """An export that a worker is to carry on: what it was handed is not begun yet."""
    monkeypatch.setattr(worker, "BACKGROUND_LINES", 1)
    monkeypatch.setattr("dashboard.journal_files.exports.LINES_AT_ONCE", 2)
    monkeypatch.setattr(worker, "enqueue_on_commit", lambda *_, **__: None)
    row = exported(world, ["csv", "xlsx"], key=key)
    assert (row.remote_id, row.manifest) == ("", "")
    assert row.waits_since is not None
    return row


def test_a_long_export_is_written_by_a_worker_and_its_page_says_how_far_it_is(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    spend(world)
    row = long_export(world, monkeypatch)
    shown = item(world, row).content.decode()
    assert "Waiting to begin" in shown
    assert "progress/" in shown
    # The same form again hands over nothing twice.
    assert export(world, ["csv", "xlsx"], key="long").status_code == 302
    steps: list[int] = []
    renew = worker.renew
    monkeypatch.setattr(
        worker, "renew", lambda row, **changes: steps.append(changes["lines_read"]) or renew(row, **changes)
    )
    assert worker.run(row.pk)
    row.refresh_from_db()
    assert row.waits_since is None
    assert row.files.count() == 2
    assert steps == sorted({*range(2, row.line_count, 2), row.line_count})
    done = item(world, row, "progress/").content.decode()
    assert "Signed manifest" in done
    assert "every 2s" not in done
    assert read("csv", downloads(world, row)) == sorted(
        read("csv", downloads(world, row)), key=lambda line: int(line.journal)
    )
    assert not worker.run(row.pk)
    assert str(row.pk) not in worker.lost()


class Killed(BaseException):
    """What ends a worker where it stands."""


@pytest.mark.parametrize("at", ["writer.journal_lines_of", "exports.parsed", "writer.missing", "writer.sign"])
def test_killed_anywhere_it_is_taken_up_again_and_claims_once(
    world: World, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    spend(world)
    row = long_export(world, monkeypatch)

    def dies(*_: Any, **__: Any) -> Any:
        raise Killed

    with monkeypatch.context() as killed:
        killed.setattr(f"dashboard.journal_files.{at}", dies)
        with pytest.raises(Killed):
            worker.run(row.pk)
    assert row.files.count() == 0
    # Its lease is not over yet: nobody takes it from a worker that may be at it still.
    assert not worker.run(row.pk)
    assert str(row.pk) not in worker.lost()
    JournalExport.objects.filter(pk=row.pk).update(heartbeat_at=timezone.now() - worker.LOST_AFTER * 2)
    assert str(row.pk) in worker.lost()
    assert worker.run(row.pk)
    row.refresh_from_db()
    assert row.manifest
    assert row.files.count() == 2
    assert world.upstream("/accounting/journal-exports")["total"] == 1
    assert len(read("csv", downloads(world, row))) == rows_of(row, "csv") >= row.line_count


def test_a_service_that_is_away_is_waited_for_and_a_refusal_ends_it(
    proxied_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = proxied_world
    assert world.proxy is not None
    spend(world)
    row = long_export(world, monkeypatch)
    world.proxy.fail("500", path="/lines")
    assert not worker.run(row.pk)
    row.refresh_from_db()
    assert row.waits_since is not None
    assert "It continues within a minute." in page(item(world, row))
    world.proxy.heal()
    assert str(row.pk) in worker.lost()
    Membership.objects.filter(pk=row.created_by_id).update(is_active=False)
    assert not worker.run(row.pk)
    row.refresh_from_db()
    assert row.waits_since is None
    assert row.trouble
    Membership.objects.filter(pk=row.created_by_id).update(is_active=True)
    monkeypatch.setattr(worker, "BACKGROUND_LINES", 10_000)
    assert world.client("Ada").post(world.address(f"{ROOM}{row.pk}/continue/")).status_code == 302
    row.refresh_from_db()
    assert row.manifest


def test_what_ends_every_worker_is_given_up_after_two_hours_and_can_be_continued(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    spend(world)
    row = long_export(world, monkeypatch)
    with monkeypatch.context() as broken:
        broken.setattr("dashboard.journal_files.worker.carry_on", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            worker.run(row.pk)
    long_ago = timezone.now() - worker.ABANDONED_AFTER * 2
    JournalExport.objects.filter(pk=row.pk).update(waits_since=long_ago, heartbeat_at=long_ago)
    assert str(row.pk) not in worker.lost()
    assert worker.NOT_FINISHED in page(item(world, row))
    continued = world.client("Ada").post(world.address(f"journal-exports/{row.pk}/continue/"), {"key": "again"})
    assert continued.status_code == 302
    row.refresh_from_db()
    assert row.manifest or worker.run(row.pk)


def test_an_export_whose_creator_has_left_is_continued_by_somebody_else_in_their_own_name(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    spend(world)
    row = long_export(world, monkeypatch)
    with monkeypatch.context() as broken:
        broken.setattr("dashboard.journal_files.writer.sign", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            worker.run(row.pk)
    Membership.objects.filter(pk=row.created_by_id).update(is_active=False)
    JournalExport.objects.filter(pk=row.pk).update(waits_since=None, lease_id=None)
    row.refresh_from_db()
    assert row.remote_id
    worker.hand_over(row, world.actor("Abel"))
    assert worker.run(row.pk)
    line = AuditEntry.objects.filter(chain=world.business.pk, sentence__contains="wrote the files").latest("pk")
    assert line.actor_name.startswith("Abel")


def test_what_began_and_was_never_answered_is_asked_by_whoever_began_it_alone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    spend(world)
    row = long_export(world, monkeypatch)
    Membership.objects.filter(pk=row.created_by_id).update(is_active=False)
    worker.hand_over(row, world.actor("Abel"))
    assert not worker.run(row.pk)
    row.refresh_from_db()
    assert row.trouble.startswith("Only Ada")


def test_an_export_with_nothing_to_claim_says_so_and_not_that_it_is_not_known(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    spend(world)
    first = long_export(world, monkeypatch)
    second = JournalExport.objects.create(
        business=first.business, key="rival", first_day=first.first_day, last_day=first.last_day, formats=["csv"],
        mapping=first.mapping, created_by=first.created_by,
    )  # fmt: skip
    assert worker.run(first.pk)
    worker.hand_over(second, world.actor("Ada"))
    assert not worker.run(second.pk)
    shown = page(item(world, second))
    assert "Nothing exported" in shown
    assert "It is not known" not in shown
