"""The outcome of a form beside its response, stored for a browser that asks again because it lost the answer."""

from dataclasses import dataclass, replace
from typing import TypeVar

from django.http.response import HttpResponseBase

from dashboard.form_key import has_confirmed_write
from dashboard.web.models import Submission

SubmissionState = Submission.State
Response = TypeVar("Response", bound=HttpResponseBase)
# Read by static/js/replies.js: an answer of ours, and one that does not know itself whether the form was carried out.
OURS = "Countersign"
ANSWER, IN_DOUBT = "answer", "in-doubt"
NOT_SUBMITTED = "Complete or confirm it on its page first."


@dataclass(frozen=True)
class FormOutcome:
    """How a form ended for its view, and the sentence its person was shown; "" where it was a page to look at."""

    state: Submission.State
    sentence: str = ""


def with_outcome(response: Response, sentence: str, state: Submission.State | None = None) -> Response:
    """The same answer, saying of the form it answers what was shown; without `state` the status says how it ended."""
    response.outcome = FormOutcome(state or _by_status(response.status_code), sentence)  # type: ignore[attr-defined]
    return response


def not_submitted(response: Response) -> Response:
    """The same answer to a form that was only looked at: with one more line, or with what a change means. Nothing was done
    by it, so that the confirmation that follows under the same key is not taken for carried out; an error stays what it is.
    """
    if response.status_code >= 400:
        return response
    return with_outcome(response, NOT_SUBMITTED, SubmissionState.REFUSED)


def outcome_of(response: HttpResponseBase) -> FormOutcome:
    """The outcome set by `with_outcome`, else by the status: 5xx leaves open whether the view had acted before.

    To be asked while the form's context lasts: a form of which the service has confirmed one write and refused the next
    was not refused, whatever was said of the last one; its sentence says which part was done.
    """
    outcome: FormOutcome = getattr(response, "outcome", None) or FormOutcome(_by_status(response.status_code))
    if outcome.state == SubmissionState.REFUSED and has_confirmed_write():
        return replace(outcome, state=SubmissionState.UNKNOWN)
    return outcome


def _by_status(status: int) -> Submission.State:
    if status >= 500:
        return SubmissionState.UNKNOWN
    return SubmissionState.REFUSED if status >= 400 else SubmissionState.ANSWERED
