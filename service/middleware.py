"""What every request of the service goes through: a request id and a trace, and refusals of Django's own in our shape."""

import re
import time
import unicodedata
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from service import errors
from service.ids import object_id
from service.inputs import CONTROLS
from service.respond import refuse
from telemetry import logs, tracing

log = structlog.get_logger(__name__)


def is_text(path: str) -> bool:
    """Whether a path is one line without control characters: nothing that we know is named by any other."""
    return not any(unicodedata.category(character) in CONTROLS for character in path)


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
SAFE_REQUEST_ID = re.compile(r"[A-Za-z0-9._:\-]{1,128}")


class Tracing:
    """The outermost of the middleware. Sets `request.request_id` (the caller's X-Request-Id where it is sane, else a fresh
    one), echoes it, goes on with the caller's trace, and writes a line of each request by its route."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        offered, began = request.headers.get("X-Request-Id", ""), time.perf_counter()
        request_id = offered if SAFE_REQUEST_ID.fullmatch(offered) else f"req_{object_id()}"
        request.request_id = request_id  # type: ignore[attr-defined]
        method = request.method if request.method in METHODS else "other"
        header = request.headers.get("traceparent", "")
        with (
            logs.correlation(request_id),
            tracing.entry_span(method, tracing.Kind.SERVER, header, {"http.request.method": method}) as span,
        ):
            response = self.get_response(request)
            route = request.resolver_match.route if request.resolver_match else "none"
            span.rename(f"{method} {route}")
            span.set({"http.route": route, "http.response.status_code": response.status_code})
            if response.status_code >= 500:
                span.fail(str(response.status_code))
            ms = int((time.perf_counter() - began) * 1000)
            write = log.error if response.status_code >= 500 else log.info
            write("request", method=method, path=route, status=response.status_code, ms=ms)
        # Django's own line of an answer that is no success would come after the ids are gone, with the whole address.
        response._has_been_logged = True  # type: ignore[attr-defined]
        response["X-Request-Id"] = request_id
        return response


class Refusals:
    """What is refused without a look at the interface, and Django's own refusals, in our shape; the answer's length said."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if is_text(request.path_info):
            response = self.get_response(request)
        else:
            response = refuse(request, errors.not_found("address"))
        if response.status_code == 405 and not response.get("Content-Type", "").startswith("application/problem"):
            response = refuse(request, errors.method_not_allowed(response.get("Allow", "")))
        if isinstance(response, HttpResponse) and response.status_code != 204 and "Content-Length" not in response:
            # Known, so said: without it the web server would send the answer in chunks, each a packet of its own.
            response["Content-Length"] = str(len(response.content))
        return response
