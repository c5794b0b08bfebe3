"""The lease under which one worker at a time works on a row, and which another takes over from a worker that was lost.

A worker claims the row, renews the lease as it goes on, each time together with what it writes, and releases it at the
end. It may be killed at any moment: then nobody renews, and after a time the row is anybody's. A worker that was only
slow finds its lease gone at the next renewal, and stops without a word. So whatever is written of a leased row goes
through `renew` or `release`; whoever stops it for good (a person who cancels, too many tries) revokes the lease.

How long a lease is good for, how often a row is tried and which rows wait are the caller's to say. Two have leases of
another kind, which end at a time (`lease_until`): decisions on their way to the service, many rows in one call, under row
locks (decisions/dispatcher.py); and confirmed proposals, which also a person ends, and each write of which names state and
lease (proposals/apply.py).
"""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TypeVar

from django.db import models
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

# So many are queued again in one go: what waits behind a queue that was away does not flood it when it is back.
REQUEUED_AT_ONCE = 20


class LeaseLostError(Exception):
    """The row is not this worker's any more: it was stopped, or another worker has claimed it."""


class Leased(models.Model):
    """A row that workers work on. `lease_id` is minted by the worker that is at it, None where nobody is; `heartbeat_at` is
    when a worker, or whoever queued it, last touched it."""

    lease_id = models.UUIDField(null=True)
    heartbeat_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class CountedLease(Leased):
    """A leased row of which each claim is counted, in `attempts`."""

    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True


Row = TypeVar("Row", bound=Leased)


def is_free(lost_after: timedelta) -> Q:
    """Rows that may be claimed: nobody is at them, or their worker has not renewed its lease for so long."""
    return Q(lease_id=None) | Q(heartbeat_at__lt=timezone.now() - lost_after)


def claim(
    rows: QuerySet[Row], pk: uuid.UUID | str | int, waiting: Q, *, lost_after: timedelta, most_tries: int | None = None,
    **changes: object,
) -> Row | None:  # fmt: skip
    """Takes the lease of a row that waits, writes the changes and answers the row as it then is; None where it does not
    wait, another worker is at it, or it was claimed `most_tries` times before. `rows` says what is read beside it."""
    lease_id = uuid.uuid4()
    free = rows.filter(waiting, is_free(lost_after), pk=pk)
    if most_tries is not None:
        free, changes = free.filter(attempts__lt=most_tries), {**changes, "attempts": F("attempts") + 1}
    if not free.update(lease_id=lease_id, heartbeat_at=timezone.now(), **changes):
        return None
    # By its lease alone: as it is now it may be none of those that wait.
    return rows.filter(pk=pk, lease_id=lease_id).first()


def renew(row: Leased, **changes: object) -> None:
    """Renews this worker's lease of the row and writes the changes, here and in the table; LeaseLostError, and nothing
    written, where the row is not this worker's any more."""
    held = _held(row)
    if row.lease_id is None or not held.update(heartbeat_at=timezone.now(), **changes):
        raise LeaseLostError
    for name, value in changes.items():
        setattr(row, name, value)


def release(row: Leased, **changes: object) -> None:
    """Writes the changes and gives the lease back: at the end, or to have the row tried again later. Raises as `renew`."""
    renew(row, **changes, lease_id=None)


def revoke(rows: QuerySet[Row], **changes: object) -> int:
    """Takes the leases of the rows from whoever has them and writes the changes: how many rows there were. Who was at one
    finds that out at the next renewal."""
    return rows.update(lease_id=None, **changes)


def stale(rows: QuerySet[Row], *, lost_after: timedelta, again_after: timedelta | None = None) -> QuerySet[Row]:
    """Those of the rows that wait which nobody touched for so long: a worker was lost with them, or the queue was. One
    without a lease, which was put off or never begun, may have a pause of its own."""
    now = timezone.now()
    untouched = Q(heartbeat_at__lt=now - lost_after) | Q(heartbeat_at=None, created_at__lt=now - lost_after)
    if again_after is not None:
        untouched |= Q(lease_id=None, heartbeat_at__lte=now - again_after)
    return rows.filter(untouched)


def lost(rows: QuerySet[Row], *, lost_after: timedelta, again_after: timedelta | None = None) -> list[str]:
    """The ids of those of `stale`, to be queued again: at most REQUEUED_AT_ONCE, whichever have waited longest first.

    Each was claimed before or never, and may have reached its last try: whoever calls this revokes those first.
    """
    waiting = stale(rows, lost_after=lost_after, again_after=again_after)
    oldest = waiting.order_by(Coalesce("heartbeat_at", "created_at"), "pk")
    return [str(pk) for pk in oldest.values_list("pk", flat=True)[:REQUEUED_AT_ONCE]]


def _held(row: Row) -> QuerySet[Row]:
    return type(row)._default_manager.filter(pk=row.pk, lease_id=row.lease_id)
