"""Each request has an id and a trace: on every line that is logged for it, on its answer, and on what it asks of others."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import structlog
from django.http import HttpRequest, HttpResponseBase

from telemetry.requests import answer_traced

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
        return answer_traced(
            request, self.get_response, str(uuid4()), method=request.method or "", place=("page", _page_of), log=log
        )


def _page_of(request: HttpRequest) -> str:
    return (request.resolver_match.url_name if request.resolver_match else "") or UNNAMED
