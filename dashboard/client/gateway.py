"""The one door out: check, record, token, send, outcome, answer. It needs an actor and an operation, and fails closed.

Nothing else in the dashboard calls the service, and nothing passes here that the gate has not let through.
"""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db import connection
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.subject import created_subject
from dashboard.access.written_rows import column_names, row_from_columns
from dashboard.audit.naming import named_in
from dashboard.audit.record import check_or_record_denial
from dashboard.client import outbox, rate_limit, token
from dashboard.client.breaker import breaker_for
from dashboard.client.call_parts import call_content, fill_path
from dashboard.client.http import Call, Deadline, Download, Reply
from dashboard.client.json import read_json
from dashboard.client.models import IN_DOUBT, OutboundOperation, OutboundState, ServiceAccount
from dashboard.client.multipart import Upload
from dashboard.client.outbox import in_view_of
from dashboard.client.outbox_keys import key_for
from dashboard.client.transport import perform
from dashboard.errors import (
    AuthFailed,
    BadAnswer,
    FinanceError,
    KeyReused,
    NotConnected,
    TooMany,
    Unavailable,
    Unknown,
)
from dashboard.form_key import mark_confirmed
from dashboard.metrics import UPSTREAM_S
from telemetry import logs, tracing

ORDINARY_S = 8.0
# A file: as long as a slow line takes for ten megabytes (decisions D.3).
UPLOAD_S = 60.0
READ_S = 15.0
WEB_TRIES = 3


@dataclass(frozen=True)
class ServiceResponse:
    """What the service answered: `data` as JSON with Decimal numbers (bytes where asked for), `as_of` when.

    `after_doubt`: it may have been done before, so that what the answer refuses may be our own earlier doing.
    """

    data: Any
    status: int
    request_id: str
    as_of: datetime
    headers: Mapping[str, str]
    after_doubt: bool = False


@dataclass(frozen=True)
class Prepared:
    """A call that has passed the gate and only waits to be made; making it touches no table of ours."""

    operation: Operation
    account: ServiceAccount
    call: Call
    deadline_s: float
    # A job that nobody waits for: it leaves part of the budget to people.
    background: bool = False

    def perform(self, deadline: Deadline | None = None, *, in_doubt: bool = False) -> Reply:
        """Makes the call; `in_doubt` where an earlier one may have done the same write."""
        until = deadline or Deadline(self.deadline_s)
        account = self.account
        rate_limit.spend(account, is_read=self.operation.is_read, background=self.background)
        breaker = breaker_for(account.base_url, account.remote_business_id, is_read=self.operation.is_read)
        bearer: Callable[[], str] = lambda: token.bearer(account, until)  # noqa: E731
        name = self.operation.name
        with tracing.span(f"gateway {name}", attributes={"operation": name}) as span, self._timed() as outcome:
            reply = perform(
                self.call, until, breaker, bearer, lambda value: token.drop(account, value), in_doubt=in_doubt
            )
            outcome.append(str(reply.status))
            span.set({"http.response.status_code": reply.status})
        rate_limit.learn(account, reply.headers, is_read=self.operation.is_read)
        return reply

    @contextmanager
    def _timed(self) -> Iterator[list[str]]:
        began, outcome = time.perf_counter(), list[str]()
        try:
            yield outcome
        except FinanceError as error:
            outcome.append(type(error).__name__)
            raise
        finally:
            label = outcome[0] if outcome else "none"
            UPSTREAM_S.labels(self.operation.name, label).observe(time.perf_counter() - began)


def send(
    actor: Actor,
    operation: Operation,
    *,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, str | int] | None = None,
    body: Mapping[str, Any] | None = None,
    upload: Upload | None = None,
    subject: object | None = None,
    key: str | None = None,
    if_match: int | None = None,
    deadline: float | None = None,
    tries: int = WEB_TRIES,
    as_bytes: bool = False,
    download: Download | None = None,
    decision_id: uuid.UUID | None = None,
) -> ServiceResponse:
    """Calls one operation for an actor, if the gate lets them, and returns what the service answered.

    `upload` is a file that is sent as a form in place of a body, `download` one that the answer to a read is saved as; `subject` is the mirrored row (or rows) it is done to; `key` the idempotency key, born with the form (a write
    without one gets its own); `if_match` the version that is replaced, where the interface asks for it; `deadline`
    seconds in all. Raises the FinanceError tree: NotAllowed and NotFound before anything is sent (audited as a
    denial), Unknown where a write may have been done (now, or under the same key before), AlreadyDone where it was
    done under the same key before, and the others as their sentences say.
    Never call this inside a transaction: the attempt is committed before the first byte leaves.
    """
    if upload is not None:
        body, deadline = upload.description, deadline or UPLOAD_S
    # A decision settles with its first answer: it is never corrected under its key.
    of_form = bool(key) and decision_id is None and not operation.is_read
    key_to_send = key_for(actor, key) if key and of_form else key
    try:
        prepared = prepare(
            actor, operation, path=path, query=query, body=body, upload=upload, subject=subject, key=key_to_send,
            if_match=if_match, deadline=deadline, tries=tries, download=download,
        )  # fmt: skip
    except FinanceError as refused:
        refused.is_read_error = operation.is_read
        error = in_view_of(_state_of(actor, key_to_send), refused)
        error.sent_key = key_to_send or ""
        raise error from None
    try:
        if operation.is_read:
            answer = read(prepared, as_bytes=as_bytes or download is not None)
        else:
            answer = _write(actor, prepared, subject, body, decision_id)
    except FinanceError as error:
        error.sent_key = prepared.call.headers.get("Idempotency-Key", "")
        if isinstance(error, AuthFailed):
            token.mark_broken(prepared.account)
        raise
    token.mark_working(prepared.account)
    return answer


def read(prepared: Prepared, deadline: Deadline | None = None, *, as_bytes: bool = False) -> ServiceResponse:
    """Makes the call of a read; what goes wrong with it says nothing of any form."""
    try:
        return to_answer(prepared, prepared.perform(deadline), as_bytes=as_bytes)
    except FinanceError as error:
        error.is_read_error = True
        raise


def _state_of(actor: Actor, key: str | None) -> OutboundState | None:
    outbound = outbox.outbound_of(actor.business.pk, key) if key else None
    return OutboundState(outbound.state) if outbound else None


def prepare(
    actor: Actor,
    operation: Operation,
    *,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, str | int] | None = None,
    body: Mapping[str, Any] | None = None,
    upload: Upload | None = None,
    subject: object | None = None,
    key: str | None = None,
    if_match: int | None = None,
    deadline: float | None = None,
    tries: int = WEB_TRIES,
    download: Download | None = None,
) -> Prepared:
    """Everything before the call: the gate, the account, the address, the body, the headers."""
    if not isinstance(actor, Actor) or not isinstance(operation, Operation):
        raise TypeError("a call needs an actor and an operation")
    check_or_record_denial(actor, operation, subject, named_in(body))
    account = service_account_of(actor)
    content, content_type, stored = call_content(operation, body, upload)
    headers = {
        "Accept": "application/json",
        "User-Agent": "Countersign",
        "X-Request-Id": logs.call_id(),
        "business_id": account.remote_business_id,
    }
    if content is not None:
        headers["Content-Type"] = content_type
    if actor.employee_id:
        headers["X-Acting-Employee"] = actor.employee_id
    if not operation.is_read:
        headers["Idempotency-Key"] = key or str(uuid.uuid4())
    if if_match is not None:
        headers["If-Match"] = f'"{if_match}"'
    call = Call(
        base_url=account.base_url.rstrip("/"),
        method=operation.method,
        path=fill_path(operation.path, path or {}),
        template=operation.path,
        headers=headers,
        query=dict(query or {}),
        body=content,
        is_read=operation.is_read,
        tries=tries,
        stored=stored,
        read_s=UPLOAD_S if upload or download else READ_S,
        download=download,
    )
    return Prepared(operation, account, call, deadline or ORDINARY_S, background=actor.reads_only)


def service_account_of(actor: Actor) -> ServiceAccount:
    """The business's account at its service; NotConnected where it has none."""
    with connection.cursor() as cursor:
        cursor.execute(_account_statement(), [actor.business.pk])
        row = cursor.fetchone()
    if row is None:
        raise NotConnected
    return row_from_columns(ServiceAccount, list(row))


@lru_cache(maxsize=1)
def _account_statement() -> str:
    rows = ServiceAccount.objects.filter(business_id=0).values_list(*column_names(ServiceAccount))
    return str(rows.query.sql_with_params()[0])


def _write(
    actor: Actor,
    prepared: Prepared,
    subject: object | None,
    body: Mapping[str, Any] | None,
    decision_id: uuid.UUID | None,
) -> ServiceResponse:
    try:
        outbound = outbox.open_outbound(actor, prepared.operation, prepared.call, subject, body, decision_id)
    except KeyReused as reused:
        # An earlier call under this key may be in doubt, and that is what whoever sent it has to hear.
        state = _state_of(actor, prepared.call.headers["Idempotency-Key"])
        raise in_view_of(state if state in IN_DOUBT else None, reused) from None
    before = outbox.mark_sent(outbound)
    try:
        answer = _call_once(prepared, outbound, before)
    except FinanceError as error:
        outbox.close_outbound(actor, prepared.operation, outbound, subject, error, decision_id)
        raise
    # What was created is found by its id, in its timeline and its evidence pack, from its first line on.
    created = created_subject(subject, answer.data)
    outbox.confirm_outbound(actor, prepared.operation, outbound, created, answer.request_id, answer.status, decision_id)
    mark_confirmed()
    return answer


def _call_once(prepared: Prepared, outbound: OutboundOperation, before: OutboundState) -> ServiceResponse:
    """Makes the call of a write; its error is what is known of the key by now, not only of this call."""
    in_doubt, confirmed = before in IN_DOUBT, before is OutboundState.CONFIRMED
    try:
        if (in_doubt or confirmed) and outbound.key_is_old:
            # Its key may be forgotten there: sent again it might be done again.
            raise Unavailable("It was sent more than a day ago and will not be sent again.", code=outbox.KEY_TOO_OLD)
        # A refusal may be the effect of our own earlier try: a service that keeps no answers judges the call anew.
        return to_answer(prepared, prepared.perform(in_doubt=in_doubt or confirmed))
    except FinanceError as error:
        # In doubt, only an answer to the key settles it: perform() lets no other refusal through.
        if confirmed or isinstance(error, Unavailable | TooMany):
            raise in_view_of(before, error) from None
        raise


def to_answer(prepared: Prepared, reply: Reply, *, as_bytes: bool = False) -> ServiceResponse:
    """The answer of a successful reply. One that cannot be read is BadAnswer, or Unknown after a write."""
    request_id = reply.headers.get("X-Request-Id", "") or prepared.call.headers["X-Request-Id"]
    data: Any = reply.body
    if not as_bytes:
        try:
            data = read_json(reply.body) if reply.body else None
        except ValueError:
            failure = BadAnswer if prepared.operation.is_read else Unknown
            raise failure(code="unreadable", request_id=request_id, upstream_status=reply.status) from None
    return ServiceResponse(data, reply.status, request_id, timezone.now(), reply.headers, reply.after_doubt)
