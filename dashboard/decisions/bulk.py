"""Deciding on several items at once: one reason for all, a result per row, the failed ones again."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.subject import subject_of
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.record import record_denial
from dashboard.decisions.clean import clean_ids
from dashboard.decisions.models import OPEN, Bulk, Decision, State
from dashboard.decisions.plan import OF_RULE, PlannedRow, Row, plan
from dashboard.decisions.registry import DECIDED, spec_for
from dashboard.decisions.services import as_uuid, new_decision, settled_line, somebody_is_deciding, submitted_line
from dashboard.enqueue import enqueue_on_commit
from dashboard.errors import InvalidState, NotFound, Rejected

TOGETHER = 500


def submit_bulk(
    actor: Actor,
    operation: Operation,
    subjects: Sequence[Any],
    *,
    fingerprints: Mapping[str, str],
    key: str,
    reason: str = "",
    body: Mapping[str, object] | None = None,
) -> Bulk:
    """Decides on all of these that may be, with one reason; the others are `left_out` with a sentence each.

    A row without a fingerprint was not seen and is left out. The same form posted again gives the same bulk, and all of
    it or nothing is written. Raises Rejected where a reason is missing or there are too many rows.
    """
    if (earlier := Bulk.objects.filter(business=actor.business, key=key).first()) is not None:
        return _same(actor, operation, earlier)
    if spec_for(operation).needs_reason and not reason.strip():
        raise Rejected("Enter a reason: the requesters will read it.", code="reason_missing")
    planned = plan(actor, operation, subjects, {row.remote_id: "" for row in subjects} | dict(fingerprints))
    bulk = Bulk(
        business=actor.business,
        membership_id=actor.member_id,
        operation=operation.name,
        reason=reason.strip(),
        key=key,
    )
    try:
        with transaction.atomic():
            bulk.save(force_insert=True)
            bulk.left_out = [_left_out(actor, operation, row) for row in planned.left_out]
            bulk.left_out += _submit_rows(
                actor, operation, [row.subject for row in planned.passing], bulk, fingerprints, body
            )
            bulk.save(update_fields=["left_out"])
            if not operation.undo_s:
                enqueue_on_commit("dashboard.decisions.send_due", expires_s=30)
    except IntegrityError:
        return _same(actor, operation, Bulk.objects.get(business=actor.business, key=key))
    return bulk


def _submit_rows(
    actor: Actor,
    operation: Operation,
    subjects: Sequence[Any],
    bulk: Bulk,
    fingerprints: Mapping[str, str],
    body: Mapping[str, object] | None,
) -> list[dict[str, str]]:
    """Writes the decisions down together; those that somebody was faster with are answered."""
    rows = {
        subject.remote_id: new_decision(
            actor,
            operation,
            subject,
            fingerprint=fingerprints[subject.remote_id],
            key=str(uuid.uuid5(bulk.pk, subject.remote_id)),
            reason=bulk.reason,
            body=body,
            bulk=bulk,
        )
        for subject in subjects
    }
    for remote_id in clean_ids(actor.business, operation, subjects):
        rows[remote_id].looked_clean = True
    # What somebody else's open decision stands in the way of is passed over by the database, whoever came first.
    Decision.objects.bulk_create(rows.values(), batch_size=TOGETHER, ignore_conflicts=True)
    written = set(Decision.objects.filter(bulk=bulk).values_list("object_id", flat=True))
    AuditEntry.objects.bulk_create(
        (
            submitted_line(actor, operation, subject, rows[subject.remote_id])
            for subject in subjects
            if subject.remote_id in written
        ),
        batch_size=TOGETHER,
    )
    late = [subject for subject in subjects if subject.remote_id not in written]
    return [_row(subject, Row.DECIDING, somebody_is_deciding(rows[subject.remote_id]).detail) for subject in late]


def _same(actor: Actor, operation: Operation, bulk: Bulk) -> Bulk:
    if (bulk.membership_id, bulk.operation) != (actor.member_id, operation.name):
        raise InvalidState("This form was already used for something else. Reload the page.", code="key_reused")
    return bulk


def _left_out(actor: Actor, operation: Operation, row: PlannedRow) -> dict[str, str]:
    if row.verdict in {*OF_RULE.values(), Row.DENIED}:
        record_denial(actor, operation, row.subject, reason=row.sentence, rule=row.verdict.lower())
    return _row(row.subject, row.verdict, row.sentence)


def _row(subject: Any, verdict: Row, sentence: str) -> dict[str, str]:
    facts = subject_of(subject)
    return {"object_id": facts.id, "title": facts.title, "verdict": verdict, "sentence": sentence}


@dataclass(frozen=True)
class BulkResult:
    """How a bulk stands now: its decisions by state, and the rows that were left out."""

    bulk: Bulk

    @property
    def rows(self) -> QuerySet[Decision]:
        """Its decisions, the first submitted first."""
        return Decision.objects.filter(bulk=self.bulk).order_by("created_at", "id")

    @cached_property
    def decisions(self) -> list[Decision]:
        """Its decisions as a list, read once."""
        return list(self.rows)

    @cached_property
    def failed(self) -> list[Decision]:
        """What was refused, or not sent although nobody took it back: "retry failed only" is about these."""
        undone = Q(state=State.CANCELLED, outcome__code="undone")
        ended = self.rows.filter(state__in=(State.REFUSED, State.LOST, State.CANCELLED))
        return [row for row in ended.exclude(undone) if not row.ended_in_doubt]

    @property
    def is_open(self) -> bool:
        """Whether any of its decisions is not settled yet."""
        return any(state in OPEN for state in self.counts)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many decisions there are in each state."""
        return dict(self.rows.order_by().values_list("state").annotate(Count("pk")))


def result_of(actor: Actor, bulk_id: uuid.UUID | str) -> BulkResult:
    """One of the actor's own bulks with its rows; NotFound for anybody else's."""
    bulk = Bulk.objects.filter(pk=as_uuid(bulk_id), business=actor.business, membership_id=actor.member_id).first()
    if bulk is None:
        raise NotFound
    return BulkResult(bulk)


def undo_bulk(actor: Actor, bulk_id: uuid.UUID | str) -> int:
    """Takes back every row that still waits, all at once; how many were taken back."""
    bulk = result_of(actor, bulk_id).bulk
    with transaction.atomic():
        rows = Decision.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
        still = list(rows.filter(bulk=bulk, state=State.WAITING))
        for decision in still:
            decision.settle(State.CANCELLED, message=f"You undid it. {decision.not_done_sentence}", code="undone")
            decision.lease_until = None
        Decision.objects.bulk_update(still, ["state", "outcome", "settled_at", "claim", "lease_until"], TOGETHER)
        AuditEntry.objects.bulk_create((settled_line(actor, decision, Outcome.UNDONE) for decision in still), TOGETHER)
    return len(still)


def retry_failed(
    actor: Actor, bulk_id: uuid.UUID | str, subjects: Sequence[Any], *, fingerprints: Mapping[str, str], key: str
) -> Bulk:
    """Decides again on the failed rows of a bulk, seen afresh: a bulk of its own, with the same reason.

    `subjects` are the rows to try again as they are visible now; those that did not fail are not touched.
    """
    before = result_of(actor, bulk_id)
    failed = {decision.object_id for decision in before.failed}
    again = [row for row in subjects if row.remote_id in failed]
    operation = DECIDED[before.bulk.operation]
    return submit_bulk(actor, operation, again, fingerprints=fingerprints, key=key, reason=before.bulk.reason)
