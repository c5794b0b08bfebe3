"""A plan carried out: begun once, whatever comes twice, and stopped.

What a worker does is done row by row (worker.py); what is only written down here, in the transaction that begins it.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.record import line
from dashboard.bulk.actions import BulkAction, ImmediateAction, RowState, RowVerdict, action_of
from dashboard.bulk.models import Batch, BatchRow
from dashboard.bulk.plans import PLAN_LIFETIME, TOGETHER
from dashboard.enqueue import enqueue_on_commit
from dashboard.worker_lease import revoke

# So long a job may wait for a worker; then `requeue_lost` asks again.
WORKER_WAITS_S = 600
OUT_OF_SIGHT = "You no longer have access to it."
LEFT_OUT_FIELDS = ("state", "why", "sentence", "denied")


def has_expired(batch: Batch) -> bool:
    """Whether it is a plan that nobody carried out within a day: what it says may be long past."""
    return batch.planned and batch.created_at <= timezone.now() - PLAN_LIFETIME


def begin(actor: Actor, batch: Batch, given: str = "", given_text: str = "") -> bool:
    """Has a plan carried out, with what was given (`given_text` in words); False where it was begun before, or has expired.

    All that was left out by the gate is audited as denied, here and not before: a plan alone is nothing that was tried.
    """
    now, action = timezone.now(), action_of(batch)
    mine = Batch.objects.filter(pk=batch.pk, membership_id=actor.member_id, state=Batch.State.PLANNED)
    with transaction.atomic():
        begun = mine.filter(created_at__gt=now - PLAN_LIFETIME).update(
            state=Batch.State.QUEUED, begun_at=now, heartbeat_at=now,
            # Where this form asked for nothing, what the plan was made with stays: a retry is planned by it.
            given=given or batch.given, given_said=given_text[:500] or batch.given_said,
        )  # fmt: skip
        if not begun:
            return False
        batch.refresh_from_db()
        if isinstance(action, ImmediateAction):
            _submit_rows(actor, action, batch)
        else:
            enqueue_on_commit("dashboard.bulk.carry_out", str(batch.pk), expires_s=WORKER_WAITS_S)
        _record_denials(actor, action, batch)
    return True


def _submit_rows(actor: Actor, immediate_action: ImmediateAction, batch: Batch) -> None:
    """Writes all rows down that still pass, judged again by what was seen of them; the others are left out."""
    rows = list(batch.rows.filter(state=RowState.WAITING).order_by("number"))
    items = {item.remote_id: item for item in immediate_action.visible(actor, [row.remote_id for row in rows])}
    there = [row for row in rows if row.remote_id in items]
    judged = immediate_action.verdicts(
        actor, [items[row.remote_id] for row in there], {row.remote_id: row.seen for row in there}
    )
    verdicts = {row.remote_id: verdict for row, verdict in zip(there, judged, strict=True)}
    passing = [(row, items[row.remote_id]) for row in there if verdicts[row.remote_id].passes]
    verdicts |= immediate_action.submit(actor, batch, passing)
    hidden = RowVerdict(RowState.LEFT_OUT, "no access, or deleted", OUT_OF_SIGHT)
    left_out = [_leave_out(row, verdicts.get(row.remote_id, hidden)) for row in rows]
    BatchRow.objects.bulk_update([row for row in left_out if row is not None], LEFT_OUT_FIELDS, TOGETHER)
    batch.rows.filter(state=RowState.WAITING).update(state=RowState.SUBMITTED)
    batch.state, batch.finished_at = Batch.State.DONE, timezone.now()
    batch.save(update_fields=["state", "finished_at"])


def _leave_out(row: BatchRow, row_verdict: RowVerdict) -> BatchRow | None:
    """The row as one that is left out, not saved; None where it passes."""
    if row_verdict.passes:
        return None
    row.state, row.why, row.denied = row_verdict.state, row_verdict.why[:60], row_verdict.denied
    row.sentence = row_verdict.sentence[:500]
    return row


def _record_denials(actor: Actor, bulk_action: BulkAction, batch: Batch) -> None:
    rows = list(batch.rows.filter(denied=True).order_by("number"))
    items = (
        {item.remote_id: item for item in bulk_action.visible(actor, [row.remote_id for row in rows])} if rows else {}
    )
    denials = (_denial(actor, bulk_action, row, items.get(row.remote_id)) for row in rows)
    AuditEntry.objects.bulk_create(denials, batch_size=TOGETHER)


def _denial(actor: Actor, bulk_action: BulkAction, row: BatchRow, item: Any) -> AuditEntry:
    rule = bulk_action.rule_of(row)
    entry = line(
        actor, bulk_action.operation, item, Outcome.DENIED, sentence=bulk_action.operation.sentence(row.title),
        reason=row.sentence, after={"rule": rule} if rule else None,
    )  # fmt: skip
    entry.object_type, entry.object_id, entry.object_title = (
        entry.object_type or bulk_action.kind,
        row.remote_id,
        row.title,
    )
    return entry


def stop(actor: Actor, batch: Batch) -> bool:
    """Stops one that is on its way: what was sent stays, the rest is not done; False where it was over already."""
    mine = Batch.objects.filter(pk=batch.pk, membership_id=actor.member_id, state__in=("QUEUED", "RUNNING"))
    stopped = revoke(mine, state=Batch.State.STOPPED, finished_at=timezone.now())
    if stopped:
        batch.rows.filter(state=RowState.WAITING).update(
            state=RowState.NOT_DONE, sentence="You stopped the bulk action before this item."
        )
    return bool(stopped)
