"""Bulk actions carried out by a worker that may be killed at any moment: row by row, each with a key of its own.

A row is marked before it is sent: whoever takes over sends that one again with the same key, so that nothing is done
twice. What is refused stays beside what was done, in the service's words; the others go on.

Apart from this stands what sends decisions (decisions/dispatcher.py): those wait for their undo, each has a lease and may be
one of several in a call, and most were submitted one by one. An import (lists/imports.py) is all or nothing, and takes back
what it has done: that is no row's matter either.
"""

from __future__ import annotations

import time
import uuid
from datetime import timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from dashboard import worker_lease
from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.bulk.actions import QueuedAction, RowState, action_of
from dashboard.bulk.batches import OUT_OF_SIGHT
from dashboard.bulk.models import Batch, BatchRow
from dashboard.commands.run import CommandResult
from dashboard.errors import AlreadyDone, FinanceError, NotFound, TooMany, Unavailable, Unknown
from dashboard.form_key import form_context, has_confirmed_write
from dashboard.worker_lease import LeaseLostError, claim, release, renew, revoke, stale

log = structlog.get_logger(__name__)

LOST_AFTER = timedelta(seconds=60)
ABANDONED_AFTER = timedelta(hours=2)
# A worker's turn: then others have theirs, and the rest waits its own.
TURN_S = 30.0
DEADLINE_S = 30.0
READ_TOGETHER = 50
MOST_TRIES = 3
SENT_OUT_OF_SIGHT = "It was sent, but no answer came back; you no longer have access to it."
WORKED_ON = Q(state__in=(Batch.State.QUEUED, Batch.State.RUNNING))
OPEN = Q(state__in=(RowState.WAITING, RowState.SENDING)) | Q(state=RowState.UNKNOWN, tries__lt=MOST_TRIES)


class _BegunError(Exception):
    """The service went away between two calls of one row."""

    def __init__(self, trouble: FinanceError) -> None:
        super().__init__(trouble.detail)
        self.trouble = trouble


def run(batch_id: uuid.UUID | str) -> bool:
    """Carries out what a turn allows; True where more is left for the next one."""
    rows = Batch.objects.select_related("membership__user", "membership__business", "business")
    batch = claim(rows, batch_id, WORKED_ON, lost_after=LOST_AFTER, state=Batch.State.RUNNING)
    if batch is None:
        return False
    try:
        return _carry_out_turn(batch)
    except LeaseLostError:
        # Also where it is put off: another worker has it, or it was stopped.
        return False


def _carry_out_turn(batch: Batch) -> bool:
    """Carries out what a turn allows, as whoever began the batch; puts it off, or abandons it, where it cannot go on."""
    try:
        action = _queued(batch)
        actor = Actor.for_membership(batch.membership, fresh=True)
        check_open(actor, action.operation)
        return _turn(batch, action, actor)
    except (Unavailable, TooMany) as trouble:
        # Not a word about a row: it goes on in a minute, and in the end is given up.
        log.warning("bulk action waits", batch=str(batch.pk), trouble=type(trouble).__name__)
        release(batch, trouble=trouble.detail[:400])
    except FinanceError as ended:
        _abandon(batch, Batch.objects.filter(lease_id=batch.lease_id), ended.detail)
    return False


def _queued(batch: Batch) -> QueuedAction:
    """The action of a batch, which is one for a worker; NotFound where it is declared no more."""
    action = action_of(batch)
    if not isinstance(action, QueuedAction):
        raise NotFound("This action is no longer available.")
    return action


def _turn(batch: Batch, queued_action: QueuedAction, actor: Actor) -> bool:
    ends = time.monotonic() + TURN_S
    while rows := list(batch.rows.filter(OPEN).order_by("number")[:READ_TOGETHER]):
        items = {item.remote_id: item for item in queued_action.visible(actor, [row.remote_id for row in rows])}
        for row in rows:
            _carry_out(actor, queued_action, batch, row, items.get(row.remote_id))
            renew(batch, trouble="")
        if time.monotonic() > ends:
            release(batch, state=Batch.State.QUEUED)
            return True
    release(batch, state=Batch.State.DONE, finished_at=timezone.now())
    return False


def _carry_out(actor: Actor, queued_action: QueuedAction, batch: Batch, row: BatchRow, item: Any) -> None:
    """Sends one row, and writes down what became of it. Raises where the service cannot be asked at all now."""
    if item is None and not row.tries:
        return _settle(batch, row, RowState.REFUSED, OUT_OF_SIGHT)
    if item is None:
        # It was sent before, and what came of it was not learned: that it is out of sight says nothing of that.
        return _settle(batch, row, RowState.UNKNOWN, SENT_OUT_OF_SIGHT, tries=MOST_TRIES)
    if not row.tries and (changed := queued_action.changes(row.seen, item)):
        return _settle(batch, row, RowState.CHANGED, f"It changed since you looked: {changed}.")
    tries = row.tries
    _settle(batch, row, RowState.SENDING, tries=tries + 1)
    try:
        with form_context():
            result = _attempt(queued_action, actor, batch, row, item)
    except _BegunError as begun:
        # One of its calls was done: it is not as if it had never been sent.
        _settle(batch, row, RowState.SENDING, tries=tries + 1)
        raise begun.trouble from None
    except (Unavailable, TooMany):
        _settle(batch, row, RowState.SENDING if tries else RowState.WAITING, tries=tries)
        raise
    except AlreadyDone as before:
        _settle(batch, row, RowState.DONE, request_id=before.request_id)
    except Unknown as doubt:
        _settle(batch, row, RowState.UNKNOWN, doubt.user_message, request_id=doubt.request_id)
    except FinanceError as refusal:
        # Sent before by a worker that was lost, and there it stands: that was done.
        already_done = bool(tries) and bool(queued_action.becomes) and item.status == queued_action.becomes
        _settle(
            batch,
            row,
            RowState.DONE if already_done else RowState.REFUSED,
            "" if already_done else refusal.explanation,
            refusal.request_id,
        )
    else:
        _settle(batch, row, RowState.DONE, request_id=result.request_id)
    return None


def _attempt(queued_action: QueuedAction, actor: Actor, batch: Batch, row: BatchRow, item: Any) -> CommandResult:
    """Sends a row; _BegunError where a call of it was done and the next one cannot be made now."""
    try:
        return queued_action.carry_out(actor, item, batch.given, key=row.key, deadline=DEADLINE_S, seen=row.seen)
    except (Unavailable, TooMany) as trouble:
        if has_confirmed_write():
            raise _BegunError(trouble) from None
        raise


def _settle(
    batch: Batch, row: BatchRow, state: BatchRow.State, sentence: str = "", request_id: str = "", **more: Any
) -> None:
    """Writes down how a row stands, together with a renewal of the lease; LeaseLostError where that is gone."""
    changes = {"state": state, "sentence": sentence[:500], "request_id": request_id[:80], **more}
    with transaction.atomic():
        try:
            renew(batch)
            rows, is_lost = BatchRow.objects.filter(pk=row.pk), False
        except LeaseLostError:
            # A worker that was only slow writes nothing over what its successor has found out. Where there is none, since the
            # batch was stopped or given up, it alone knows what came of the row that it has sent.
            rows, is_lost = _sent_and_nobodys(batch, row), True
        rows.update(**changes)
    if is_lost:
        raise LeaseLostError
    for name, value in changes.items():
        setattr(row, name, value)


def _sent_and_nobodys(batch: Batch, row: BatchRow) -> QuerySet[BatchRow]:
    """The row, where it stands as this worker has marked it, in a batch that is over and was taken over by nobody."""
    over = Batch.objects.exclude(WORKED_ON).filter(pk=batch.pk, lease_id=None)
    sent = Q(state__in=(RowState.SENDING, RowState.UNKNOWN), tries=row.tries, batch__in=over)
    return BatchRow.objects.filter(sent, pk=row.pk)


def _abandon(batch: Batch, those: QuerySet[Batch], reason: str) -> None:
    """Ends it where it is one of those still: its worker may have come back, or another one has it by now."""
    now = timezone.now()
    ended = those.filter(WORKED_ON, pk=batch.pk)
    if revoke(ended, state=Batch.State.DONE, finished_at=now, trouble=reason[:400]):
        batch.rows.filter(state=RowState.WAITING).update(state=RowState.NOT_DONE, sentence=reason[:500])
        doubt = "It was begun, and it is not known how far it came: try again, it is not done twice."
        batch.rows.filter(state=RowState.SENDING).update(state=RowState.UNKNOWN, sentence=doubt)


def has_unfinished() -> bool:
    """Whether any batch is unfinished: one of which a worker may have been lost."""
    return Batch.objects.filter(WORKED_ON).exists()


def lost() -> list[str]:
    """Ids of the batches whose worker was lost, to be started again; one that is stuck for two hours is abandoned."""
    batches = Batch.objects.filter(WORKED_ON)
    old = timezone.now() - ABANDONED_AFTER
    stuck = stale(batches, lost_after=LOST_AFTER).filter(begun_at__lt=old)
    for batch in stuck:
        _abandon(batch, stuck, batch.trouble or "It was not finished within two hours.")
    return worker_lease.lost(batches, lost_after=LOST_AFTER)
