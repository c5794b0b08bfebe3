"""From the service's answer to our error: four shapes of body are understood, and an unknown one is no crash.

The shapes (decisions B.1): problem+json; {statusCode, message, error}; v1's {errorMessage, status}; empty or HTML.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from django.utils import timezone

from dashboard import errors
from dashboard.client.json import read_json
from dashboard.errors import FieldProblem, FinanceError
from dashboard.inputs import LARGEST_MINOR, whole_number

LONGEST = 300
# A machine's word, such as `insufficient_scope`, `INVALID_STATE` or `accountNotFound`: it is no sentence for a person. One
# word with its full stop ("Required.") is one, and so is a sentence of a language that is written without spaces.
CODE = re.compile(r"[A-Za-z0-9]+([_.:/-]+[A-Za-z0-9]+)*")
NOT_ACCEPTED = "The finance service does not accept this."


@dataclass(frozen=True)
class RefusalBody:
    """What a body says about what went wrong."""

    detail: str = ""
    code: str = ""
    fields: tuple[FieldProblem, ...] = ()
    request_id: str = ""
    retryable: bool | None = None


def sentence_in(message: Any) -> str:
    """What a person can read of a message of the service, cut to its longest; "" where there is only a code, or nothing."""
    parts = message if isinstance(message, list) else [message]
    texts = [str(part).strip() for part in parts if isinstance(part, str | int | float)]
    return "; ".join(text for text in texts if text and not CODE.fullmatch(text))[:LONGEST]


def parse_refusal(body: bytes) -> RefusalBody:
    """What any of the four shapes says; nothing for an empty body or a page of HTML."""
    try:
        document = read_json(body)
    except ValueError:
        return RefusalBody()
    if not isinstance(document, dict):
        return RefusalBody()
    message = document.get("detail") or document.get("errorMessage") or document.get("message") or ""
    retryable = document.get("retryable")
    return RefusalBody(
        detail=sentence_in(message),
        code=str(document.get("code") or "")[:60],
        fields=_fields(document.get("errors")),
        request_id=str(document.get("request_id") or "")[:80],
        retryable=retryable if isinstance(retryable, bool) else None,
    )


def _fields(listed: Any) -> tuple[FieldProblem, ...]:
    rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
    return tuple(
        FieldProblem(
            str(row.get("field", "")), str(row.get("code", "")), sentence_in(row.get("message")) or NOT_ACCEPTED
        )
        for row in rows
    )


BY_STATUS: dict[int, type[FinanceError]] = {
    400: errors.Rejected,
    401: errors.AuthFailed,
    403: errors.Forbidden,
    404: errors.NotFound,
    409: errors.Conflict,
    410: errors.NotFound,
    412: errors.Stale,
    413: errors.Rejected,
    415: errors.Rejected,
    422: errors.Rejected,
    429: errors.TooMany,
}
BY_CODE: dict[str, type[FinanceError]] = {
    "entitlement_required": errors.EntitlementMissing,
    "insufficient_scope": errors.ScopeMissing,
    "policy_blocked": errors.PolicyBlocked,
    "invalid_state": errors.InvalidState,
    "concurrent_update": errors.Stale,
    "insufficient_funds": errors.InsufficientFunds,
    "limit_exceeded": errors.LimitExceeded,
    "idempotency_key_reused": errors.KeyReusedUpstream,
}


def refusal(status: int, body: bytes, headers: Mapping[str, str], *, is_read: bool) -> FinanceError:
    """The error for an answer that is no success. For a write, whatever leaves doubt is Unknown, never a failure."""
    parsed = parse_refusal(body)
    kind = BY_CODE.get(parsed.code) or BY_STATUS.get(status)
    if kind is not None and BY_STATUS.get(status) is not None and not issubclass(kind, BY_STATUS[status]):
        kind = BY_STATUS[status]
    if parsed.code == "idempotency_in_progress" and not is_read:
        kind = errors.Unknown
    if kind is None:
        kind = _for_other(status, is_read=is_read)
    return kind(
        parsed.detail,
        code=parsed.code,
        request_id=parsed.request_id or headers.get("X-Request-Id", ""),
        upstream_status=status,
        fields=parsed.fields,
        retry_after=retry_after(headers),
    )


def _for_other(status: int, *, is_read: bool) -> type[FinanceError]:
    if status >= 500 or status in {408, 425}:
        return errors.ServerFailed if is_read else errors.Unknown
    # A redirect, or another 4xx: the interface has no such answer. A 4xx did nothing; after a 3xx nobody knows.
    return errors.Rejected if 400 <= status < 500 else (errors.BadAnswer if is_read else errors.Unknown)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait as the service asks, from seconds or a date; None where it does not say."""
    raw = headers.get("Retry-After", "").strip()
    if not raw:
        return None
    if (seconds := whole_number(raw, LARGEST_MINOR)) is not None:
        return float(seconds)
    try:
        return max(0.0, (parsedate_to_datetime(raw) - timezone.now()).total_seconds())
    except (TypeError, ValueError):
        return None
