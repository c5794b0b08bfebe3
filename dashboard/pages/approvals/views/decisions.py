"""One decision from the desk: submitted, shown with its undo, and on to the next item."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse

from dashboard.access.actor import ActorRequest
from dashboard.access.operation import Operation
from dashboard.decisions.cursors import DecidedRow
from dashboard.decisions.fingerprints import differences
from dashboard.decisions.models import Decision, DecisionState
from dashboard.decisions.presenters import ENDED_BADLY, outcome_sentence, toast_of
from dashboard.decisions.registry import kind_of, spec_for, verbs_on
from dashboard.decisions.services import check_undecided, submit_decision, wait_for_outcome
from dashboard.errors import Conflict, Rejected
from dashboard.pages.approvals.forms import DecisionForm, DecisionReasonForm, OptionalReasonForm, OverrideReasonForm
from dashboard.pages.approvals.presenters.desk import desk_address
from dashboard.pages.approvals.selectors.desk import subject_key, subject_of_kind
from dashboard.pages.approvals.views.desk import filters_of, show_desk, show_next
from dashboard.web.respond import is_fragment_request
from dashboard.web.signin.middleware import step_up, stepped_up

MESSAGES = {DecisionState.DONE: messages.success} | dict.fromkeys(ENDED_BADLY, messages.error)
INCOMPLETE = "This form was incomplete and has been reloaded: decide again."


def show_subject(request: ActorRequest, kind: str, remote_id: str) -> HttpResponse:
    """The desk with the subject of this kind and id; Http404 where it is not the actor's to see."""
    return show_desk(request, subject_of_kind(request.actor, kind, remote_id), confirmed="confirmed" in request.GET)


def decide(request: ActorRequest, kind: str, remote_id: str, verb: str) -> HttpResponse:
    """Submits the decision that was posted ("approve", "reject" or "ask"); a form that is wrong, stale or late comes back
    with what is the matter. Http404 where the subject is not the actor's to see."""
    subject = subject_of_kind(request.actor, kind, remote_id)
    operation = verbs_on(subject)[verb]
    form, reason = DecisionForm(request.POST), _reason_form(request, operation)
    # What was typed stays in the form, whatever is wrong.
    typed = {"reason_form": reason, "reason_for": verb if reason.data.get("reason") or not reason.is_valid() else ""}
    if not form.is_valid():
        return show_desk(request, subject, status=422, problem=INCOMPLETE, **typed)
    if not reason.is_valid():
        return show_desk(request, subject, status=422, key=form.cleaned_data["key"], **typed)
    try:
        return _submit(request, operation, subject, form, reason.cleaned_data["reason"])
    except Rejected as refused:
        return show_desk(request, subject, status=refused.status, problem=refused.user_message, **typed)
    except Conflict as late:
        return _show_changed(request, subject, form.cleaned_data["fingerprint"], problem=late.user_message, **typed)


def _reason_form(
    request: ActorRequest, operation: Operation
) -> DecisionReasonForm | OverrideReasonForm | OptionalReasonForm:
    if spec_for(operation).needs_reason:
        return DecisionReasonForm(request.POST)
    return (OverrideReasonForm if request.POST.get("override") else OptionalReasonForm)(request.POST)


def _show_changed(request: ActorRequest, subject: DecidedRow, fingerprint: str, **pane: Any) -> HttpResponse:
    """The subject as it is now, with what differs from what was seen of it."""
    fresh = subject_of_kind(request.actor, kind_of(subject), subject.remote_id)
    return show_desk(request, fresh, status=409, changes=differences(fingerprint, fresh), **pane)


def _submit(
    request: ActorRequest, operation: Operation, subject: DecidedRow, form: DecisionForm, reason: str
) -> HttpResponse:
    key, fingerprint = form.cleaned_data["key"], form.cleaned_data["fingerprint"]
    # The same form again is no second decision: it is shown what the first one became.
    is_repeated = Decision.objects.filter(business=request.actor.business, key=key).exists()
    if operation.undo_s == 0 and not is_repeated and not stepped_up(request):
        check_undecided(request.actor, operation, subject)
        query = filters_of(request).query()
        back = desk_address(request.actor, subject_key(subject), query)
        return step_up(request, f"{back}{'&' if query else '?'}confirmed=1")
    override = form.cleaned_data["override"]
    decision = submit_decision(
        request.actor, operation, subject, fingerprint=fingerprint, key=key, reason=reason, override=override
    )
    return _after(request, operation, subject, wait_for_outcome(decision))


def _after(request: ActorRequest, operation: Operation, subject: DecidedRow, decision: Decision) -> HttpResponse:
    # AFTER_DECISION: the next item, the row gone, a toast with the undo, the counts asked for again.
    if not is_fragment_request(request) and not decision.is_open:
        MESSAGES.get(DecisionState(decision.state), messages.info)(request, outcome_sentence(operation, decision))
    return show_next(request, subject, toast_of(operation, decision))
