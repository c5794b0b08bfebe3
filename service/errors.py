"""Every refusal the service can give: one constructor per code, one shape on the wire (RFC 9457 problem details).

`raise errors.not_found("expense")` anywhere; service/api.py renders what was raised. Decisions B.1.
"""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from service.error_titles import TITLES


class FieldError(TypedDict):
    """One field that is wrong: its dotted path, a machine code and a sentence."""

    field: str
    code: str
    message: str


class Members(TypedDict, total=False):
    """The members of a refusal beside those that every one has (RFC 9457, extension members)."""

    attempts_left: int


class ServiceError(Exception):
    """A refusal with its HTTP status, machine code and a detail that is safe to show (no secret, no card number)."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Sequence[FieldError] = (),
        retryable: bool = False,
        headers: Mapping[str, str] | None = None,
        members: Members | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.status = int(status)
        self.code = code
        self.detail = detail
        self.errors = list(errors)
        self.retryable = retryable
        self.headers = dict(headers or {})
        self.members: Members = members or {}


# 400


def malformed_request(detail: str = "The body is not valid JSON.") -> ServiceError:
    """400: the body is no JSON, or cannot be read at all; `detail` says why."""
    return ServiceError(400, "malformed_request", detail)


def invalid_parameters(field: str, message: str, code: str = "invalid") -> ServiceError:
    """A query, header or path parameter is wrong; for fields of a body see `validation_failed`."""
    return ServiceError(400, "invalid_parameters", f"{field}: {message}", errors=[_field(field, code, message)])


def many_invalid_parameters(errors: Sequence[FieldError]) -> ServiceError:
    """400: several query, header or path parameters are wrong, a field each."""
    return ServiceError(400, "invalid_parameters", _sentence(errors), errors=errors)


def idempotency_key_missing() -> ServiceError:
    """400: an operation that moves money came without an Idempotency-Key."""
    message = "This operation moves money: send an Idempotency-Key of 1 to 255 characters."
    return ServiceError(400, "idempotency_key_missing", message, errors=[_field("Idempotency-Key", "missing", message)])


# 401


def _unauthenticated(code: str, detail: str, challenge: str) -> ServiceError:
    return ServiceError(401, code, detail, headers={"WWW-Authenticate": challenge})


def token_missing() -> ServiceError:
    """401: no access token was sent; the answer says how to send one (WWW-Authenticate)."""
    return _unauthenticated("token_missing", "Send Authorization: Bearer with an access token.", 'Bearer realm="v2"')


def token_invalid(detail: str = "The access token is unknown or revoked.") -> ServiceError:
    """401: the access token is unknown or revoked, or is none."""
    return _unauthenticated("token_invalid", detail, 'Bearer realm="v2", error="invalid_token"')


def token_expired() -> ServiceError:
    """401: the access token was good and has ended; a new one is to be fetched."""
    return _unauthenticated(
        "token_expired", "The access token has expired: fetch a new one.", 'Bearer realm="v2", error="invalid_token"'
    )


# 403


def insufficient_scope(scope: str) -> ServiceError:
    """403: the token was not granted the scope that the operation needs."""
    challenge = f'Bearer realm="v2", error="insufficient_scope", scope="{scope}"'
    return ServiceError(
        403, "insufficient_scope", f"The token lacks the scope {scope}.", headers={"WWW-Authenticate": challenge}
    )


def insufficient_role(detail: str = "The role of the caller does not allow this operation.") -> ServiceError:
    """403: the acting employee's role, or what they hold beside it, does not allow the operation."""
    return ServiceError(403, "insufficient_role", detail)


def entitlement_required() -> ServiceError:
    """403: the operation is for clients with the private-label entitlement alone."""
    return ServiceError(403, "entitlement_required", "This operation needs the private-label entitlement.")


def business_mismatch() -> ServiceError:
    """403: the header `business_id` names another business than the client's own."""
    return ServiceError(403, "business_mismatch", "The header business_id is not the business of this client.")


def policy_blocked(detail: str, errors: Sequence[FieldError] = ()) -> ServiceError:
    """`errors` name what each policy that forbids it is about."""
    return ServiceError(403, "policy_blocked", detail, errors=errors)


def self_approval_forbidden(detail: str = "Nobody decides on what they made or spent themselves.") -> ServiceError:
    """403: whoever made or spent something does not decide on it."""
    return ServiceError(403, "self_approval_forbidden", detail)


# 404, 405


def not_found(what: str = "resource") -> ServiceError:
    """Also for rows that exist but are not the caller's to see."""
    return ServiceError(404, "not_found", f"There is no such {what}.")


def method_not_allowed(allowed: str) -> ServiceError:
    """405: the address exists and does not take the method; `allowed` lists those that it takes."""
    return ServiceError(405, "method_not_allowed", f"Use one of: {allowed}.", headers={"Allow": allowed})


# 409


def invalid_state(detail: str) -> ServiceError:
    """409: what it is done to is in a state that does not allow it; `detail` says which."""
    return ServiceError(409, "invalid_state", detail)


def not_draft() -> ServiceError:
    """Only a draft was to be ended, and it is none any more."""
    return ServiceError(409, "not_draft", "It is no draft any more, and stays as it is.")


def concurrent_update(detail: str = "It was changed at the same time: read it again and retry.") -> ServiceError:
    """409, to be tried again: somebody changed the same thing at the same time, or the version that was sent is an
    older one."""
    return ServiceError(409, "concurrent_update", detail, retryable=True, headers={"Retry-After": "1"})


def idempotency_in_progress() -> ServiceError:
    """409, to be tried again: the request with this Idempotency-Key is still being worked on."""
    return ServiceError(
        409,
        "idempotency_in_progress",
        "A request with this Idempotency-Key is still being worked on.",
        retryable=True,
        headers={"Retry-After": "1"},
    )


def conflict(code: str, detail: str = "", errors: Sequence[FieldError] = ()) -> ServiceError:
    """A 409 with a code of its own, such as `approvers_insufficient` or `in_use`."""
    return ServiceError(409, code, detail or TITLES.get(code, "It conflicts with what exists."), errors=errors)


def duplicate(detail: str = "It exists already.") -> ServiceError:
    """409: there is one already; `detail` says of what."""
    return conflict("duplicate", detail)


def currency_missing(currency: str) -> ServiceError:
    """409: the business has no such currency (ISO 4217), and something was to be opened in it."""
    return conflict("currency_missing", f"The business has no currency {currency} yet.")


def quote_expired() -> ServiceError:
    """409: the quote of an exchange is older than it holds; a new one is to be asked for."""
    return conflict("quote_expired", "The quote has expired: ask for a new one.")


def wallet_exists(detail: str = "The business has a wallet of this currency and type.") -> ServiceError:
    """409: the business has a wallet of this currency and type."""
    return conflict("wallet_exists", detail)


# 413, 415


def file_too_large(limit_bytes: int) -> ServiceError:
    """413: the body or file has more than `limit_bytes` bytes."""
    return ServiceError(413, "file_too_large", f"At most {limit_bytes} bytes are taken.")


def unsupported_media_type(expected: str = "application/json") -> ServiceError:
    """415: the body is not of the media type that is expected."""
    return ServiceError(415, "unsupported_media_type", f"Send {expected}.")


# 422


def idempotency_key_reused() -> ServiceError:
    """422: the Idempotency-Key came with another request before."""
    return ServiceError(422, "idempotency_key_reused", "This Idempotency-Key came with another request before.")


def insufficient_funds(detail: str = "The available balance does not cover the amount.") -> ServiceError:
    """422: the available balance of the wallet does not cover the amount."""
    return ServiceError(422, "insufficient_funds", detail)


def insufficient_allocation(detail: str = "The allocation does not cover the amount.") -> ServiceError:
    """The refusal of a card that spends its holder's allocation, which has too little left."""
    return ServiceError(422, "insufficient_allocation", detail)


def limit_exceeded(detail: str) -> ServiceError:
    """422: a limit of a card, a policy or a right is exceeded; `detail` says which."""
    return ServiceError(422, "limit_exceeded", detail)


def validation_failed(field: str, message: str, code: str = "invalid") -> ServiceError:
    """A field of the body is wrong; `field` is its dotted path, such as `items.3.amount`."""
    return ServiceError(422, "validation_failed", f"{field}: {message}", errors=[_field(field, code, message)])


def wrong_code(attempts_left: int) -> ServiceError:
    """A one-time code that is not the one that was sent; the member `attempts_left` says how many tries are left."""
    tries = "1 try is left" if attempts_left == 1 else f"{attempts_left} tries are left"
    message = f"The code is wrong: {tries}." if attempts_left else "The code is wrong, and that was the last try."
    fields = [_field("otp", "wrong_code", message)]
    return ServiceError(422, "wrong_code", message, errors=fields, members={"attempts_left": attempts_left})


def many_validation_failed(errors: Sequence[FieldError]) -> ServiceError:
    """422: several fields of the body are wrong, a field each."""
    return ServiceError(422, "validation_failed", _sentence(errors), errors=errors)


# 429, 5xx


def rate_limited(retry_after_seconds: int, headers: Mapping[str, str] | None = None) -> ServiceError:
    """429, to be tried again in so many seconds, at least one; `headers` say what is left of the budget."""
    wait = str(max(1, retry_after_seconds))
    return ServiceError(
        429,
        "rate_limited",
        f"Too many requests: try again in {wait} s.",
        retryable=True,
        headers={"Retry-After": wait, **(headers or {})},
    )


def internal() -> ServiceError:
    """500: an error of ours; nothing of it is told but that the request id names it in the logs."""
    return ServiceError(500, "internal", "Something went wrong on our side; the request id names it in our logs.")


def unavailable(detail: str = "Try again shortly.", retry_after_seconds: int = 2) -> ServiceError:
    """503, to be tried again in so many seconds: something that the service needs does not answer."""
    return ServiceError(
        503, "unavailable", detail, retryable=True, headers={"Retry-After": str(max(1, retry_after_seconds))}
    )


def _field(field: str, code: str, message: str) -> FieldError:
    return {"field": field, "code": code, "message": message}


def _sentence(errors: Sequence[FieldError]) -> str:
    return "; ".join(f"{error['field']}: {error['message']}" for error in errors[:5])
