"""The one sender: claims what is due, checks it again, sends it through the gateway, writes what became of it.

Killed at any point nothing is lost and nothing is done twice: before the book says "sent" the decision is checked and
sent afresh; after, the very same call with the very same key is made again, and the item is looked at upstream.
"""

import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from importlib import import_module
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connection, connections, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from dashboard.access.actor import Actor
from dashboard.access.check import check
from dashboard.access.models import Business, User
from dashboard.access.sessions import current_key
from dashboard.client.gateway import ServiceResponse, send
from dashboard.client.models import IN_DOUBT, OutboundState
from dashboard.client.outbox import in_view_of, outbound_of
from dashboard.decisions.models import Claim, Decision, DecisionState, mark_left
from dashboard.decisions.outcomes import cancel_decision, record_answer, record_failure, record_overtaken
from dashboard.decisions.preconditions import check_not_blocked_since, differences
from dashboard.decisions.reconcile import decided_payload, freshen, judge
from dashboard.decisions.registry import DECIDED, spec_for, visible
from dashboard.errors import FinanceError, NotAllowed, NotFound, Stale
from dashboard.replica import is_configured, note_write
from telemetry import logs, tracing

log = structlog.get_logger(__name__)

# Few tries in a call: the outbox itself is what tries again, and a service that hangs must not hold up others.
SEND_S = 12.0
TRIES = 2
SWEEP_S = 20.0
LEASE_S = 30
SENDERS = 6
POLL_S = 0.2
MAY_BE_DONE = IN_DOUBT | {OutboundState.CONFIRMED}
# One sweep at a time: a service that hangs holds one worker process, and one of its senders, no more.
SWEEP_LOCK = 0x5EAD_0DEC


def send_due(business: Business | None = None) -> int:
    """Sends what is due now (of one business, or of all), several at once; how many calls were made.

    As long as one call hangs, the other senders go on with whatever becomes due, for at most 20 s. Of sweeps for all
    businesses one runs at a time; another returns at once.
    """
    if business is not None:
        return _sweep(business)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [SWEEP_LOCK])
        if not cursor.fetchone()[0]:
            return 0
        try:
            return _sweep(None)
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [SWEEP_LOCK])


def _sweep(business: Business | None) -> int:
    first = claim_next(business)
    if first is None:
        return 0
    sweep = _Sweep(business)
    with ThreadPoolExecutor(SENDERS, thread_name_prefix="sender") as senders:
        return sum(senders.map(tracing.in_this_trace(sweep.drain), [first, *([None] * (SENDERS - 1))]))


class _Sweep:
    """One sweep by several senders: it is over when nothing is due and nobody is sending any more."""

    def __init__(self, business: Business | None) -> None:
        self.business = business
        self.ends = time.monotonic() + SWEEP_S
        # The first claim is counted before any sender looks, so that none goes home before it is sent.
        self.busy = 1
        self.lock = threading.Lock()

    def drain(self, claim: Claim | None) -> int:
        """Sends until nothing is left; how many calls were made. `claim` was counted as busy already."""
        sent = 0
        try:
            while claim is not None or time.monotonic() < self.ends:
                claim = claim or self._next()
                if claim is not None:
                    self._send(claim)
                    claim, sent = None, sent + 1
                elif self.busy == 0:
                    break
                else:
                    time.sleep(POLL_S)
        finally:
            connections.close_all()
        return sent

    def _next(self) -> Claim | None:
        with self.lock:
            claim = claim_next(self.business)
            self.busy += claim is not None
            return claim

    def _send(self, claim: Claim) -> None:
        try:
            dispatch(claim)
        except Exception:
            # Whatever it was, the lease runs out and somebody takes it up again.
            log.exception("sending failed", decision_id=str(claim.first.pk))
        finally:
            with self.lock:
                self.busy -= 1


def claim_next(business: Business | None = None) -> Claim | None:
    """Claims what is due and nobody has (of one business, or of all), the oldest first; None where nothing is due."""
    with transaction.atomic():
        free = Decision.objects.select_for_update(no_key=True, skip_locked=True, of=("self",)).due()
        first = (free if business is None else free.filter(business=business)).order_by("due_at").first()
        if first is None:
            return None
        mates = _mates(first)
        claim_id, send_key = uuid.uuid4(), first.send_key or _send_key(first, len(mates))
        Decision.objects.filter(pk__in=[decision.pk for decision in mates]).update(
            state=DecisionState.SENDING,
            claim=claim_id,
            send_key=send_key,
            lease_until=timezone.now() + timedelta(seconds=LEASE_S),
            tries=F("tries") + 1,
        )
    return Claim.held(claim_id)


def _mates(first_decision: Decision) -> list[Decision]:
    rows = Decision.objects.select_for_update(no_key=True, skip_locked=True, of=("self",)).order_by("created_at", "id")
    if first_decision.send_key:
        # Decisions that were sent in one call are asked about in the very same call, under its key.
        return list(
            rows.filter(
                business_id=first_decision.business_id, send_key=first_decision.send_key, state=first_decision.state
            )
        )
    spec = spec_for(DECIDED[first_decision.operation])
    if first_decision.bulk_id is None or spec.together is None:
        return [first_decision]
    due = rows.filter(
        bulk_id=first_decision.bulk_id, state=DecisionState.WAITING, due_at__lte=timezone.now(), send_key=""
    )
    return list(due[: spec.most])


def _send_key(first_decision: Decision, how_many: int) -> str:
    # A call for several gets a key of its own for each try that may have other rows in it.
    return (
        first_decision.key if how_many == 1 else str(uuid.uuid5(first_decision.pk, f"together {first_decision.tries}"))
    )


def dispatch(claim: Claim) -> None:
    """Sends what was claimed, or finds out what became of it where it may have been done before.

    It goes on with the trace of the click that took the first of the decisions, under a request id of its own.
    """
    if not claim.decisions:
        return
    first = claim.first
    attributes: tracing.Attributes = {
        "operation": first.operation,
        "decision.id": str(first.pk),
        "decisions": len(claim.decisions),
    }
    with (
        logs.correlation(str(uuid.uuid4()), decision_id=str(first.pk)),
        tracing.entry_span("send decision", tracing.Kind.CONSUMER, first.traceparent, attributes),
    ):
        _dispatch(claim)
        if is_configured():
            for user_id in {decision.membership.user_id for decision in claim.decisions}:
                note_write(user_id)


def _dispatch(claim: Claim) -> None:
    outbound = outbound_of(claim.first.business_id, claim.first.send_key)
    if outbound is not None and outbound.has_left:
        mark_left(claim.decisions)
    before = OutboundState(outbound.state) if outbound else None
    ready = claim.decisions
    # What a person saw is compared before the first call that may do it, and never after (decisions F.1).
    if before not in MAY_BE_DONE:
        freshen(claim.decisions)
        ready = [decision for decision in claim.decisions if _still_right(decision)]
    if not ready:
        return
    try:
        answer = _send(ready)
    except FinanceError as error:
        # A right or a sight that was lost meanwhile says nothing of what was sent before.
        failure = error if error.upstream_status else in_view_of(before, error)
        record_failure(claim, ready, failure, together=_together(ready[0]))
    else:
        record_answer(ready, answer, together=_together(ready[0]))


def _together(first_decision: Decision) -> bool:
    return first_decision.send_key != first_decision.key or spec_for(DECIDED[first_decision.operation]).listed


def _still_right(decision: Decision) -> bool:
    """Asks everything again that was asked when it was taken; what no longer holds is not sent, and says why."""
    try:
        actor = Actor.for_membership(decision.membership, session_key=decision.session_key, fresh=True)
        if not is_session_alive(decision.session_key, decision.membership.user):
            raise NotAllowed("Your session ended before it was sent.", code="session_ended")
        subject = _subject(actor, decision)
        upstream = judge(decision, decided_payload(subject))
        if not upstream.waits:
            record_overtaken(decision, upstream)
            return False
        check(actor, DECIDED[decision.operation], subject)
        if changed := differences(decision.fingerprint, subject):
            raise Stale(
                f"It changed before it was sent ({'; '.join(str(difference) for difference in changed)}).", code="stale"
            )
        check_not_blocked_since(decision.business, DECIDED[decision.operation], subject, decision.overridden)
    except FinanceError as refused:
        cancel_decision(decision, refused)
        return False
    return True


def is_session_alive(session_key: str, user: User) -> bool:
    """Whether the session exists, is this person's, and was made with the password they have now.

    A decision that was taken without a session (by a job on somebody's behalf) has none that could have ended.
    """
    if not session_key:
        return True
    store = import_module(settings.SESSION_ENGINE).SessionStore
    # One that was given a new id since, because its person proved again who they are, is the same session.
    held = store(session_key).load() or store(current_key(session_key, user.pk)).load()
    if held.get(SESSION_KEY) != str(user.pk) or not held.get(BACKEND_SESSION_KEY):
        return False
    proof = str(held.get(HASH_SESSION_KEY, ""))
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(proof, session_hash) for session_hash in hashes)


def _subject(actor: Actor, decision: Decision) -> Any:
    subject = visible(actor, decision.object_type).filter(remote_id=decision.object_id).first()
    if subject is None:
        raise NotFound("You no longer have access to it.", code="hidden")
    return subject


def _send(ready: list[Decision]) -> ServiceResponse:
    first = ready[0]
    actor = Actor.for_membership(first.membership, session_key=first.session_key, fresh=True)
    operation = DECIDED[first.operation]
    spec = spec_for(operation)
    subjects = [_subject(actor, decision) for decision in ready]
    if spec.together is not None and _together(first):
        body = spec.body_for([decision.object_id for decision in ready], first.reason)
        return send(actor, spec.together, body=body, subject=subjects, key=first.send_key, deadline=SEND_S, tries=TRIES)
    return send(
        actor,
        operation,
        path=spec.path(subjects[0]),
        body=spec.body(first.object_id, first.reason),
        subject=subjects[0],
        key=first.send_key,
        deadline=SEND_S,
        tries=TRIES,
        decision_id=first.pk,
    )
