"""Each request has an id and a trace: on every line that is logged for it, on its answer, and on what it asks of others."""

from __future__ import annotations

import time
from collections.abc import Callable
from uuid import uuid4

import structlog
from django.http import HttpRequest, HttpResponseBase

from telemetry import logs, tracing

log = structlog.get_logger(__name__)

# A page that nobody has named, and an address that leads nowhere.
UNNAMED = "none"


class RequestTrace:
    """The outermost of the middleware. The id is our own: what a browser offers would be anybody's word in our log.

    The line of a request names its page by the route, never by the address, which may hold what somebody typed.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request_id, began = str(uuid4()), time.perf_counter()
        method = request.method or ""
        with (
            logs.correlation(request_id),
            tracing.entry_span(method, tracing.Kind.SERVER, attributes={"http.request.method": method}) as span,
        ):
            response = self.get_response(request)
            page = (request.resolver_match.url_name if request.resolver_match else "") or UNNAMED
            span.rename(f"{method} {page}")
            span.set({"http.route": page, "http.response.status_code": response.status_code})
            if response.status_code >= 500:
                span.fail(str(response.status_code))
            ms = int((time.perf_counter() - began) * 1000)
            write = log.error if response.status_code >= 500 else log.info
            write("request", method=method, page=page, status=response.status_code, ms=ms)
        # Django's own line of an answer that is no success would come after the ids are gone, with the whole address.
        response._has_been_logged = True  # type: ignore[attr-defined]
        response["X-Request-Id"] = request_id
        return response
