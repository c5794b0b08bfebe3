"""How long a session lives: idle and absolute ends, polls that do not count, and a form that is stored over the end."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

from dashboard.access.actor import to_sign_in
from dashboard.access.converters import AddressParts
from dashboard.access.sessions import renew_session_id

STARTED = "started_at"
LAST_SEEN = "seen_at"
STORED_FORM = "kept_form"
# A session row is written once in this many seconds of work, not with every page.
WRITE_EVERY = 30
# `attempt` names one sending of the form: sent again it is another.
NEVER_STORED = frozenset(
    {
        "csrfmiddlewaretoken",
        "attempt",
        "password",
        "password1",
        "password2",
        "oldpassword",
        "code",
        "otp",
        "pin",
        "client_secret",
        "webhook_secret",
    }
)
MAX_STORED_BYTES = 20_000

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def polls(view: View) -> View:
    """Marks a view that the page calls by itself: it does not extend the session of a person who has left."""
    view.polls = True  # type: ignore[attr-defined]
    return view


def session_seconds_left(request: HttpRequest, now: float | None = None) -> float:
    """Seconds until the session ends of itself; 0 or less when it has."""
    now = time.time() if now is None else now
    idle: float = settings.SESSION_IDLE_SECONDS - (now - request.session.get(LAST_SEEN, now))
    absolute: float = settings.SESSION_ABSOLUTE_SECONDS - (now - request.session.get(STARTED, now))
    return min(idle, absolute)


def store_form(request: HttpRequest, user_id: str, action: str) -> None:
    """Stores a form's fields in the session, for the same person to see again; no secrets, nothing huge."""
    fields = [
        [name, value] for name in request.POST if name not in NEVER_STORED for value in request.POST.getlist(name)
    ]
    ours = url_has_allowed_host_and_scheme(action, None) and action.startswith("/")
    if ours and sum(len(value) for _, value in fields) <= MAX_STORED_BYTES:
        request.session[STORED_FORM] = {"user": user_id, "action": action, "fields": fields}


def expired(request: HttpRequest) -> HttpResponseBase:
    """Ends the session and leads to the sign-in page, which says why; a form sent by the browser waits there, unsent.

    What was typed in a page that swaps stays in that page's tab (static/js/drafts.js).
    """
    user_id, stored_form = str(request.session.get(SESSION_KEY, "")), request.session.get(STORED_FORM)
    request.session.flush()
    if request.headers.get("HX-Request") == "true":
        return to_sign_in(request, "expired")
    if request.method == "POST":
        store_form(request, user_id, request.get_full_path())
    elif stored_form:
        request.session[STORED_FORM] = stored_form
    if STORED_FORM not in request.session:
        return to_sign_in(request, "expired")
    query = urlencode([("expired", "1"), ("next", reverse("kept_form")), ("kept", "1")])
    return HttpResponseRedirect(f"{reverse('account_login')}?{query}")


class Sessions(SessionMiddleware):
    """Django's own, but for a session that ends (or gets a new id) while a request of it is at work.

    Django would put an error of its own in place of the answer to what was done. The request began in a session that
    was alive: its answer goes out, only there is nothing left to store; the next request is asked to sign in.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Stores the session as ever, where there still is one."""
        try:
            stored: HttpResponse = super().process_response(request, response)
        except SessionInterrupted:
            return response
        return stored


class SessionLife:
    """Ends sessions that have been idle or have lasted too long; notes that a person was here, unless a view polls."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: AddressParts
    ) -> HttpResponseBase | None:
        """Leads to the sign-in page when the session is over."""
        if SESSION_KEY not in request.session:
            return None
        now = time.time()
        if session_seconds_left(request, now) <= 0:
            return expired(request)
        request.session.setdefault(STARTED, now)
        if not getattr(view, "polls", False) and now - request.session.get(LAST_SEEN, 0) > WRITE_EVERY:
            request.session[LAST_SEEN] = now
        return None


def renew_after_reauthentication(sender: Any, request: HttpRequest, **extra: Any) -> None:
    """Whoever shows again that it is them goes on under a new session id; signing in gives one by itself."""
    if extra.get("reauthenticated"):
        renew_session_id(request)
