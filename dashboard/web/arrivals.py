"""Every form that arrives is written down before its view runs, and closed with what the view answered.

A browser that lost the answer asks by the form's key and by the attempt that it sent (dashboard/pages/submissions). What
it was told had not arrived is refused should it arrive later, so that "nothing was changed" stays true.
"""

import re
import uuid
from collections.abc import Callable
from typing import Any, TypeVar

import structlog
from django.conf import settings
from django.contrib.messages import ERROR, get_messages
from django.db import Error as DatabaseTrouble
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone

from dashboard.access.converters import AddressParts
from dashboard.access.models import User
from dashboard.access.person import user_of
from dashboard.form_key import form_context, has_confirmed_write, set_form_key
from dashboard.web import form_outcome
from dashboard.web.errors import refusal_response
from dashboard.web.form_outcome import OURS, FormOutcome, SubmissionState, outcome_of
from dashboard.web.models import Submission
from dashboard.web.respond import is_fragment_request

log = structlog.get_logger(__name__)

# A header where a script sends the form, a field of it where the browser does.
HEADER, FIELD = "X-Attempt", "attempt"
ATTEMPT = re.compile(r"[0-9A-Za-z-]{8,64}")
# Tells the page that follows a form sent by the browser itself that its answer came.
COOKIE, COOKIE_S = "answered-{attempt}", 600
TWICE = "This arrived twice; the second was not carried out."
KEY_LENGTH = 128
KEY = re.compile(rf"[!-~]{{0,{KEY_LENGTH}}}")
STRANGE = "This form was incomplete. Nothing was changed. Reload the page and try again."
ACCOUNT = "/-/you/"
View = TypeVar("View", bound=Callable[..., HttpResponseBase])
LATE = "This arrived after you were told that it had not. It was not done: send it again if you still want it."


class Arrivals:
    """Keeps the book of arrived forms: of people who are signed in, for every view that may change something."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with form_context():
            response = self.get_response(request)
            arrived: Submission | None = getattr(request, "submission", None)
            if arrived is not None:
                _close(request, response, arrived)
                if request.POST.get(FIELD) == arrived.attempt:
                    _announce(response, arrived.attempt)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: AddressParts
    ) -> HttpResponse | None:
        """Writes the arrival down, in a transaction of its own; refuses what was withdrawn before it came."""
        if (refused := _strange_key(request) or self._arrives(request, view)) is None:
            # From here on nobody may say that nothing was changed (dashboard/web/errors.py).
            request.view_began = True  # type: ignore[attr-defined]
        return refused

    def _arrives(self, request: HttpRequest, view: Callable[..., Any]) -> HttpResponse | None:
        if request.method != "POST" or getattr(view, "read_only_post", False) or not isinstance(request.user, User):
            return None
        if is_fragment_request(request) and HEADER not in request.headers:
            # A swap names its attempt unless it only asks (static/js/replies.js).
            return None
        arrived = _arrival(request)
        try:
            with transaction.atomic():
                arrived.save(force_insert=True)
        except IntegrityError:
            arrived = Submission.objects.get(user_id=arrived.user_id, attempt=arrived.attempt)
            if (refused := _second_time(request, arrived)) is not None:
                return refused
        request.submission = arrived  # type: ignore[attr-defined]
        set_form_key(arrived.key, request.path)
        return None


def _strange_key(request: HttpRequest) -> HttpResponse | None:
    """The refusal of a form under a key that no form is born with: it goes into a header and into our tables."""
    if request.method != "POST" or KEY.fullmatch(request.POST.get("key", "")):
        return None
    return refusal_response(request, 400, STRANGE)


def read_only_post(view: View) -> View:
    """Marks a view that takes a POST but carries out no form of a person: its arrivals are not written down."""
    view.read_only_post = True  # type: ignore[attr-defined]
    return view


def posted_key(request: HttpRequest) -> str:
    """The key that the posted form carries; "" where it carries none."""
    return storable_key(request.POST.get("key", ""))


def storable_key(given: str) -> str:
    """A key as it is stored and asked for: at most KEY_LENGTH characters."""
    return given[:KEY_LENGTH]


def _arrival(request: HttpRequest) -> Submission:
    attempt = request.headers.get(HEADER) or request.POST.get(FIELD, "")
    actor = getattr(request, "actor", None)
    return Submission(
        user_id=user_of(request),
        business=actor.business if actor else None,
        key=posted_key(request),
        attempt=attempt if ATTEMPT.fullmatch(attempt) else uuid.uuid4().hex,
        # Addresses of one's own account may hold keys of their own (a link out of a mail): these are not stored.
        path=request.get_full_path()[:500] if actor else ACCOUNT,
    )


def _second_time(request: HttpRequest, before: Submission) -> HttpResponse | None:
    """The same sending of a form once more: what was withdrawn is refused, what a script sent is carried out once.

    The browser itself sends a form again where its person reloads the page that answered it: that is looked at afresh,
    under the form's key. None lets the view run.
    """
    if before.state == SubmissionState.WITHDRAWN:
        return refusal_response(request, 409, LATE)
    if HEADER in request.headers:
        # Sent twice on its way: what became of the first is asked for by the page.
        response = refusal_response(request, 409, TWICE)
        response[OURS] = form_outcome.IN_DOUBT
        return response
    before.state, before.received_at = SubmissionState.RECEIVED, timezone.now()
    Submission.objects.filter(pk=before.pk).update(state=before.state, received_at=before.received_at)
    return None


def _close(request: HttpRequest, response: HttpResponseBase, arrived: Submission) -> None:
    messages = _messages(request)
    outcome: FormOutcome = outcome_of(response)
    if outcome.state == SubmissionState.ANSWERED and messages and all(message.level >= ERROR for message in messages):
        # It leads to a page that says what stood in the way: that is no form that was carried out.
        outcome = FormOutcome(
            SubmissionState.UNKNOWN if has_confirmed_write() else SubmissionState.REFUSED, outcome.sentence
        )
    sentence = outcome.sentence or " ".join(str(message) for message in messages)
    try:
        Submission.objects.filter(pk=arrived.pk).update(
            state=outcome.state, status=response.status_code, sentence=sentence[:500], answered_at=timezone.now()
        )
    except DatabaseTrouble as trouble:
        # The answer is on its way to its person all the same; whoever asks hears that the end is not known.
        log.warning("an arrival was not closed", submission=arrived.pk, error=type(trouble).__name__)


def _messages(request: HttpRequest) -> list[Any]:
    # What this request wants shown on the next page; the page that shows it takes it out of here.
    return list(getattr(get_messages(request), "_queued_messages", []))


def _announce(response: HttpResponseBase, attempt: str) -> None:
    response.set_cookie(
        COOKIE.format(attempt=attempt), "1", max_age=COOKIE_S, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax"
    )
