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
from dashboard.client.gateway import KEY_TOO_OLD, Answer
from dashboard.client.outbox import KEY_REUSED
from dashboard.decisions import leases
from dashboard.decisions.alerts import close_alert
from dashboard.decisions.leases import Claim
from dashboard.decisions.models import NOT_KNOWN, OPEN, Decision, State
from dashboard.decisions.reconcile import Found, look, write_through
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

GIVE_UP_AFTER = timedelta(minutes=10)
IN_FLIGHT_AT_MOST = timedelta(minutes=1)
PAUSES_S = (1, 2, 4, 8, 15, 15, 30, 30, 60)
# Answers given before a key is looked at: they say nothing of what was done under it.
BEFORE_THE_KEY = frozenset({401, 403, 408, 425, 429})
# Refusals that speak of the thing's state, not of the person or the request.
OF_STATE = frozenset({"invalid_state", "concurrent_update", "not_found"})
WORDS = {
    "not_found": "It is no longer there.",
    "invalid_state": "It is no longer waiting for this.",
    "self_approval_forbidden": "This is your own item: somebody else must decide on it.",
    "insufficient_role": "The finance service does not allow you to decide on this.",
    "concurrent_update": "Somebody else is changing it.",
}


def pause_after(tries: int) -> float:
    """Seconds until the next try."""
    return PAUSES_S[min(tries, len(PAUSES_S)) - 1] if tries else PAUSES_S[0]


def cancel(decision: Decision, refused: FinanceError) -> None:
    """It ends before it was done, because something it needed no longer holds."""
    message = f"{refused.detail} {decision.not_done}"
    with transaction.atomic():
        if leases.settle(decision, State.CANCELLED, message=message, code=refused.code):
            record_settled(Actor.as_recorded(decision.membership), decision, Outcome.CANCELLED)


def overtaken(decision: Decision, found: Found) -> None:
    """Before it was sent, the thing was decided: by the same person elsewhere, or by somebody who was faster."""
    if found.done and found.ours:
        _done(decision, found.sentence, "", audited=False, found_by_reading=True)
    else:
        _lose(decision, found, Conflict(found.sentence, code="invalid_state"), audited=False)


def answered(ready: Sequence[Decision], answer: Answer, *, together: bool) -> None:
    """The service said yes: to one decision, or row by row to several."""
    spec = spec_for(DECIDED[ready[0].operation])
    if not together:
        write_through(ready[0].business, spec, [answer.data])
        _done(ready[0], _said(ready[0], _voted_on(ready[0], spec, answer.data)), answer.request_id, audited=True)
        return
    try:
        rows = {row.id: row for row in BulkReview.model_validate(answer.data).results}
    except ValidationError:
        rows = {}
    write_through(ready[0].business, spec, [getattr(row, spec.row) for row in rows.values()])
    # A row that the answer leaves out is not known; one that was refused for its state was somebody's.
    left_out = [one for one in ready if one.object_id not in rows]
    refused = [one for one in ready if one.object_id in rows and not rows[one.object_id].ok]
    late = [one for one in refused if rows[one.object_id].code in OF_STATE and not answer.after_doubt]
    found = look(late)
    for decision in ready:
        row = rows.get(decision.object_id)
        if row is not None and row.ok:
            _done(decision, _said(decision, None), answer.request_id, audited=False)
        elif row is not None and not answer.after_doubt:
            error = _row_error(row, answer)
            _end_refused(decision, found.get(decision.pk), error, error.detail, audited=False)
    _find_out(left_out, Unknown(request_id=answer.request_id))
    if answer.after_doubt:
        # What is refused now may be what the same call did before: each is looked at before that is believed.
        for decision in refused:
            _find_out([decision], Unknown(refusal=_row_error(rows[decision.object_id], answer)))


def _row_error(row: Any, answer: Answer) -> Conflict:
    detail = row.detail or WORDS.get(row.code, "The finance service refused this one.")
    return Conflict(detail, code=row.code, request_id=answer.request_id, upstream_status=409)


def _voted_on(decision: Decision, spec: DecisionSpec, payload: Any) -> Any:
    # Some votes are answered with what was voted on: the request itself, with its count of votes, is read then.
    if decision.object_type != "approval" or spec.answers == "approval":
        return payload
    look([decision])
    rows = Approval.objects.filter(business_id=decision.business_id, remote_id=decision.object_id)
    return rows.values_list("payload", flat=True).first()


def _said(decision: Decision, payload: Any) -> str:
    if decision.is_vote and isinstance(payload, dict) and payload.get("status") == "PENDING":
        given, required = payload.get("approvals_given"), payload.get("approvals_required")
        if isinstance(given, int) and isinstance(required, int):
            return f"Your approval counts: {given} of {required}."
    return "Done."


def _done(decision: Decision, message: str, request_id: str, *, audited: bool, found_by_reading: bool = False) -> None:
    outcome = {"message": message, "request_id": request_id, "found_by_reading": found_by_reading}
    _settle(decision, State.DONE, Outcome.DONE, audited=audited, **outcome)


def _refuse(decision: Decision, message: str, error: FinanceError, *, audited: bool) -> None:
    outcome = {"code": error.code, "request_id": error.request_id, "status": error.upstream_status}
    _settle(decision, State.REFUSED, Outcome.REFUSED, audited=audited, message=message, **outcome)


def _lose(decision: Decision, found: Found, error: FinanceError, *, audited: bool) -> None:
    outcome = {"code": error.code, "request_id": error.request_id, "status": error.upstream_status, "by": found.by}
    message = f"{found.sentence} Your decision changed nothing."
    _settle(decision, State.LOST, Outcome.REFUSED, audited=audited, message=message, **outcome)


def _lose_in_doubt(decision: Decision, found: Found, error: FinanceError) -> None:
    """Others have decided since: ours may have been done before that, unless it would be seen."""
    outcome = {"request_id": error.request_id, "status": error.upstream_status, "by": found.by}
    if found.conclusive:
        outcome |= {"message": found.sentence, "code": error.code}
        _settle(decision, State.LOST, Outcome.REFUSED, audited=False, **outcome)
    else:
        outcome |= {"message": found.sentence_in_doubt, "code": NOT_KNOWN}
        _settle(decision, State.LOST, Outcome.UNKNOWN, audited=False, **outcome)


def _settle(decision: Decision, state: State, outcome: Outcome, *, audited: bool, **details: Any) -> None:
    """Writes the end of a claimed decision; the audit's line too where the gateway has written none that says the same."""
    with transaction.atomic():
        kept = leases.settle(decision, state, **details)
        if kept and not audited:
            record_settled(Actor.as_recorded(decision.membership), decision, outcome)
        if kept and decision.unknown_since is not None:
            close_alert(decision)


def _end_refused(decision: Decision, found: Found | None, error: FinanceError, message: str, *, audited: bool) -> None:
    """The service refused: because somebody was faster, where a look shows that, else in its own words."""
    if found is not None and not found.waits and not found.ours:
        _lose(decision, found, error, audited=audited)
    else:
        _refuse(decision, message, error, audited=audited)


def failed(claim: Claim, ready: Sequence[Decision], error: FinanceError, *, together: bool) -> None:
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
            _done(decision, "Done.", error.request_id, audited=True)
    elif isinstance(error, Unavailable | TooMany):
        _again_later(claim, ready, error)
    elif error.upstream_status is None and isinstance(error, NotAllowed | NotFound):
        # The gate said no between our own check and the call: it holds for each of them.
        for decision in ready:
            cancel(decision, error)
    else:
        found = look(ready) if isinstance(error, Conflict | NotFound) else {}
        for decision in ready:
            _end_refused(decision, found.get(decision.pk), error, error.user_message, audited=len(ready) == 1)


def _again_later(claim: Claim, ready: Sequence[Decision], error: FinanceError) -> None:
    # Certainly not done: it waits here, and can be undone, until the service is back or we give up.
    now = timezone.now()
    given_up = [one for one in ready if one.created_at + GIVE_UP_AFTER < now]
    for decision in given_up:
        _refuse(decision, f"{error.detail} We tried for ten minutes. Nothing was changed.", error, audited=False)
    waiting = [one for one in ready if one not in given_up]
    if waiting:
        pause = error.retry_after if error.retry_after is not None else pause_after(waiting[0].tries)
        leases.put_back(waiting, claim.id, min(pause, 60.0), has_left=error.has_left)


def _find_out(decisions: Sequence[Decision], doubt: Unknown) -> None:
    """They may have been done: look, and only say what can be seen. Else they stay unknown and are asked again."""
    found = look(decisions)
    for decision in decisions:
        _judge(decision, found.get(decision.pk), doubt)
    _settle_entry(decisions)


def _judge(decision: Decision, found: Found | None, doubt: Unknown) -> None:
    if found is None:
        _leave_unknown(decision)
    elif found.done and found.ours:
        message = "Done; we found it done when we looked."
        _done(decision, message, doubt.request_id, audited=False, found_by_reading=True)
    elif found.done and not found.decider:
        _done(decision, found.sentence, doubt.request_id, audited=False, found_by_reading=True)
    elif found.done or (not found.waits and _settles(decision, doubt.refusal)):
        _lose_in_doubt(decision, found, doubt)
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


def _settle_entry(decisions: Sequence[Decision]) -> None:
    # What the looks have told of every row of a call is told of the call's entry in the outbox, too.
    states = {decision.state for decision in decisions}
    if any(decision.ended_in_doubt for decision in decisions):
        # They have ended, and the entry stays what it is: nobody knows.
        return
    if states and not states & set(OPEN):
        done = State.DONE in states
        outbox.settle_by_reading(decisions[0].business_id, decisions[0].send_key, done=done)


def _leave_unknown(decision: Decision) -> None:
    if decision.claim is None:
        return
    message = "It was sent, but no answer came back. We are finding out whether it was done."
    fresh = leases.leave_unknown([decision], decision.claim, pause_after(decision.tries), message)
    if fresh and decision.send_key != decision.key:
        record_settled(Actor.as_recorded(decision.membership), decision, Outcome.UNKNOWN)
