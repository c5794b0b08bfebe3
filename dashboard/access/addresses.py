"""Which page can be shown at an address: where somebody comes back to after signing in is never one that only takes posts."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Nobody is led back to the sign-in page itself, or out again.
SIGN_IN_PATHS = ("/-/account/login/", "/-/account/logout/")


def page_to_return_to(request: HttpRequest) -> str:
    """The page that the request was made from, or the nearest one to its address that can be shown; always ours.

    A swap or a script says where it stands (HX-Current-URL), a form that the browser sends where it stood (Referer).
    """
    host, own = request.get_host(), request.get_full_path()
    from_script = request.headers.get("HX-Request") == "true"
    stands_at = request.headers.get("HX-Current-URL" if from_script else "Referer", "")
    if not from_script and request.method in {"GET", "HEAD"}:
        return showable(own)
    if url_has_allowed_host_and_scheme(stands_at, host):
        parts = urlsplit(stands_at)
        return showable(f"{parts.path}?{parts.query}" if parts.query else parts.path)
    return showable(own)


def showable(address: str) -> str:
    """The address itself where a GET is answered with a page, else the nearest one above it; "/" where there is none."""
    path, _, query = address.partition("?")
    if not path.startswith("/") or path.startswith("//") or path in SIGN_IN_PATHS:
        return "/"
    if _answers_get(path):
        return f"{path}?{query}" if query else path
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        if _answers_get(path):
            return path
    return "/"


def _answers_get(path: str) -> bool:
    try:
        view = resolve(path).func
    except Resolver404:
        return False
    allowed = _allowed_methods(view)
    return allowed is None or "GET" in allowed


def _allowed_methods(view: Callable[..., Any] | None) -> frozenset[str] | None:
    """What `require_POST` and its like let through; None where nothing is said. Django keeps it in the decorator alone."""
    while view is not None:
        for cell in getattr(view, "__closure__", None) or ():
            contents = cell.cell_contents
            if (
                isinstance(contents, list | tuple)
                and contents
                and all(isinstance(method, str) and method in METHODS for method in contents)
            ):
                return frozenset(contents)
        view = getattr(view, "__wrapped__", None)
    return None
