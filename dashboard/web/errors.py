"""Errors in words: one mapping from the error tree (and Django's own) to a page of ours, or to a toast in a swap."""

import logging
import sys
import uuid
from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string

from dashboard.access.actor import to_sign_in
from dashboard.access.addresses import page_to_return_to
from dashboard.errors import BadAnswer, FinanceError
from dashboard.money import UnknownCurrencyError
from dashboard.web import form_outcome
from dashboard.web.form_outcome import OURS, SubmissionState, with_outcome
from dashboard.web.respond import is_fragment_request, page, private, toast
from dashboard.web.submission import SAFE_METHODS, in_view_of_form
from telemetry.logs import request_id

log = logging.getLogger(__name__)

IN_DOUBT_SENTENCE = "It is not known yet whether what you sent was done: check before you send it again."
BUSY = "Somebody else is changing this right now."
# By PostgreSQL's code: it answered, and said why not now.
REFUSED_BY_DATABASE = {
    "55P03": BUSY,  # the lock was not to be had in time
    "40P01": BUSY,  # two waited for each other
    "40001": BUSY,
    "57014": "This took too long.",
}
TITLES = {
    400: "Invalid request",
    403: "You don't have permission",
    404: "Page not found",
    409: "It has changed meanwhile",
    411: "The upload is incomplete",
    413: "The upload is too large",
    422: "The finance service refused this",
    429: "Too many requests",
    500: "Something went wrong on our side",
    502: "Unexpected answer from the finance service",
    503: "The finance service cannot be reached",
    504: "No answer came back",
}


def answer(request: HttpRequest, error: FinanceError) -> HttpResponse:
    """The error as a toast in a swap, else as a page: what happened, whether anything changed, what to do."""
    error = in_view_of_form(request, error)
    # Its words say whether anything was changed, whatever its status is.
    state = {None: SubmissionState.UNKNOWN, True: SubmissionState.ANSWERED, False: SubmissionState.REFUSED}[
        error.changed
    ]
    if is_fragment_request(request):
        return with_outcome(
            toast(request, error.user_message, bad=True, status=error.status), error.user_message, state
        )
    response = problem(request, error.status, error.user_message, error.request_id, error.retryable)
    return with_outcome(response, error.user_message, state)


def refusal_response(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    """What was not done, in a sentence: as a toast in a swap, else as a page."""
    if is_fragment_request(request):
        return toast(request, sentence, bad=True, status=status)
    return problem(request, status, sentence)


def problem(
    request: HttpRequest, status: int, sentence: str, request_id: str = "", retryable: bool = False
) -> HttpResponse:
    """An error page in the business's frame where there is one, else on its own."""
    values = {"status": status, "title": TITLES.get(status, TITLES[500]), "sentence": sentence}
    values |= {"request_id": request_id, "retryable": retryable}
    inside = getattr(request, "actor", None) is not None
    return page(request, "errors/inside.html" if inside else "errors/outside.html", values, status=status)


class FinanceErrors:
    """Turns what a view raises into an answer; a fault of ours is logged in full and shown in brief."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The answer to an error of the tree; None leaves it to Django's handlers below."""
        if isinstance(error, FinanceError):
            return answer(request, error)
        if isinstance(error, UnknownCurrencyError):
            # Of what was typed its form says so: this is an amount that the service gave.
            log.warning("an amount in an unknown currency: %s", error.code, exc_info=error)
            return answer(request, BadAnswer(f"The finance service sent an amount: {error}", code="unknown_currency"))
        if isinstance(error, OperationalError | InterfaceError):
            return without_database(request, error)
        return None


def without_database(request: HttpRequest, error: BaseException) -> HttpResponse:
    """503: our own database is away, most often for a moment, or somebody else holds what was asked for."""
    state = _sqlstate(error)
    log.error("our own database refused (%s)", state or "no answer", exc_info=error)
    what = REFUSED_BY_DATABASE.get(state, "Our own database does not answer.")
    return broken(request, 503, f"{what} {_consequence(request)} Try again in a moment.", f"{what} {IN_DOUBT_SENTENCE}")


def _sqlstate(error: BaseException) -> str:
    """PostgreSQL's code of what it refused; "" where it did not answer at all."""
    return str(getattr(error.__cause__, "sqlstate", None) or "")


def _consequence(request: HttpRequest) -> str:
    # Said only of what could have changed something, and did not: its view was never reached.
    return "" if request.method in SAFE_METHODS else "Nothing was changed."


def broken(request: HttpRequest, status: int, sentence: str, in_doubt: str) -> HttpResponse:
    """An error page that needs nothing: no database, no session, no template of the frame.

    `in_doubt` is said instead where a form had reached its view, which may have done anything up to all of it.
    """
    began = request.method not in SAFE_METHODS and getattr(request, "view_began", False)
    sentence = " ".join((in_doubt if began else sentence).split())
    # What is logged of this request has the same id.
    reference = request_id() or str(uuid.uuid4())
    log.error("answered %s, reference %s", status, reference)
    values: dict[str, Any] = {"title": TITLES[status] if status == 500 else "One moment", "sentence": sentence}
    values["request_id"] = reference
    if is_fragment_request(request):
        response = private(HttpResponse(render_to_string("shared/toast.html", {"text": sentence, "bad": True})))
        response["HX-Retarget"], response["HX-Reswap"], response.status_code = "#toasts", "beforeend", status
    else:
        response = private(HttpResponse(render_to_string("errors/broken.html", values), status=status))
    if began:
        response[OURS] = form_outcome.IN_DOUBT
    return with_outcome(response, sentence, SubmissionState.UNKNOWN if began else SubmissionState.REFUSED)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, the page of a request that Django itself refuses."""
    what = "The request could not be understood."
    return broken(request, 400, f"{what} {_consequence(request)} Go back and try again.", f"{what} {IN_DOUBT_SENTENCE}")


def forbidden(request: HttpRequest, exception: PermissionDenied) -> HttpResponse:
    """403, the page of what is not allowed."""
    return refusal_response(request, 403, str(exception) or "You don't have permission to do this.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: nothing at this address, or nothing that this person may see; the two look alike."""
    return refusal_response(request, 404, "There is nothing at this address, or you don't have access to it.")


def server_error(request: HttpRequest) -> HttpResponse:
    """500; 503 where a middleware, before any view, found the database away."""
    error = sys.exc_info()[1]
    if isinstance(error, OperationalError | InterfaceError):
        return without_database(request, error)
    noted = "It has been logged with the reference below."
    return broken(request, 500, noted, f"{noted} {IN_DOUBT_SENTENCE}")


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without the token of this browser: an old page, or somebody else's. Its view was not reached.

    Whoever is signed out is led to sign in, as by any other address of ours; whoever has signed in again since the page
    was drawn gets it drawn anew in a swap, which keeps what was typed (static/js/door.js).
    """
    match = request.resolver_match
    signing_in = match is not None and match.route.startswith("-/account/")
    if not signing_in and not request.user.is_authenticated:
        return to_sign_in(request)
    sentence = "This form is from an older page of yours. Nothing was changed. Reload the page and try again."
    response = refusal_response(request, 403, sentence)
    if is_fragment_request(request):
        response["HX-Redirect"] = page_to_return_to(request)
    return response
