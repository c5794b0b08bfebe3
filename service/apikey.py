"""The old interface's caller: an API key in the header x-api-key (decisions A.2)."""

import functools
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import Any, TypeVar, cast

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.http import http_date
from ninja.decorators import decorate_view

from service import errors, ratelimit
from service.auth import ApiRequest, Caller
from service.businesses.models import ApiKey, Role, api_key_hash
from service.request_body import check_body
from service.respond import refuse, request_id_of
from service.ttl_cache import TtlCache, invalidate

View = TypeVar("View", bound=Callable[..., Any])
Run = Callable[..., HttpResponseBase]


_keys: TtlCache[ApiKey] = TtlCache()


def key_of(hashed: str, *, afresh: bool = False) -> ApiKey:
    """The live key behind a hash; 401 otherwise. It may be remembered, as tokens are."""
    key = None if afresh else _keys.get(hashed)
    if key is None:
        key = ApiKey.objects.select_related("business").filter(key_hash=hashed, revoked_at=None).first()
        if key is None:
            raise _unknown()
        _keys.put(hashed, key)
    return key


def _unknown() -> errors.ServiceError:
    return errors.ServiceError(401, "token_invalid", "The API key is unknown or revoked.")


def revoke(key: ApiKey) -> None:
    """Kills a key, in every process at once."""
    key.revoked_at = timezone.now()
    key.save(update_fields=["revoked_at"])
    invalidate(key.key_hash)


def _visit(request: HttpRequest) -> tuple[ApiKey, dict[str, str]]:
    sent = request.headers.get("x-api-key", "")
    if not sent:
        raise errors.ServiceError(401, "token_missing", "Send an API key in the header x-api-key.")
    hashed = api_key_hash(sent)
    key = key_of(hashed)
    headers, revoked = ratelimit.spend_v1(key, watch=hashed)
    if revoked:
        raise _unknown()
    return key_of(hashed, afresh=True) if revoked is None else key, headers


def dated() -> dict[str, str]:
    """Since when the old interface is deprecated (RFC 9745) and until when it is there (RFC 8594), where that is set."""
    headers = {}
    if settings.V1_DEPRECATED_ON:
        headers["Deprecation"] = f"@{_seconds(settings.V1_DEPRECATED_ON)}"
    if settings.V1_SUNSET_ON:
        headers["Sunset"] = http_date(_seconds(settings.V1_SUNSET_ON))
    return headers


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time.min, tzinfo=UTC).timestamp())


def with_key(view: View) -> View:
    """Lets only requests with a live API key through; the view gets `request.caller`, an admin without a person."""

    def guard(run: Run) -> Run:
        @functools.wraps(run)
        def guarded(request: HttpRequest, **path: Any) -> HttpResponseBase:
            headers: dict[str, str] = {}
            try:
                key, headers = _visit(request)
                check_body(request)
            except errors.ServiceError as error:
                return refuse(request, error)
            except DatabaseError:
                return refuse(request, errors.unavailable())
            cast(ApiRequest, request).caller = Caller(
                client=None,
                business=key.business,
                employee=None,
                role=Role.ADMIN,
                scopes=frozenset(),
                entitled=False,
                request_id=request_id_of(request),
                api_key=key,
            )
            response = run(request, **path)
            for name, value in {**headers, **dated()}.items():
                response[name] = value
            return response

        return guarded

    return decorate_view(guard)(view)
