"""What became of a decision that was sent: done, refused with the service's words, waiting again, or not known yet."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from pydantic import ValidationError

from dashboard.access.actor import Actor
from dashboard.audit.models import Outcome
from dashboard.client import outbox
from dashboard.client.gateway import ServiceResponse
from dashboard.client.outbox import KEY_REUSED, KEY_TOO_OLD
from dashboard.client.refusals import sentence_in
from dashboard.decisions.alerts import close_alert
from dashboard.decisions.models import NOT_KNOWN, OPEN_DECISION_STATES, Claim, Decision, DecisionState
from dashboard.decisions.reconcile import UpstreamState, read_upstream, write_answers
from dashboard.decisions.registry import DECIDED, DecisionSpec, spec_for
from dashboard.decisions.services import record_settled
from dashboard.errors import (
    AlreadyDone,
    Conflict,
    FinanceError,
    NotAllowed,
    NotFound,
    TooMany,
    Unavailable,
    Unknown,
)
from dashboard.mirror.models import Approval
from dashboard.schemas.expenses import BulkReview

ABANDONED_AFTER = timedelta(minutes=10)
IN_FLIGHT_AT_MOST = timedelta(minutes=1)
PAUSES_S = (1, 2, 4, 8, 15, 15, 30, 30, 60)
# Answers given before a key is looked at: they say nothing of what was done under it.
BEFORE_THE_KEY = frozenset({401, 403, 408, 425, 429})
# Refusals that speak of the item's state, not of the person or the request.
OF_STATE = frozenset({"invalid_state", "concurrent_update", "not_found"})
WORDS = {
    "not_found": "It is no longer there.",
    "invalid_state": "It is no longer waiting for this.",
    "self_approval_forbidden": "This is your own item: somebody else must decide on it.",
    "insufficient_role": "The finance service does not allow you to decide on this.",
    "concurrent_update": "Somebody else is changing it.",
}


def pause_after(tries: int) -> float:
    """Seconds to wait after so many tries."""
    return PAUSES_S[min(tries, len(PAUSES_S)) - 1] if tries else PAUSES_S[0]


def cancel_decision(decision: Decision, refused: FinanceError) -> None:
    """It ends before it was done, because something it needed no longer holds."""
    message = f"{refused.detail} {decision.not_done_sentence}"
    with transaction.atomic():
        if decision.settle_claimed(DecisionState.CANCELLED, message=message, code=refused.code):
            record_settled(Actor.as_recorded(decision.membership), decision, Outcome.CANCELLED)


def record_overtaken(decision: Decision, upstream: UpstreamState) -> None:
    """Before it was sent, the item was decided: by the same person elsewhere, or by somebody who was faster."""
    if upstream.done and upstream.ours:
        _settle_done(decision, upstream.sentence, "", audited=False, by_reading=True)
    else:
        _lose(decision, upstream, Conflict(upstream.sentence, code="invalid_state"), audited=False)


def record_answer(ready: Sequence[Decision], answer: ServiceResponse, *, together: bool) -> None:
    """The service said yes: to one decision, or row by row to several."""
    spec = spec_for(DECIDED[ready[0].operation])
    if not together:
        write_answers(ready[0].business, spec, [answer.data])
        _settle_done(
            ready[0], _done_message(ready[0], _voted_on(ready[0], spec, answer.data)), answer.request_id, audited=True
        )
        return
    try:
        rows = {row.id: row for row in BulkReview.model_validate(answer.data).results}
    except ValidationError:
        rows = {}
    write_answers(ready[0].business, spec, [getattr(row, spec.row) for row in rows.values()])
    # A row that the answer leaves out is not known; one that was refused for its state was somebody's.
    left_out = [decision for decision in ready if decision.object_id not in rows]
    refused = [decision for decision in ready if decision.object_id in rows and not rows[decision.object_id].ok]
    late = [decision for decision in refused if rows[decision.object_id].code in OF_STATE and not answer.after_doubt]
    upstream_states = read_upstream(late)
    for decision in ready:
        row = rows.get(decision.object_id)
        if row is not None and row.ok:
            _settle_done(decision, _done_message(decision, None), answer.request_id, audited=False)
        elif row is not None and not answer.after_doubt:
            error = _row_error(row, answer)
            _end_refused(decision, upstream_states.get(decision.pk), error, error.detail, audited=False)
    _find_out(left_out, Unknown(request_id=answer.request_id))
    if answer.after_doubt:
        # A refusal may be the effect of the same call's earlier try: each row is read before the refusal is believed.
        for decision in refused:
            _find_out([decision], Unknown(refusal=_row_error(rows[decision.object_id], answer)))


def _row_error(row: Any, answer: ServiceResponse) -> Conflict:
    detail = sentence_in(row.detail) or WORDS.get(row.code, "The finance service refused this one.")
    return Conflict(detail, code=row.code, request_id=answer.request_id, upstream_status=409)


def _voted_on(decision: Decision, spec: DecisionSpec, payload: Any) -> Any:
    # Some votes are answered with what was voted on: the request itself, with its count of votes, is read then.
    if decision.object_type != "approval" or spec.answers == "approval":
        return payload
    read_upstream([decision])
    rows = Approval.objects.filter(business_id=decision.business_id, remote_id=decision.object_id)
    return rows.values_list("payload", flat=True).first()


def _done_message(decision: Decision, payload: Any) -> str:
    if decision.is_vote and isinstance(payload, dict) and payload.get("status") == "PENDING":
        given, required = payload.get("approvals_given"), payload.get("approvals_required")
        if isinstance(given, int) and isinstance(required, int):
            return f"Your approval counts: {given} of {required}."
    return "Done."


def _settle_done(decision: Decision, message: str, request_id: str, *, audited: bool, by_reading: bool = False) -> None:
    outcome = {"message": message, "request_id": request_id, "found_by_reading": by_reading}
    _settle(decision, DecisionState.DONE, Outcome.DONE, audited=audited, **outcome)


def _refuse(decision: Decision, message: str, error: FinanceError, *, audited: bool) -> None:
    outcome = {"code": error.code, "request_id": error.request_id, "status": error.upstream_status}
    _settle(decision, DecisionState.REFUSED, Outcome.REFUSED, audited=audited, message=message, **outcome)


def _lose(decision: Decision, upstream: UpstreamState, error: FinanceError, *, audited: bool) -> None:
    outcome = {"code": error.code, "request_id": error.request_id, "status": error.upstream_status, "by": upstream.by}
    message = f"{upstream.sentence} Your decision changed nothing."
    _settle(decision, DecisionState.LOST, Outcome.REFUSED, audited=audited, message=message, **outcome)


def _lose_in_doubt(decision: Decision, upstream: UpstreamState, error: FinanceError) -> None:
    """Others have decided since: ours may have been done before that, unless it would be seen."""
    outcome = {"request_id": error.request_id, "status": error.upstream_status, "by": upstream.by}
    if upstream.conclusive:
        outcome |= {"message": upstream.sentence, "code": error.code}
        _settle(decision, DecisionState.LOST, Outcome.REFUSED, audited=False, **outcome)
    else:
        outcome |= {"message": upstream.sentence_in_doubt, "code": NOT_KNOWN}
        _settle(decision, DecisionState.LOST, Outcome.UNKNOWN, audited=False, **outcome)


def _settle(decision: Decision, state: DecisionState, audit_outcome: Outcome, *, audited: bool, **details: Any) -> None:
    """Writes the end of a claimed decision; the audit's line too where the gateway has written none that says the same."""
    with transaction.atomic():
        written = decision.settle_claimed(state, **details)
        if written and not audited:
            record_settled(Actor.as_recorded(decision.membership), decision, audit_outcome)
        if written and decision.unknown_since is not None:
            close_alert(decision)


def _end_refused(
    decision: Decision, upstream: UpstreamState | None, error: FinanceError, message: str, *, audited: bool
) -> None:
    """The service refused: because somebody was faster, where a look shows that, else in its own words."""
    if upstream is not None and not upstream.waits and not upstream.ours:
        _lose(decision, upstream, error, audited=audited)
    else:
        _refuse(decision, message, error, audited=audited)


def record_failure(claim: Claim, ready: Sequence[Decision], error: FinanceError, *, together: bool) -> None:
    """The call did not succeed: refused, not reached, or without an answer that can be relied on.

    What the gateway raises speaks of the key, not of one call alone: anything but Unknown and AlreadyDone means that
    nothing was done under it.
    """
    if isinstance(error, Unknown):
        _find_out(ready, error)
    elif isinstance(error, AlreadyDone) and together:
        # The call was done: what became of its rows stood in its answer, and each of these has lost that.
        refusal = error.refusal
        _find_out(ready, Unknown(refusal=refusal.refusal if isinstance(refusal, Unknown) else refusal))
    elif isinstance(error, AlreadyDone):
        for decision in ready:
            _settle_done(decision, "Done.", error.request_id, audited=True)
    elif isinstance(error, Unavailable | TooMany):
        _again_later(claim, ready, error)
    elif error.upstream_status is None and isinstance(error, NotAllowed | NotFound):
        # The gate said no between our own check and the call: it holds for each of them.
        for decision in ready:
            cancel_decision(decision, error)
    else:
        upstream_states = read_upstream(ready) if isinstance(error, Conflict | NotFound) else {}
        for decision in ready:
            _end_refused(decision, upstream_states.get(decision.pk), error, error.user_message, audited=len(ready) == 1)


def _again_later(claim: Claim, ready: Sequence[Decision], error: FinanceError) -> None:
    # Certainly not done: it waits here, and can be undone, until the service is back or we give up.
    now = timezone.now()
    expired = [decision for decision in ready if decision.created_at + ABANDONED_AFTER < now]
    for decision in expired:
        _refuse(decision, f"{error.detail} We tried for ten minutes. Nothing was changed.", error, audited=False)
    waiting = [decision for decision in ready if decision not in expired]
    if waiting:
        pause = error.retry_after if error.retry_after is not None else pause_after(waiting[0].tries)
        claim.return_to_queue(waiting, min(pause, 60.0), has_left=error.has_left)


def _find_out(decisions: Sequence[Decision], doubt: Unknown) -> None:
    """They may have been done: look, and only say what can be seen. Else they stay unknown and are asked again."""
    upstream_states = read_upstream(decisions)
    for decision in decisions:
        _judge(decision, upstream_states.get(decision.pk), doubt)
    _settle_outbound(decisions)


def _judge(decision: Decision, upstream: UpstreamState | None, doubt: Unknown) -> None:
    if upstream is None:
        _leave_unknown(decision)
    elif upstream.done and upstream.ours:
        message = "Done; we found it done when we looked."
        _settle_done(decision, message, doubt.request_id, audited=False, by_reading=True)
    elif upstream.done and not upstream.decider:
        _settle_done(decision, upstream.sentence, doubt.request_id, audited=False, by_reading=True)
    elif upstream.done or (not upstream.waits and _settles(decision, doubt.refusal)):
        _lose_in_doubt(decision, upstream, doubt)
    elif doubt.refusal is not None and _settles(decision, doubt.refusal):
        alone = "it was sent together with others, and is not sent again alone. Decide again."
        why = alone if doubt.refusal.code == KEY_REUSED else doubt.refusal.detail
        _refuse(decision, f"It was not done: {why}", doubt.refusal, audited=False)
    else:
        # Decided otherwise by somebody else, perhaps after ours was done: only an answer to the key can tell.
        _leave_unknown(decision)


def _settles(decision: Decision, refusal: FinanceError | None) -> bool:
    """Whether what stands in the way now, where a look does not show it done, means that it was not done and cannot be."""
    if refusal is None:
        return False
    if refusal.upstream_status is not None:
        return 400 <= refusal.upstream_status < 500 and refusal.upstream_status not in BEFORE_THE_KEY
    # Nobody may ask again; or its key is too old to be asked again under, or was that of a call for several rows, of
    # which others have ended: what was sent would have arrived long ago.
    since = decision.unknown_since
    old = since is not None and since + IN_FLIGHT_AT_MOST < timezone.now()
    return old and (isinstance(refusal, NotAllowed | NotFound) or refusal.code in {KEY_TOO_OLD, KEY_REUSED})


def _settle_outbound(decisions: Sequence[Decision]) -> None:
    # Once every decision of a call has been found out, by reading its row, the call's own row in the outbox is settled.
    states = {decision.state for decision in decisions}
    if any(decision.ended_in_doubt for decision in decisions):
        # A decision that ended in doubt leaves the call in doubt: nobody knows whether it was done.
        return
    if states and not states & set(OPEN_DECISION_STATES):
        done = DecisionState.DONE in states
        outbox.settle_by_reading(decisions[0].business_id, decisions[0].send_key, done=done)


def _leave_unknown(decision: Decision) -> None:
    if decision.claim is None:
        return
    message = "It was sent, but no answer came back. We are finding out whether it was done."
    is_new = decision.leave_unknown(pause_after(decision.tries), message)
    if is_new and decision.send_key != decision.key:
        record_settled(Actor.as_recorded(decision.membership), decision, Outcome.UNKNOWN)
