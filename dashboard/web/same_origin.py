"""What changes something is sent by our own pages alone: a browser says where a request comes from.

`Sec-Fetch-Site` is written by the browser, and no script can write it. The token of a form proves the same; this stands
beside it, and needs no cookie and no secret. A browser that does not say it (or a program) is judged by the token alone.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from dashboard.access.converters import AddressParts
from dashboard.web.errors import refusal_response

SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
# "none": typed into the address bar, or reloaded.
OURS = ("same-origin", "none")
SENTENCE = "This was sent from another website. Nothing was changed: please do it from a page of Countersign."


class SameOrigin:
    """403 in words for what would change something and comes from a page of another origin, before any view runs."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: AddressParts
    ) -> HttpResponse | None:
        """The refusal, or None. What no form of ours sends, such as a webhook, proves itself otherwise."""
        if request.method in SAFE or getattr(view, "csrf_exempt", False):
            return None
        if request.headers.get("Sec-Fetch-Site", OURS[0]) not in OURS:
            return refusal_response(request, 403, SENTENCE)
        return None
