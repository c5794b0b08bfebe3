"""The book of what was sent: written and committed before the first byte leaves, closed with what came of it."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.client.call import Call
from dashboard.client.errors import Conflict, FinanceError, TooMany, Unavailable, Unknown
from dashboard.client.outbound import OutboundOperation, OutboundState
from dashboard.client.wire import read_json

# Never stored, not even here: who can read the table could use them.
NEVER_STORED = frozenset({"otp", "pin", "cvv", "pan", "password", "secret"})


def open_entry(
    actor: Actor,
    operation: Operation,
    call: Call,
    subject: object | None,
    body: Mapping[str, Any] | None,
    decision_id: uuid.UUID | None,
) -> OutboundOperation:
    """Writes the attempt and the audit's line about it, in a short transaction of its own.

    A key that was used before gives its entry again; Conflict where it was used for something else.
    """
    with transaction.atomic(durable=True):
        entry, fresh = OutboundOperation.objects.get_or_create(
            business=actor.business,
            key=call.headers["Idempotency-Key"],
            defaults={
                "membership_id": actor.membership_id,
                "employee_id": actor.employee_id,
                "operation": operation.name,
                "path": call.path,
                "body": _without_codes(call.body),
                "request_id": call.headers["X-Request-Id"],
            },
        )
        if not fresh and (entry.operation, entry.path, entry.body) != (
            operation.name,
            call.path,
            _without_codes(call.body),
        ):
            raise Conflict("This form was used for something else already. Reload the page.", code="key_reused")
        before, after = _changes(subject, body) if decision_id is None else (None, None)
        record(
            actor,
            operation,
            subject,
            Outcome.ATTEMPT,
            reason=str((body or {}).get("reason") or ""),
            before=before,
            after=after,
            request_id=call.headers["X-Request-Id"],
            decision_id=decision_id,
        )
    return entry


def _changes(
    subject: object | None, body: Mapping[str, Any] | None
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """What an edit changes of a copied thing, before and after: the plain fields that both call by the same name."""
    known = getattr(subject, "payload", None)
    if not isinstance(known, dict) or not body:
        return None, None
    names = [name for name in body if name in known and name not in NEVER_STORED]
    plain = [
        name for name in names if not isinstance(body[name], dict | list) and not isinstance(known[name], dict | list)
    ]
    changed = [name for name in plain if (body[name] or None) != (known[name] or None)]
    if not changed:
        return None, None
    return {name: _plain(known[name]) for name in changed}, {name: _plain(body[name]) for name in changed}


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
        return {name: _plain(each) for name, each in value.items() if name not in NEVER_STORED}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | bool | None) else str(value)


def mark_sent(entry: OutboundOperation) -> None:
    """From here on nobody may say that nothing was sent."""
    OutboundOperation.objects.filter(pk=entry.pk).update(
        state=OutboundState.SENT, sent_at=timezone.now(), tries=F("tries") + 1
    )


def confirm_entry(
    actor: Actor,
    operation: Operation,
    entry: OutboundOperation,
    subject: object | None,
    request_id: str,
    status: int,
    decision_id: uuid.UUID | None,
) -> None:
    """It was done."""
    with transaction.atomic():
        _close(entry, OutboundState.CONFIRMED, request_id, status, "")
        record(actor, operation, subject, Outcome.DONE, request_id=request_id, decision_id=decision_id)


def close_entry(
    actor: Actor,
    operation: Operation,
    entry: OutboundOperation,
    subject: object | None,
    error: FinanceError,
    decision_id: uuid.UUID | None,
) -> None:
    """It was refused, never reached the service, or nobody knows."""
    if isinstance(error, Unknown) or error.after_doubt:
        state, outcome = OutboundState.UNKNOWN, Outcome.UNKNOWN
    elif isinstance(error, Unavailable | TooMany):
        state, outcome = OutboundState.PENDING, Outcome.FAILED
    else:
        state, outcome = OutboundState.REJECTED, Outcome.REFUSED
    with transaction.atomic():
        _close(entry, state, error.request_id, error.upstream_status, error.code)
        record(
            actor,
            operation,
            subject,
            outcome,
            reason=error.detail,
            request_id=error.request_id or entry.request_id,
            decision_id=decision_id,
        )


def _close(entry: OutboundOperation, state: OutboundState, request_id: str, status: int | None, code: str) -> None:
    OutboundOperation.objects.filter(pk=entry.pk).update(
        state=state,
        request_id=(request_id or entry.request_id)[:80],
        upstream_status=status,
        error_code=code[:60],
        settled_at=timezone.now(),
    )
