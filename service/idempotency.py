"""The Idempotency-Key (decisions B.2): one effect per key, and the same answer to every repeat.

The key's row is inserted first, in the transaction of the effect: a twin that runs in parallel waits on the unique
index and finds either the answer or nothing. The work runs under a savepoint, so that a refusal by a business rule is
kept although its work is rolled back. What a repeat may see differently (401, 403, 429, 5xx and refusals that ask for
a retry) is not kept. After its days an answer is forgotten; what the request made keeps the name that it got from the
key (service/effects.py).
"""

import functools
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any, TypeVar, cast

from django.core.files.uploadedfile import UploadedFile
from django.db import InterfaceError, OperationalError, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja.decorators import decorate_view
from ninja.operation import Operation
from ninja.utils import contribute_operation_callback

from service import documentation, errors, problems, sql
from service.auth import ApiRequest
from service.caller import Effect
from service.json_body import body_of, read
from service.respond import refuse, to_json

# For how many days an answer is kept, as the interface's document says of each operation.
DAYS = {"money": 30, "other": 1}
LOCK_NOT_AVAILABLE = "55P03"
STORED_HEADERS = ("Content-Type", "Location", "Retry-After", "Link")
NEVER_STORED = {401, 403, 429}

View = TypeVar("View", bound=Callable[..., Any])
Run = Callable[..., HttpResponseBase]

CLAIM = """
insert into businesses_storedanswer
    (client_id, business_id, method, route, key, fingerprint, headers, created_at, keep_until)
values (%s, %s, %s, %s, %s, %s, '{}', now(), now() + make_interval(secs => %s))
on conflict on constraint one_answer_per_key do update
    set fingerprint = excluded.fingerprint, status = null, body = null, headers = '{}', created_at = now(),
        keep_until = excluded.keep_until
    where businesses_storedanswer.keep_until < now()
returning id
"""
FIND = """
select fingerprint, status, headers::text, body from businesses_storedanswer
where client_id = %s and business_id = %s and method = %s and route = %s and key = %s
"""
KEEP = "update businesses_storedanswer set status = %s, headers = %s::jsonb, body = %s where id = %s"
SAVEPOINT, UNDO = sql.SqlStatement("savepoint before_work"), "rollback to savepoint before_work"


def idempotent(*, required: bool = False, money: bool = False) -> Callable[[View], View]:
    """Makes a view's effect happen once per key. `money` keeps the answer for 30 days instead of one.

    Goes below `@requires`: the caller must be known. Without a key (where none is required) the work runs in a
    transaction all the same.
    """

    days = DAYS["money" if money else "other"]

    def guard(run: Run) -> Run:
        @functools.wraps(run)
        def guarded(request: HttpRequest, **path: Any) -> HttpResponseBase:
            key = request.headers.get("Idempotency-Key")
            try:
                if key is None and not required:
                    return _without_key(run, request, path)
                return _once(run, cast(ApiRequest, request), path, _checked(key), timedelta(days=days))
            except errors.ServiceError as error:
                return refuse(request, error)

        return guarded

    def mark(view: View) -> View:
        contribute_operation_callback(view, functools.partial(_document, required=required, days=days))
        return decorate_view(guard)(view)

    return mark


def in_transaction(view: View) -> View:
    """One transaction around a view that changes something and takes no key: a refusal leaves nothing behind."""

    def guard(run: Run) -> Run:
        @functools.wraps(run)
        def guarded(request: HttpRequest, **path: Any) -> HttpResponseBase:
            return _without_key(run, request, path)

        return guarded

    return decorate_view(guard)(view)


def _document(operation: Operation, required: bool, days: int) -> None:
    name = "IdempotencyKey" if required else "IdempotencyKeyOptional"
    documentation.extend(operation, {"parameters": [documentation.parameter(name)], "x-idempotency-days": days})


def _checked(key: str | None) -> str:
    if key is None:
        raise errors.idempotency_key_missing()
    if not 1 <= len(key) <= 255:
        raise errors.invalid_parameters("Idempotency-Key", "It has 1 to 255 characters.", "length")
    return key


def _without_key(run: Run, request: HttpRequest, path: dict[str, Any]) -> HttpResponseBase:
    try:
        with transaction.atomic():
            response = run(request, **path)
            if response.status_code >= 400:
                transaction.set_rollback(True)
    except (OperationalError, InterfaceError) as error:
        return refuse(request, problems.from_database(error))
    return response


def _once(run: Run, request: ApiRequest, path: dict[str, Any], key: str, keep: timedelta) -> HttpResponseBase:
    place = _place(request, path, key)
    fingerprint = _fingerprint(request, path)
    request.caller = replace(request.caller, effect=Effect.of(place, fingerprint))
    work = functools.partial(_claimed, run, request, path, place, fingerprint, keep)
    try:
        try:
            return work(is_trusted=sql.trust())
        except _LostError:
            return work(is_trusted=False)
    except (OperationalError, InterfaceError) as error:
        if getattr(error.__cause__, "sqlstate", None) == LOCK_NOT_AVAILABLE:
            raise errors.idempotency_in_progress() from error
        raise problems.from_database(error) from error


class _LostError(Exception):
    """The connection, which was trusted to be one, was gone when the key was to be claimed: nothing has happened."""


def _claimed(
    run: Run,
    request: ApiRequest,
    path: dict[str, Any],
    place: tuple[Any, ...],
    fingerprint: bytes,
    keep: timedelta,
    *,
    is_trusted: bool,
) -> HttpResponseBase:
    with transaction.atomic():
        try:
            row = _claim(place, fingerprint, keep)
        except (OperationalError, InterfaceError) as error:
            if is_trusted and sql.is_lost():
                raise _LostError from error
            raise
        if row is None:
            return _repeat(place, fingerprint)
        return _work(run, request, path, row)


def _work(run: Run, request: ApiRequest, path: dict[str, Any], row: int) -> HttpResponseBase:
    response = run(request, **path)
    if response.status_code >= 400:
        # First the flag: an inner block that failed without a savepoint has set it, and nothing runs while it is set.
        transaction.set_rollback(False)
        sql.execute(UNDO, [])
    if _storable(response):
        _store(row, response)
    else:
        transaction.set_rollback(True)
    return response


def _storable(response: HttpResponseBase) -> bool:
    if response.status_code in NEVER_STORED or response.status_code >= 500:
        return False
    return response.status_code < 400 or "Retry-After" not in response


def _place(request: ApiRequest, path: dict[str, Any], key: str) -> tuple[Any, ...]:
    caller = request.caller
    match = request.resolver_match
    route = match.route if match else request.path
    return (caller.client.pk if caller.client else 0, caller.business.id, request.method, route, key)


def content_digest(body: bytes) -> bytes:
    """SHA-256 of a JSON body in canonical form, in which 100 and 100.0 are the same."""
    content = canonical(read(body)) if body else None
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).digest()


def _fingerprint(request: ApiRequest, path: dict[str, Any]) -> bytes:
    """Of the body in canonical form, the path, the query and the person: another person's repeat is another request."""
    parts = [_content(request), path, sorted(request.GET.lists()), request.caller.employee_id]
    return hashlib.sha256(_sorted.encode(parts).encode()).digest()


# The same for all: json.dumps makes one for each call that is not the plainest.
_sorted = json.JSONEncoder(sort_keys=True, default=str)


def _content(request: HttpRequest) -> Any:
    """The body's JSON in canonical form; of a form with files its fields, and of each file its name, kind and digest."""
    if request.content_type == "multipart/form-data":
        files = [
            [field, file.name, file.content_type, _digest(file)]
            for field, rows in request.FILES.lists()
            for file in rows
        ]
        return [sorted(request.POST.lists()), sorted(files)]
    return canonical(body_of(request)) if request.body else None


def _digest(file: "UploadedFile[Any]") -> str:
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()


def canonical(value: Any) -> Any:
    """A JSON value with its numbers in one form each: 100, 100.0 and 1e2 are the same amount, "100" is a text."""
    if isinstance(value, dict):
        return {name: canonical(item) for name, item in value.items()}
    if isinstance(value, list):
        return [canonical(item) for item in value]
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return value
    # By its digits: a context would round them, and the plain form of 1e999999 fills the memory.
    sign, digits, exponent = Decimal(value).as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    significant = text.rstrip("0")
    # No body holds this name: it has a NUL, which json_body refuses.
    return {"\0": [sign, significant, int(exponent) + len(text) - len(significant)] if significant else [0, "", 0]}


def _claim(place: tuple[Any, ...], fingerprint: bytes, keep: timedelta) -> int | None:
    """The row of the key, None where it had one; and in the same journey the savepoint that the work runs under."""
    rows, _ = sql.together(sql.SqlStatement(CLAIM, [*place, fingerprint, keep.total_seconds()]), SAVEPOINT)
    return rows[0][0] if rows else None


def _repeat(place: tuple[Any, ...], fingerprint: bytes) -> HttpResponse:
    row = sql.row(FIND, place)
    if row is None or row[1] is None:
        raise errors.idempotency_in_progress()
    if bytes(row[0]) != fingerprint:
        raise errors.idempotency_key_reused()
    response = HttpResponse(bytes(row[3] or b""), status=row[1])
    for name, value in json.loads(row[2]).items():
        response[name] = value
    response["Idempotency-Replayed"] = "true"
    return response


def _store(row: int, response: HttpResponseBase) -> None:
    headers = {name: response[name] for name in STORED_HEADERS if name in response}
    content = response.content if isinstance(response, HttpResponse) else b""
    values = [response.status_code, to_json(headers).decode(), content, row]
    # The last of the transaction, unless this one is within another.
    sql.end_with(sql.SqlStatement(KEEP, values))
