"""The NUL character, which PostgreSQL stores nowhere, is kept out of everything that a view can read of a request.

It stands in no name and in no key of anybody's: no browser sends it for a person. What brings it is answered here, once,
so that no view has to think of it: a cookie is as if it were not there, an address leads nowhere, a value is refused.
"""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict

from dashboard.access.converters import AddressParts
from dashboard.web.errors import refusal_response

NUL = "\x00"
SENTENCE = "What was sent contains a NUL character, which is not allowed. Nothing was changed."


class NoNul:
    """404 for an address with a NUL, 400 in words for a query or a form with one; a cookie with one is dropped."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # Before the session is looked up by one of them.
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if NUL not in value}
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: AddressParts
    ) -> HttpResponse | None:
        """The refusal, or None; every other middleware has begun by now, so that its page has all that it needs."""
        if NUL in request.path_info:
            raise Http404("no address holds a NUL")
        # A view that takes what no form of ours sends reads the raw body itself, and judges it.
        form = QueryDict() if getattr(view, "csrf_exempt", False) else request.POST
        if _holds_nul(request.GET) or _holds_nul(form):
            return refusal_response(request, 400, SENTENCE)
        return None


def _holds_nul(given: QueryDict) -> bool:
    return any(NUL in name or any(NUL in value for value in values) for name, values in given.lists())
