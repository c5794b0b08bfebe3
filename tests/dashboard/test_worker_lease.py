"""One lease for every job that may be killed: one worker at a time has a row, and what is left of a lost one is taken over.

The rows are exports, of which each claim is counted; what each job makes of a lease is tested beside the job.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from dashboard import worker_lease
from dashboard.bulk import worker as bulk_worker
from dashboard.bulk.models import Batch
from dashboard.errors import Unavailable
from dashboard.journal_exports.models import JournalExport
from dashboard.journal_files import worker as journal_worker
from dashboard.lists import exports, imports
from dashboard.lists.models import Export, ExportState, Import
from dashboard.policies import replays
from dashboard.policies.models import Replay
from dashboard.worker_lease import Leased, LeaseLostError, claim, lost, release, renew, revoke
from tests.dashboard.pages.conftest import House, house, make_house
from tests.days import business_day

__all__ = ["house"]
A_MINUTE = timedelta(minutes=1)
WAITING = Q(state__in=(ExportState.QUEUED, ExportState.RUNNING))


def export_of(house: House, **values: Any) -> Export:
    of = {"business": house.business, "membership": house.people["Ada"], "list_name": "expenses", "form": "csv"}
    return Export.objects.create(**of | values)


def claimed(export: Export, most_tries: int | None = None) -> Export | None:
    return claim(
        Export.objects.all(), export.pk, WAITING, lost_after=A_MINUTE, most_tries=most_tries, state=ExportState.RUNNING
    )


def untouched(export: Export, since: timedelta = 2 * A_MINUTE) -> None:
    """As it stands where a worker was killed with it, so long ago."""
    Export.objects.filter(pk=export.pk).update(heartbeat_at=timezone.now() - since)


def lost_ids(house: House, **options: Any) -> list[str]:
    return lost(Export.objects.filter(WAITING, business=house.business), lost_after=A_MINUTE, **options)


def test_of_two_workers_one_has_it(house: House) -> None:
    export = export_of(house)
    first = claimed(export)
    assert first is not None
    assert (first.state, first.lease_id is None, first.attempts) == (ExportState.RUNNING, False, 0)
    assert claimed(export) is None
    renew(first, rows_done=7)
    assert (first.rows_done, Export.objects.get(pk=export.pk).rows_done) == (7, 7)


def test_of_many_workers_at_once_one_has_it(committed: None) -> None:
    export, start, leases = export_of(make_house()), threading.Barrier(4), []

    def work() -> None:
        try:
            start.wait(timeout=30)
            leases.append(claimed(export))
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    assert len(leases) == 4
    assert [lease is None for lease in leases].count(False) == 1


def test_what_a_killed_worker_left_is_taken_over_and_whoever_comes_back_is_refused(house: House) -> None:
    export = export_of(house)
    killed = claimed(export)
    assert killed is not None
    assert (lost_ids(house), claimed(export)) == ([], None)
    untouched(export)
    assert lost_ids(house) == [str(export.pk)]
    second = claimed(export)
    assert second is not None
    assert second.lease_id != killed.lease_id
    assert lost_ids(house) == []
    for late in (renew, release):
        with pytest.raises(LeaseLostError):
            late(killed, rows_done=99, state=ExportState.DONE)
    # Nor does it believe itself that it wrote anything.
    assert (killed.state, killed.rows_done) == (ExportState.RUNNING, 0)
    release(second, state=ExportState.DONE)
    assert (second.lease_id, Export.objects.get(pk=export.pk).state) == (None, ExportState.DONE)
    assert claimed(export) is None


def test_what_was_never_claimed_is_nobodys(house: House) -> None:
    export = export_of(house)
    with pytest.raises(LeaseLostError):
        renew(export, rows_done=1)
    assert Export.objects.get(pk=export.pk).rows_done == 0


def test_released_it_is_free_at_once_and_queued_again_after_its_pause(house: House) -> None:
    export = export_of(house)
    first = claimed(export)
    assert first is not None
    release(first, state=ExportState.QUEUED)
    with pytest.raises(LeaseLostError):
        renew(first)
    assert lost_ids(house) == []
    assert lost_ids(house, again_after=timedelta()) == [str(export.pk)]
    untouched(export)
    assert lost_ids(house) == [str(export.pk)]
    assert claimed(export) is not None
    # One that somebody is at has no pause.
    assert lost_ids(house, again_after=timedelta()) == []


def test_a_lease_that_is_revoked_is_lost_and_stays_with_nobody(house: House) -> None:
    export = export_of(house)
    first = claimed(export)
    assert first is not None
    assert revoke(Export.objects.filter(WAITING, pk=export.pk), state=ExportState.CANCELLED) == 1
    with pytest.raises(LeaseLostError):
        renew(first, rows_done=1)
    export.refresh_from_db()
    assert (export.state, export.lease_id, export.rows_done) == (ExportState.CANCELLED, None, 0)
    assert revoke(Export.objects.filter(WAITING, pk=export.pk), state=ExportState.CANCELLED) == 0


def test_each_claim_counts_where_tries_are_limited(house: House) -> None:
    export = export_of(house)
    for attempt in (1, 2):
        row = claimed(export, most_tries=2)
        assert row is not None
        assert row.attempts == attempt
        untouched(export)
    assert claimed(export, most_tries=2) is None
    assert Export.objects.get(pk=export.pk).attempts == 2


def test_what_the_queue_lost_before_anybody_began_it_is_queued_again(house: House) -> None:
    export = export_of(house)
    assert lost_ids(house) == []
    Export.objects.filter(pk=export.pk).update(created_at=timezone.now() - 2 * A_MINUTE)
    assert lost_ids(house) == [str(export.pk)]


def test_those_that_have_waited_longest_come_first_and_never_more_than_a_few(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    exports = [export_of(house) for _ in range(4)]
    for minutes, export in zip((3, 5, 4, 2), exports, strict=True):
        untouched(export, minutes * A_MINUTE)
    # One that nobody ever touched waits since it was made.
    Export.objects.filter(pk=exports[3].pk).update(heartbeat_at=None, created_at=timezone.now() - 6 * A_MINUTE)
    monkeypatch.setattr(worker_lease, "REQUEUED_AT_ONCE", 3)
    assert lost_ids(house) == [str(exports[number].pk) for number in (3, 1, 2)]


def test_a_replay_that_is_given_up_is_nobodys(house: House) -> None:
    today = business_day()
    replay = Replay.objects.create(
        business=house.business, membership=house.people["Ada"], title="Lunches", draft={}, digest="d", attempts=3,
        first_day=today, last_day=today, state="RUNNING", lease_id=uuid.uuid4(),
        heartbeat_at=timezone.now() - timedelta(hours=1),
    )  # fmt: skip
    slow = Replay.objects.get(pk=replay.pk)
    assert str(replay.pk) not in replays.lost()
    replay.refresh_from_db()
    assert (replay.state, replay.lease_id, replay.trouble) == ("FAILED", None, "Three attempts were interrupted.")
    with pytest.raises(LeaseLostError):
        renew(slow, items_done=1)


def batch_of(house: House) -> Batch:
    now = timezone.now()
    return Batch.objects.create(
        business=house.business, membership=house.people["Ada"], list_name="cards", verb="block", state="QUEUED",
        begun_at=now, heartbeat_at=now,
    )  # fmt: skip


def import_of(house: House) -> Import:
    return Import.objects.create(
        business=house.business, membership=house.people["Ada"], list_name="customers", file_name="a.csv", rows=[],
        state="QUEUED", heartbeat_at=timezone.now(),
    )  # fmt: skip


def journal_export_of(house: House) -> JournalExport:
    today = business_day()
    return JournalExport.objects.create(
        business=house.business, key="k", first_day=today, last_day=today, formats=["csv"], mapping={},
        created_by=house.people["Ada"], waits_since=timezone.now(), heartbeat_at=timezone.now(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("make", "job", "name"),
    [
        (batch_of, bulk_worker, "_turn"),
        (import_of, imports, "_create_all"),
        (journal_export_of, journal_worker, "carry_on"),
    ],
)
def test_whoever_finds_the_service_away_after_the_lease_was_lost_leaves_the_row_to_its_worker(
    house: House, monkeypatch: pytest.MonkeyPatch, make: Callable[[House], Leased], job: Any, name: str
) -> None:
    row, other = make(house), uuid.uuid4()

    def lose_lease(*_: object) -> None:
        type(row)._default_manager.filter(pk=row.pk).update(lease_id=other)
        raise Unavailable("The service is away.")

    monkeypatch.setattr(job, name, lose_lease)
    monkeypatch.setattr(bulk_worker, "_queued", lambda _: type("Action", (), {"operation": None}))
    monkeypatch.setattr(bulk_worker, "check_open", lambda *_: None)
    assert job.run(row.pk) is False
    row.refresh_from_db()
    assert row.lease_id == other
    assert getattr(row, "trouble") == ""  # noqa: B009 (each of them has it, and no base says so)


def stale_export_of(house: House) -> Export:
    return export_of(house, state="RUNNING", attempts=3, heartbeat_at=timezone.now() - timedelta(hours=3))


def stuck_batch_of(house: House) -> Batch:
    batch, long_ago = batch_of(house), timezone.now() - timedelta(hours=3)
    Batch.objects.filter(pk=batch.pk).update(state="RUNNING", begun_at=long_ago, heartbeat_at=long_ago)
    return batch


@pytest.mark.parametrize(("make", "job"), [(stale_export_of, exports), (stuck_batch_of, bulk_worker)])
def test_what_its_worker_comes_back_to_while_it_is_given_up_stays_with_it(
    house: House, monkeypatch: pytest.MonkeyPatch, make: Callable[[House], Leased], job: Any
) -> None:
    row, given_up = make(house), []
    type(row)._default_manager.filter(pk=row.pk).update(lease_id=uuid.uuid4())
    row.refresh_from_db()

    def meanwhile(rows: Any, **changes: object) -> int:
        renew(row)
        return revoke(rows, **changes)

    monkeypatch.setattr(job, "revoke", meanwhile)
    monkeypatch.setattr(job.log, "error", lambda *_, **told: given_up.append(told))
    assert job.lost() == []
    renew(row)
    row.refresh_from_db()
    assert (getattr(row, "state"), getattr(row, "trouble"), given_up) == ("RUNNING", "", [])  # noqa: B009


def test_an_import_that_is_stuck_is_taken_from_its_worker_and_undone(house: House) -> None:
    job = import_of(house)
    slow = claim(Import.objects.all(), job.pk, Q(), lost_after=A_MINUTE, state="RUNNING")
    assert slow is not None
    long_ago = timezone.now() - imports.ABANDONED_AFTER * 2
    Import.objects.filter(pk=job.pk).update(created_at=long_ago, heartbeat_at=long_ago)
    assert str(job.pk) in imports.lost()
    with pytest.raises(LeaseLostError):
        renew(slow, state="DONE")
    assert Import.objects.get(pk=job.pk).state == "UNDOING"
