"""The old interface's caller: an API key in the header x-api-key (decisions A.2)."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from django.core.cache import cache
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja.decorators import decorate_view

from service import errors, ratelimit
from service.auth import ApiRequest, Caller, check_body
from service.businesses.models import ApiKey, Role, api_key_hash
from service.respond import refuse, request_id_of

KEY_CACHE_SECONDS = 20

View = TypeVar("View", bound=Callable[..., Any])
Run = Callable[..., HttpResponseBase]


def key_of(request: HttpRequest) -> ApiKey:
    """The live key of the request; 401 otherwise."""
    sent = request.headers.get("x-api-key", "")
    if not sent:
        raise errors.ServiceError(401, "token_missing", "Send an API key in the header x-api-key.")
    hashed = api_key_hash(sent)
    place = f"apikey:{hashed}"
    known = cache.get(place)
    found = known if isinstance(known, ApiKey) else _load(hashed, place)
    if found is None:
        raise errors.ServiceError(401, "token_invalid", "The API key is unknown or revoked.")
    return found


def _load(hashed: str, place: str) -> ApiKey | None:
    found = ApiKey.objects.select_related("business").filter(key_hash=hashed, revoked_at=None).first()
    if found:
        cache.set(place, found, KEY_CACHE_SECONDS)
    return found


def with_key(view: View) -> View:
    """Lets only requests with a live API key through; the view gets `request.caller`, an admin without a person."""

    def guard(run: Run) -> Run:
        @functools.wraps(run)
        def guarded(request: HttpRequest, **path: Any) -> HttpResponseBase:
            headers: dict[str, str] = {}
            try:
                key = key_of(request)
                headers = ratelimit.spend_v1(key)
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
            for name, value in headers.items():
                response[name] = value
            return response

        return guarded

    return decorate_view(guard)(view)
