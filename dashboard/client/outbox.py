"""The outbox: what is sent to the service, written and committed before the first byte leaves, and what came of it.

One row per write and key. Its state moves along `TRANSITIONS` alone, which the database enforces (outbox.sql): doubt is
sticky (decisions F.1), and a row that ever left is never again one that has not. A service keeps a refusal under its key,
so what a form corrects after one goes under the next (outbox_keys.py).
"""

import uuid
from collections.abc import Mapping
from enum import Enum
from typing import Any

from django.db import transaction
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.audit.models import Outcome
from dashboard.audit.naming import named_in
from dashboard.audit.record import record
from dashboard.client.http import Call
from dashboard.client.json import read_json
from dashboard.client.models import IN_DOUBT, OutboundOperation, OutboundState
from dashboard.errors import AlreadyDone, FinanceError, KeyReused, TooMany, Unavailable, Unknown
from dashboard.form_key import current_form_key, current_form_path

# Never stored, not even here: who can read the table could use them.
NEVER_STORED = frozenset({"otp", "pin", "cvv", "pan", "password", "secret"})
# Of a call that is not the one which the key was used for.
KEY_REUSED = "key_reused"
# Our own word for a doubt that asking under the key can end no more.
KEY_TOO_OLD = "key_too_old"


_S = OutboundState


class Event(Enum):
    """What can happen to an outbound operation, and the states that it then goes to; from any other state it stays where it is."""

    SENDING = {_S.PENDING: _S.SENT, _S.DEFERRED: _S.SENT, _S.REJECTED: _S.SENT, _S.SENT: _S.UNKNOWN}
    NOT_SENT = {_S.SENT: _S.PENDING}
    DEFERRED = {_S.SENT: _S.DEFERRED}
    REFUSED = {_S.SENT: _S.REJECTED, _S.UNKNOWN: _S.REJECTED}
    UNANSWERED = {_S.SENT: _S.UNKNOWN}
    DONE = {_S.SENT: _S.CONFIRMED, _S.UNKNOWN: _S.CONFIRMED}


def outbound_of(business_id: int, key: str) -> OutboundOperation | None:
    """The outbound operation of a key; None where nothing was ever written down under it."""
    return OutboundOperation.objects.filter(business_id=business_id, key=key).first()


def open_outbound(
    actor: Actor,
    operation: Operation,
    call: Call,
    subject: object | None,
    body: Mapping[str, Any] | None,
    decision_id: uuid.UUID | None,
) -> OutboundOperation:
    """Writes the attempt and the audit's line about it, in a short transaction of its own.

    A key that was used before gives its row again; KeyReused where it was used for something else.
    """
    with transaction.atomic(durable=True):
        outbound, fresh = OutboundOperation.objects.get_or_create(
            business=actor.business,
            key=call.headers["Idempotency-Key"],
            defaults={
                "membership_id": actor.membership_id,
                "employee_id": actor.employee_id,
                "operation": operation.name,
                "form_key": current_form_key(),
                "form_path": current_form_path(),
                "path": call.path,
                "body": _without_codes(call.in_outbox),
                "request_id": call.headers["X-Request-Id"],
            },
        )
        if not fresh and (outbound.operation, outbound.path, outbound.body) != (
            operation.name,
            call.path,
            _without_codes(call.in_outbox),
        ):
            raise KeyReused(code=KEY_REUSED)
        before, after = _changes(subject, body) if decision_id is None else (None, None)
        if call.stored is not None:
            described = body or {}
            after = {"document": described["file_name"], "digest": described["sha256"][:16]}
        record(
            actor,
            operation,
            subject,
            Outcome.ATTEMPT,
            name=named_in(body),
            reason=str((body or {}).get("reason") or ""),
            before=before,
            after=after,
            request_id=call.headers["X-Request-Id"],
            decision_id=decision_id,
        )
    return outbound


def _changes(
    subject: object | None, body: Mapping[str, Any] | None
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """What an edit changes of a mirrored row, before and after: the plain fields that both call by the same name."""
    stored = getattr(subject, "payload", None)
    if not isinstance(stored, dict) or not body:
        return None, None
    names = [name for name in body if name in stored and name not in NEVER_STORED]
    plain = [
        name for name in names if not isinstance(body[name], dict | list) and not isinstance(stored[name], dict | list)
    ]
    changed = [name for name in plain if (body[name] or None) != (stored[name] or None)]
    if not changed:
        return None, None
    return {name: _plain(stored[name]) for name in changed}, {name: _plain(body[name]) for name in changed}


def _without_codes(body: bytes | None) -> Any:
    if body is None:
        return None
    document = read_json(body)
    if not isinstance(document, dict):
        return document
    return {name: _plain(value) for name, value in document.items() if name not in NEVER_STORED}


def _plain(value: Any) -> Any:
    # Amounts are kept as text: the database's JSON must not make a float of them.
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items() if name not in NEVER_STORED}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | bool | None) else str(value)


def mark_sent(outbound: OutboundOperation) -> OutboundState:
    """A call is about to leave; the state in which it was found.

    SENT there means that another call is under way or was left behind by a process that ended: from then on in doubt.
    """
    with transaction.atomic():
        return _move(outbound, Event.SENDING)


def confirm_outbound(
    actor: Actor,
    operation: Operation,
    outbound: OutboundOperation,
    subject: object | None,
    request_id: str,
    status: int,
    decision_id: uuid.UUID | None,
) -> None:
    """Writes that the service has done it, here and in the audit."""
    with transaction.atomic():
        _close(outbound, Event.DONE, request_id, status, "")
        record(
            actor, operation, subject, Outcome.DONE, name=named_in(outbound.body), request_id=request_id, decision_id=decision_id
        )  # fmt: skip


def close_outbound(
    actor: Actor,
    operation: Operation,
    outbound: OutboundOperation,
    subject: object | None,
    error: FinanceError,
    decision_id: uuid.UUID | None,
) -> None:
    """Writes how a call ended that brought no success, here and in the audit: as what is known of the key by now."""
    with transaction.atomic():
        _close(outbound, _event_of(error), error.request_id, error.upstream_status, error.code)
        record(
            actor,
            operation,
            subject,
            OUTCOMES[OutboundState(outbound.state)],
            name=named_in(outbound.body),
            reason=error.detail,
            request_id=error.request_id or outbound.request_id,
            decision_id=decision_id,
        )


OUTCOMES = {
    OutboundState.PENDING: Outcome.FAILED,
    OutboundState.SENT: Outcome.UNKNOWN,
    OutboundState.DEFERRED: Outcome.FAILED,
    OutboundState.REJECTED: Outcome.REFUSED,
    OutboundState.UNKNOWN: Outcome.UNKNOWN,
    OutboundState.CONFIRMED: Outcome.DONE,
}


def settle_by_reading(business_id: int, key: str, *, done: bool) -> None:
    """Closes one in doubt after a read of its subject showed whether the write was done; any other stays."""
    with transaction.atomic():
        rows = OutboundOperation.objects.select_for_update(no_key=True).filter(business_id=business_id, key=key)
        outbound = rows.first()
        if outbound is not None and outbound.in_doubt:
            _close(outbound, Event.DONE if done else Event.REFUSED, "", None, "found_by_reading")


def _event_of(error: FinanceError) -> Event:
    if isinstance(error, Unknown):
        return Event.UNANSWERED
    if isinstance(error, Unavailable | TooMany):
        return Event.DEFERRED if error.has_left else Event.NOT_SENT
    return Event.REFUSED


def _close(outbound: OutboundOperation, outbound_event: Event, request_id: str, status: int | None, code: str) -> None:
    _move(
        outbound,
        outbound_event,
        request_id=(request_id or outbound.request_id)[:80],
        upstream_status=status,
        error_code=code[:60],
        settled_at=timezone.now(),
    )


def _move(outbound: OutboundOperation, outbound_event: Event, **changes: Any) -> OutboundState:
    """Moves it under its lock, writes the changes with it, and answers with the state that it was in."""
    row = OutboundOperation.objects.select_for_update(no_key=True, of=("self",)).get(pk=outbound.pk)
    previous = OutboundState(row.state)
    changes["state"] = outbound_event.value.get(previous, previous)
    if changes["state"] == OutboundState.PENDING and row.has_left:
        changes["state"] = OutboundState.DEFERRED
    changes["has_left"] = row.has_left or changes["state"] not in {OutboundState.PENDING, OutboundState.SENT}
    if outbound_event is Event.SENDING:
        changes |= {"tries": row.tries + 1, "sent_at": row.sent_at or timezone.now()}
    if previous == OutboundState.CONFIRMED and outbound_event is not Event.SENDING:
        # A confirmed write stays as it was written down: a later answer under the same key changes nothing of it.
        return previous
    OutboundOperation.objects.filter(pk=outbound.pk).update(**changes)
    for name, value in changes.items():
        setattr(outbound, name, value)
    return previous


def in_view_of(before: OutboundState | None, error: FinanceError) -> FinanceError:
    """What stands in the way of a call says nothing of what was sent under the same key before: that stays as it was."""
    if before is OutboundState.CONFIRMED:
        if isinstance(error, AlreadyDone):
            return error
        return AlreadyDone(code="already_done", request_id=error.request_id, refusal=error)
    in_doubt = before in IN_DOUBT and not isinstance(error, Unknown)
    return Unknown(refusal=error) if in_doubt else error


def state_of_form(business_id: int, membership_id: int | None, form_key: str, form_path: str) -> OutboundState | None:
    """How a person's form, by its key and the path it is posted to, ended by the outbox: CONFIRMED where it was done,
    UNKNOWN where it may have been done, None where it certainly was not.

    Of a form that was corrected after a refusal the last call counts, but whatever is in doubt comes first.
    """
    if not form_key or membership_id is None:
        return None
    calls = OutboundOperation.objects.filter(
        business_id=business_id, membership_id=membership_id, form_key=form_key, form_path=form_path
    ).order_by("-pk")
    states = [OutboundState(state) for state in calls.values_list("state", flat=True)]
    if any(state in IN_DOUBT for state in states):
        return OutboundState.UNKNOWN
    return OutboundState.CONFIRMED if states[:1] == [OutboundState.CONFIRMED] else None


def last_call_of_form(
    business_id: int, membership_id: int | None, form_key: str, form_path: str, operation: Operation
) -> OutboundOperation | None:
    """What a person's form last asked an operation for; None where it asked for nothing."""
    if not form_key or membership_id is None:
        return None
    calls = OutboundOperation.objects.filter(
        business_id=business_id, membership_id=membership_id, form_key=form_key, form_path=form_path, operation=operation.name
    )  # fmt: skip
    return calls.order_by("-pk").first()
