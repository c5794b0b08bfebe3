"""What became of a decision that was sent: done, refused with the service's words, waiting again, or not known yet."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from pydantic import ValidationError

from dashboard.access.actor import Actor
from dashboard.audit.models import Outcome
from dashboard.client.errors import Conflict, FinanceError, NotAllowed, NotFound, TooMany, Unavailable, Unknown
from dashboard.client.gateway import Answer
from dashboard.client.models.expenses import BulkReview
from dashboard.decisions import claims
from dashboard.decisions.alerts import close_alert
from dashboard.decisions.claims import Claim
from dashboard.decisions.models import Decision, State
from dashboard.decisions.reading import Found, look
from dashboard.decisions.requests import DECIDED, Wire, wire_of
from dashboard.decisions.take import record_settled
from dashboard.decisions.written import bring_home
from dashboard.mirror.models import Approval

GIVE_UP_AFTER = timedelta(minutes=10)
IN_FLIGHT_AT_MOST = timedelta(minutes=1)
PAUSES_S = (1, 2, 4, 8, 15, 15, 30, 30, 60)
# Refusals that speak of the thing's state, not of the person or the request.
OF_STATE = frozenset({"invalid_state", "concurrent_update", "not_found"})
WORDS = {
    "not_found": "It is no longer there.",
    "invalid_state": "It is no longer waiting for this.",
    "self_approval_forbidden": "This is your own: somebody else decides on it.",
    "insufficient_role": "The finance service does not let you decide on this.",
    "concurrent_update": "Somebody else is changing it right now.",
}


def pause_after(tries: int) -> float:
    """Seconds until the next try."""
    return PAUSES_S[min(tries, len(PAUSES_S)) - 1] if tries else PAUSES_S[0]


def cancel(decision: Decision, refused: FinanceError) -> None:
    """It was not sent, because something it needed no longer holds."""
    with transaction.atomic():
        if claims.settle(decision, State.CANCELLED, message=f"{refused.detail} Nothing was sent.", code=refused.code):
            record_settled(Actor.as_recorded(decision.membership), decision, Outcome.CANCELLED)


def answered(ready: Sequence[Decision], answer: Answer, *, together: bool) -> None:
    """The service said yes: to one decision, or row by row to several."""
    wire = wire_of(DECIDED[ready[0].operation])
    if not together:
        bring_home(ready[0].business, wire, [answer.data])
        _done(ready[0], _said(ready[0], _voted_on(ready[0], wire, answer.data)), answer.request_id, told=True)
        return
    try:
        rows = {row.id: row for row in BulkReview.model_validate(answer.data).results}
    except ValidationError:
        rows = {}
    bring_home(ready[0].business, wire, [getattr(row, wire.row) for row in rows.values()])
    # A row that the answer leaves out is not known; one that was refused for its state was somebody's.
    left_out = [one for one in ready if one.object_id not in rows]
    late = [one for one in ready if one.object_id in rows and rows[one.object_id].code in OF_STATE]
    found = look(late)
    for decision in ready:
        row = rows.get(decision.object_id)
        if row is not None and row.ok:
            _done(decision, _said(decision, None), answer.request_id, told=False)
        elif row is not None:
            detail = row.detail or WORDS.get(row.code, "The finance service refused this one.")
            message, by = _faster(detail, found.get(decision.pk))
            error = Conflict(detail, code=row.code, request_id=answer.request_id)
            _refuse(decision, message, error, by=by, told=False)
    _find_out(left_out, Unknown(request_id=answer.request_id))


def _voted_on(decision: Decision, wire: Wire, payload: Any) -> Any:
    # Some votes are answered with what was voted on: the request itself, with its count of votes, is read then.
    if decision.object_type != "approval" or wire.answers == "approval":
        return payload
    look([decision])
    rows = Approval.objects.filter(business_id=decision.business_id, remote_id=decision.object_id)
    return rows.values_list("payload", flat=True).first()


def _said(decision: Decision, payload: Any) -> str:
    if decision.is_vote and isinstance(payload, dict) and payload.get("status") == "PENDING":
        given, required = payload.get("approvals_given"), payload.get("approvals_required")
        if isinstance(given, int) and isinstance(required, int):
            return f"Your vote counts: {given} of {required}."
    return "Done."


def _done(decision: Decision, message: str, request_id: str, *, told: bool, found_by_reading: bool = False) -> None:
    with transaction.atomic():
        kept = claims.settle(
            decision, State.DONE, message=message, request_id=request_id, found_by_reading=found_by_reading
        )
        if kept and not told:
            record_settled(Actor.as_recorded(decision.membership), decision, Outcome.DONE)
        if kept and decision.unknown_since is not None:
            close_alert(decision)


def _refuse(decision: Decision, message: str, error: FinanceError, *, by: str = "", told: bool = True) -> None:
    with transaction.atomic():
        kept = claims.settle(
            decision,
            State.REFUSED,
            message=message,
            code=error.code,
            request_id=error.request_id,
            status=error.upstream_status,
            by=by,
        )
        if kept and not told:
            record_settled(Actor.as_recorded(decision.membership), decision, Outcome.REFUSED)
        if kept and decision.unknown_since is not None:
            close_alert(decision)


def failed(claim: Claim, ready: Sequence[Decision], error: FinanceError, *, was_sent: bool) -> None:
    """The call did not succeed: refused, not reached, or without an answer that can be relied on."""
    not_asked = error.upstream_status is None and isinstance(error, NotAllowed | NotFound)
    nothing_heard = isinstance(error, Unavailable | TooMany) or not_asked
    if was_sent and not nothing_heard:
        # It may be our own earlier call that this answer speaks of.
        error.after_doubt = True
    if isinstance(error, Unknown) or error.after_doubt or (was_sent and nothing_heard):
        _find_out(ready, error)
    elif isinstance(error, Unavailable | TooMany):
        _again_later(claim, ready, error)
    elif not_asked:
        # The gate said no between our own check and the call: it holds for each of them, and nothing was sent.
        for decision in ready:
            cancel(decision, error)
    else:
        found = look(ready) if isinstance(error, Conflict | NotFound) else {}
        for decision in ready:
            message, by = _faster(error.user_message, found.get(decision.pk))
            _refuse(decision, message, error, by=by, told=len(ready) == 1)


def _again_later(claim: Claim, ready: Sequence[Decision], error: FinanceError) -> None:
    # Certainly not done: it waits here, and can be undone, until the service is back or we give up.
    now = timezone.now()
    given_up = [one for one in ready if one.created_at + GIVE_UP_AFTER < now]
    for decision in given_up:
        _refuse(decision, f"{error.detail} We tried for ten minutes. Nothing was changed.", error, told=False)
    waiting = [one for one in ready if one not in given_up]
    if waiting:
        pause = error.retry_after if error.retry_after is not None else pause_after(waiting[0].tries)
        claims.put_back(waiting, claim.id, min(pause, 60.0))


def _find_out(decisions: Sequence[Decision], error: FinanceError) -> None:
    """They may have been done: look, and only say what can be seen. Else they stay unknown and are asked again."""
    found = look(decisions)
    for decision in decisions:
        _judge(decision, found.get(decision.pk), error)


def _judge(decision: Decision, found: Found | None, error: FinanceError) -> None:
    if found is not None and found.done and (found.ours or not found.by):
        _done(decision, "Done; we found it done when we looked.", error.request_id, told=False, found_by_reading=True)
    elif found is not None and (found.done or (error.after_doubt and not isinstance(error, Unknown))):
        message, by = _faster(error.user_message, found)
        _refuse(decision, message, error, by=by, told=False)
    elif found is not None and _cannot_come_any_more(decision, error):
        _refuse(decision, f"It was not done: {error.detail}", error, told=False)
    else:
        _leave_unknown(decision)


def _cannot_come_any_more(decision: Decision, error: FinanceError) -> bool:
    # The gate lets nobody ask again, and what was sent would have arrived long ago.
    since = decision.unknown_since
    old = since is not None and since + IN_FLIGHT_AT_MOST < timezone.now()
    return old and isinstance(error, NotAllowed | NotFound)


def _leave_unknown(decision: Decision) -> None:
    if decision.claim is None:
        return
    message = "It was sent, but no answer came back. We are finding out what became of it."
    fresh = claims.leave_unknown([decision], decision.claim, pause_after(decision.tries), message)
    if fresh and decision.send_key != decision.key:
        record_settled(Actor.as_recorded(decision.membership), decision, Outcome.UNKNOWN)


def _faster(message: str, found: Found | None) -> tuple[str, str]:
    """Who was faster, in words, where that can be seen."""
    if found is None or not found.status or found.ours:
        return message, ""
    status = found.status.lower().replace("_", " ")
    if not found.by:
        return f"It is {status} now. Your decision changed nothing.", ""
    return f"{found.by} was faster: it is {status}. Your decision changed nothing.", found.by
