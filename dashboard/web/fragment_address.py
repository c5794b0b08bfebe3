"""What a page preloads is asked for under an address of its own: taken off before anybody reads the address.

A browser takes a preload for nothing that has headers of its own, so the address says that a fragment is wanted. In what
comes by it (a form's way back, a link) the address is the page's, without it.
"""

from collections.abc import Callable
from typing import Any, cast

from django.http import HttpRequest, HttpResponseBase, QueryDict

FRAGMENT = "fragment"


class FragmentAddress:
    """Sets `request.is_fragment` for a GET whose query has `fragment`, and takes that from it; a navigation to such an
    address (`Sec-Fetch-Dest: document`) gets the page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "GET" and FRAGMENT in request.META.get("QUERY_STRING", ""):
            _take_off(request)
        return self.get_response(request)


def _take_off(request: HttpRequest) -> None:
    given = request.META["QUERY_STRING"].split("&")
    pairs = [pair for pair in given if pair.partition("=")[0] != FRAGMENT]
    if len(pairs) == len(given):
        return
    request.META["QUERY_STRING"] = "&".join(pairs)
    # Read from the address once, by whoever asked first.
    cast(Any, request).GET = QueryDict("&".join(pairs), encoding=request.encoding)
    cast(Any, request).is_fragment = request.headers.get("Sec-Fetch-Dest") != "document"
