"""How long a session lives: idle and absolute ends, polls that do not count, and what was typed kept over the end."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

STARTED = "started_at"
SEEN = "seen_at"
KEPT = "kept_form"
# A session row is written once in this many seconds of work, not with every page.
WRITE_EVERY = 30
NEVER_KEPT = frozenset(
    {
        "csrfmiddlewaretoken",
        "password",
        "password1",
        "password2",
        "oldpassword",
        "code",
        "client_secret",
        "webhook_secret",
    }
)
KEPT_BYTES = 20_000

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def polls(view: View) -> View:
    """Marks a view that the page calls by itself: it does not extend the session of a person who has left."""
    view.polls = True  # type: ignore[attr-defined]
    return view


def seconds_left(request: HttpRequest, now: float | None = None) -> float:
    """Seconds until the session ends of itself; 0 or less when it has."""
    now = time.time() if now is None else now
    idle: float = settings.SESSION_IDLE_SECONDS - (now - request.session.get(SEEN, now))
    absolute: float = settings.SESSION_ABSOLUTE_SECONDS - (now - request.session.get(STARTED, now))
    return min(idle, absolute)


def keep_form(request: HttpRequest, user_id: str, action: str) -> None:
    """Stores a form's fields in the session, for the same person to see again; no secrets, nothing huge."""
    unkept = NEVER_KEPT | {"kept_action"}
    fields = [[name, value] for name in request.POST if name not in unkept for value in request.POST.getlist(name)]
    ours = url_has_allowed_host_and_scheme(action, None) and action.startswith("/")
    if ours and sum(len(value) for _, value in fields) <= KEPT_BYTES:
        request.session[KEPT] = {"user": user_id, "action": action, "fields": fields}


def expired(request: HttpRequest) -> HttpResponse:
    """Ends the session and leads to the sign-in page, which says why; a posted form waits there, unsent."""
    user_id, kept = str(request.session.get(SESSION_KEY, "")), request.session.get(KEPT)
    back = request.get_full_path() if request.method == "GET" else "/"
    htmx = getattr(request, "htmx", None)
    if htmx and htmx.current_url_abs_path:
        back = htmx.current_url_abs_path
    request.session.flush()
    if request.method == "POST":
        keep_form(request, user_id, request.get_full_path())
    elif kept:
        request.session[KEPT] = kept
    if KEPT in request.session:
        back = reverse("kept_form")
    return HttpResponseRedirect(f"{reverse('account_login')}?{urlencode([('expired', 1), ('next', back)])}")


class SessionLife:
    """Ends sessions that have been idle or have lasted too long; notes that a person was here, unless a view polls."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Redirects to the sign-in page when the session is over."""
        if SESSION_KEY not in request.session:
            return None
        now = time.time()
        if seconds_left(request, now) <= 0:
            return expired(request)
        request.session.setdefault(STARTED, now)
        if not getattr(view, "polls", False) and now - request.session.get(SEEN, 0) > WRITE_EVERY:
            request.session[SEEN] = now
        return None


def end_sessions(user_id: int, *, but: str | None = None) -> int:
    """Signs a person out everywhere (except the session with key `but`); returns how many sessions ended."""
    from allauth.usersessions.models import UserSession

    ended = 0
    for session in UserSession.objects.filter(user_id=user_id).exclude(session_key=but or ""):
        session.end()
        ended += 1
    return ended
