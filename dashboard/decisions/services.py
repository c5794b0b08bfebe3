"""Submitting a decision: it is checked, written into the outbox and audited here; the dispatcher sends it (dispatcher.py)."""

import time
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from structlog.contextvars import bind_contextvars

from dashboard.access.actor import Actor
from dashboard.access.check import can, check
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject, subject_of
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.record import line, record_denial
from dashboard.bulk.models import BatchRow
from dashboard.decisions.clean import clean_ids
from dashboard.decisions.models import OPEN_DECISION_STATES, Decision, DecisionState
from dashboard.decisions.preconditions import check_policy, differences, override_line
from dashboard.decisions.reconcile import decided_payload, upstream_state
from dashboard.decisions.registry import DECIDED, is_vote, kind_of, spec_for
from dashboard.delegation.policy import audit_sentence
from dashboard.enqueue import enqueue_on_commit
from dashboard.errors import Conflict, InvalidState, NotAllowed, NotFound, Rejected, Stale
from telemetry import tracing

POLL_S = 0.05


def submit_decision(
    actor: Actor,
    operation: Operation,
    subject: Any,
    *,
    fingerprint: str,
    key: str,
    reason: str = "",
    override: bool = False,
) -> Decision:
    """Submits a decision on a mirrored item, as the actor sees it now.

    It waits `operation.undo_s` seconds in the outbox and can be undone meanwhile. The same form posted again gives
    the same decision. Raises NotAllowed or NotFound (audited as a denial, nothing sent), Stale with the differences
    where the item is not what was seen, InvalidState where it does not wait for this any more or somebody's decision
    on it is open, Rejected where a reason is missing, PolicyBlocked where a policy stands against an approval that is no
    `override`.
    """
    try:
        _check_unchanged(actor, operation, subject, fingerprint, reason)
        overridden = check_policy(actor, operation, subject, override=override, reason=reason)
    except (NotAllowed, NotFound, Rejected, Conflict) as refused:
        # The same form again finds the item decided, and is no second try: it is told what the first one became.
        if (earlier := _earlier_submission(actor, operation, subject, key)) is not None:
            return earlier
        if isinstance(refused, NotAllowed | NotFound):
            record_denial(actor, operation, subject, reason=refused.detail, rule=refused.code)
        raise
    with tracing.span("submit decision", attributes={"operation": operation.name}) as span:
        decision = new_decision(actor, operation, subject, fingerprint=fingerprint, key=key, reason=reason.strip())
        span.set({"decision.id": str(decision.pk)})
        decision.overridden = overridden
        decision.looked_clean = subject.remote_id in clean_ids(actor.business, operation, [subject])
        return _write_down(actor, operation, subject, decision)


def _check_unchanged(actor: Actor, operation: Operation, subject: Any, fingerprint: str, reason: str) -> None:
    check_undecided(actor, operation, subject)
    if spec_for(operation).needs_reason and not reason.strip():
        raise Rejected("Enter a reason: the requester will read it.", code="reason_missing")
    if changed := differences(fingerprint, subject):
        raise Stale(
            f"It changed since you looked ({'; '.join(str(difference) for difference in changed)}).", code="stale"
        )


def check_undecided(actor: Actor, operation: Operation, subject: Any) -> None:
    """The gate, and whether it still waits: InvalidState tells who was faster."""
    waits = subject.status in spec_for(operation).waiting_in
    # Once it is decided nobody has a seat any more: who was faster is what its loser wants to know.
    if waits or can(actor, operation, subject).rule != "mandate":
        check(actor, operation, subject)
    if not waits:
        raise _decided_already(actor, operation, subject)


def _decided_already(actor: Actor, operation: Operation, subject: Any) -> InvalidState:
    """Who has decided on an item that does not wait any more, as its refusal says it."""
    upstream = upstream_state(
        actor.business,
        operation,
        decided_payload(subject),
        employee_id=actor.employee_id,
        vote=is_vote(operation, kind_of(subject)),
    )
    return InvalidState(upstream.sentence, code="invalid_state")


def _earlier_submission(actor: Actor, operation: Operation, subject: Any, key: str) -> Decision | None:
    earlier = Decision.objects.filter(business=actor.business, key=key).first()
    if earlier is None:
        return None
    same = (actor.member_id, operation.name, subject.remote_id)
    if (earlier.membership_id, earlier.operation, earlier.object_id) != same:
        raise Conflict("This form was already used for something else. Reload the page.", code="key_reused")
    return earlier


def _write_down(actor: Actor, operation: Operation, subject: Any, decision: Decision) -> Decision:
    bind_contextvars(decision_id=str(decision.pk))
    try:
        with transaction.atomic():
            decision.save(force_insert=True)
            submitted_line(actor, operation, subject, decision).save(force_insert=True)
            if decision.overridden:
                override_line(actor, subject, decision.overridden, decision.reason, decision.title).save(
                    force_insert=True
                )
            if not operation.undo_s:
                enqueue_on_commit("dashboard.decisions.send_due", expires_s=30)
    except IntegrityError:
        # A parallel twin of this form was first, or somebody's decision on the item is open.
        if (earlier := _earlier_submission(actor, operation, subject, decision.key)) is not None:
            return earlier
        raise somebody_is_deciding(decision) from None
    return decision


def new_decision(
    actor: Actor,
    operation: Operation,
    subject: Any,
    *,
    fingerprint: str,
    key: str,
    reason: str,
    row: BatchRow | None = None,
) -> Decision:
    """The decision as it will wait in the outbox, not written yet; `row` is that of a bulk action, where it is one's."""
    facts, now = subject_of(subject), timezone.now()
    return Decision(
        business=actor.business,
        membership_id=actor.member_id,
        session_key=actor.session_key,
        row=row,
        bulk_id=row.batch_id if row is not None else None,
        operation=operation.name,
        object_type=facts.kind,
        object_id=facts.id,
        title=facts.title[:300],
        amount_minor=subject.amount_minor,
        currency=subject.currency,
        is_vote=is_vote(operation, facts.kind),
        fingerprint=fingerprint,
        key=key,
        reason=reason,
        created_at=now,
        due_at=now + timedelta(seconds=operation.undo_s or 0),
        traceparent=tracing.traceparent(),
    )


def submitted_line(actor: Actor, operation: Operation, subject: Any, decision: Decision) -> AuditEntry:
    """What the audit says of a decision that was taken, not written yet."""
    sentence = audit_sentence(actor, operation, subject)
    return line(
        actor, operation, subject, Outcome.TAKEN, sentence=sentence, reason=decision.reason, decision_id=decision.pk
    )


def somebody_is_deciding(decision: Decision) -> InvalidState:
    """Who is faster on the item of a decision that could not be written down, as the refusal says it."""
    first = (
        Decision.objects.filter(
            business=decision.business,
            object_type=decision.object_type,
            object_id=decision.object_id,
            state__in=OPEN_DECISION_STATES,
        )
        .select_related("membership__user")
        .order_by("created_at")
        .first()
    )
    if first is None:
        return InvalidState("It was decided just now.", code="invalid_state")
    if first.membership_id == decision.membership_id:
        return InvalidState("Your decision on it is already in progress.", code="already_deciding")
    did = DECIDED[first.operation].sentence(first.title)
    return InvalidState(f"{first.membership.user} decided first and {did}.", code="already_deciding")


def undo(actor: Actor, decision_id: UUID | str) -> Decision:
    """Undoes one's own decision while it waits: true, not a reversal. InvalidState once it is being sent."""
    decision = own_decision(actor, decision_id)
    with transaction.atomic():
        # Read under the lock: what was sent and put off since it was read above is not said to have stayed here.
        rows = Decision.objects.select_for_update(no_key=True, of=("self",))
        waiting = rows.filter(pk=decision.pk, state=DecisionState.WAITING).first()
        if waiting is not None:
            waiting.settle(DecisionState.CANCELLED, message=f"You undid it. {waiting.not_done_sentence}", code="undone")
            waiting.save(update_fields=["state", "outcome", "settled_at", "claim", "lease_until"])
            record_settled(actor, waiting, Outcome.UNDONE)
            return waiting
    decision.refresh_from_db()
    if decision.state != DecisionState.CANCELLED:
        raise InvalidState("It was already on its way and can no longer be undone.", code="too_late")
    return decision


def own_decision(actor: Actor, decision_id: UUID | str) -> Decision:
    """One of the actor's own decisions in this business; NotFound for anybody else's."""
    own = Decision.objects.filter(membership_id=actor.member_id, business=actor.business)
    decision = own.filter(pk=as_uuid(decision_id)).first()
    if decision is None:
        raise NotFound
    return decision


def as_uuid(value: UUID | str) -> UUID:
    """An id out of an address; NotFound where it is none."""
    try:
        return value if isinstance(value, UUID) else UUID(value)
    except ValueError:
        raise NotFound from None


def subject_of_decision(decision: Decision) -> Subject:
    """The item of a decision as the audit tells it, whether or not it still exists."""
    return Subject(
        business_id=decision.business_id, kind=decision.object_type, id=decision.object_id, title=decision.title
    )


def record_settled(actor: Actor, decision: Decision, audit_outcome: Outcome) -> None:
    """Writes what became of a decision into the audit, where the gateway has not told it already."""
    settled_line(actor, decision, audit_outcome).save(force_insert=True)


def settled_line(actor: Actor, decision: Decision, audit_outcome: Outcome) -> AuditEntry:
    """What the audit says of what became of a decision, not written yet."""
    return line(
        actor,
        DECIDED[decision.operation],
        subject_of_decision(decision),
        audit_outcome,
        reason=decision.message,
        request_id=str(decision.outcome.get("request_id", "")),
        decision_id=decision.pk,
    )


def wait_for_outcome(decision: Decision, seconds: float = 1.5) -> Decision:
    """Waits a moment for a decision that is due at once; returns it as it is then (WAITING or SENDING: show "sending").

    Returns immediately where the decision waits its undo time.
    """
    ends = time.monotonic() + seconds
    while True:
        still = decision.state in {DecisionState.WAITING, DecisionState.SENDING}
        due = decision.due_at <= timezone.now() + timedelta(seconds=seconds)
        if not still or not due or time.monotonic() >= ends:
            return decision
        time.sleep(POLL_S)
        decision.refresh_from_db()
