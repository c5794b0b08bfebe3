"""What every request of the service goes through: a request id and a trace, and refusals of Django's own in our shape."""

import re
import unicodedata
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from service import errors
from service.ids import object_id
from service.inputs import CONTROLS
from service.respond import refuse
from telemetry.requests import answer_traced

log = structlog.get_logger(__name__)


def is_text(path: str) -> bool:
    """Whether a path is one line without control characters: nothing that we know is named by any other."""
    if path.isascii() and path.isprintable():  # nearly every one, at a glance
        return True
    return not any(unicodedata.category(character) in CONTROLS for character in path)


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
SAFE_REQUEST_ID = re.compile(r"[A-Za-z0-9._:\-]{1,128}")


class Tracing:
    """The outermost of the middleware. Sets `request.request_id` (the caller's X-Request-Id where it is sane, else a fresh
    one), echoes it, goes on with the caller's trace, and writes a line of each request by its route."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        offered = request.headers.get("X-Request-Id", "")
        request_id = offered if SAFE_REQUEST_ID.fullmatch(offered) else f"req_{object_id()}"
        request.request_id = request_id  # type: ignore[attr-defined]
        return answer_traced(
            request, self.get_response, request_id, method=request.method if request.method in METHODS else "other",
            place=("path", _route_of), log=log, traceparent=request.headers.get("traceparent", ""),
        )  # fmt: skip


def _route_of(request: HttpRequest) -> str:
    return request.resolver_match.route if request.resolver_match else "none"


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
