"""Headers every private page leaves with, and full navigation where a swap would have followed a redirect."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers

from dashboard.web.form_outcome import ANSWER, OURS
from dashboard.web.respond import is_fragment_request

PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-get=(self)"
SIGNED_OUT = frozenset({"account_logout"})


class PrivatePages:
    """Nothing of ours is cached by a browser or a proxy, and a redirect inside a swap becomes a full navigation."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code in {301, 302, 303, 307, 308} and is_fragment_request(request):
            moved = HttpResponse(status=204)
            moved.cookies = response.cookies
            moved["HX-Redirect"] = response["Location"]
            response = moved
        response.setdefault("Cache-Control", "no-store")
        response["Permissions-Policy"] = PERMISSIONS
        # What comes without it is a proxy's, and lands nowhere in a page (static/js/replies.js).
        response.setdefault(OURS, ANSWER)
        # The clock that countdowns go by (static/js/clock.js), read as late as can be.
        response["Server-Timing"] = f'now;desc="{time.time() * 1000:.0f}"'
        patch_vary_headers(response, ["HX-Request", "Cookie"])
        match = request.resolver_match
        if request.method == "POST" and match and match.url_name in SIGNED_OUT and response.status_code in {204, 302}:
            response["Clear-Site-Data"] = '"cache", "storage"'
        return response
