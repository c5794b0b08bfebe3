"""Items at the desk that are decided on: each shown, and the decision submitted, shown with its undo, and on to the next.

Expenses, requests for votes, and what one approver decides alone (cards, single-use cards, funds, manual transactions),
of which decisions/registry.py says by which operations.
"""

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations, operations_pages, operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import View, needs
from dashboard.access.operation import Operation
from dashboard.decisions.models import Decision, DecisionState
from dashboard.decisions.preconditions import differences
from dashboard.decisions.presenters import ENDED_BADLY, outcome_sentence, toast_of
from dashboard.decisions.registry import ApprovalKind, DecidedRow, kind_of, spec_for, subject_of_kind, verbs_on
from dashboard.decisions.services import check_undecided, submit_decision, wait_for_outcome
from dashboard.errors import Conflict, Rejected
from dashboard.pages.approvals.forms import DecisionForm, DecisionReasonForm, OptionalReasonForm, OverrideReasonForm
from dashboard.pages.approvals.selectors.desk import bill_file_of
from dashboard.pages.approvals.views.desk import confirmed_address, show_desk, show_next
from dashboard.web.files import saved_file
from dashboard.web.respond import is_fragment_request
from dashboard.web.signin.middleware import step_up, stepped_up

MESSAGES = {DecisionState.DONE: messages.success} | dict.fromkeys(ENDED_BADLY, messages.error)
INCOMPLETE = "This form was incomplete and has been reloaded: decide again."
# A request for votes is decided as what it is about is: a bill's payment under its bill, a fund by its reference.
VOTES = (operations.APPROVE_PAYMENT_REQUEST, operations.APPROVE_BILL_PAYMENT, operations.APPROVE_FUND_OPT_IN)
AGAINST = (operations.REJECT_PAYMENT_REQUEST, operations.REJECT_BILL_PAYMENT, operations.REJECT_BILL_PAYMENT_REQUEST)


@require_GET
@needs(operations_pages.INBOX, operations.LIST_EXPENSES)
def expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The desk with one expense on it; 404 where it is not the actor's to see."""
    return show_desk(request, subject_of_kind(request.actor, "expense", remote_id))


@require_POST
@needs(operations.APPROVE_EXPENSE)
def approve_expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Approves one expense: it waits its seconds, then it is sent."""
    return decide(request, "expense", remote_id, "approve")


@require_POST
@needs(operations.REJECT_EXPENSE)
def reject_expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Rejects one expense, with a reason."""
    return decide(request, "expense", remote_id, "reject")


@require_POST
@needs(operations.REQUEST_EXPENSE_DETAILS)
def request_expense_details(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Asks for details of one expense: not the same as rejecting it."""
    return decide(request, "expense", remote_id, "ask")


@require_GET
@needs(operations_pages.INBOX, operations.LIST_APPROVALS)
def payment(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One payment request on the desk."""
    return _show_subject(request, "approval", remote_id)


@require_POST
@needs(*VOTES)
def approve_payment(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Votes for one payment request: at once, after showing that it is oneself."""
    return decide(request, "approval", remote_id, "approve")


@require_POST
@needs(*AGAINST)
def reject_payment(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Votes against one payment request, with a reason."""
    return decide(request, "approval", remote_id, "reject")


@require_GET
@needs(operations_pages.INBOX, operations_payables.DOWNLOAD_BILL_FILE)
def bill_file(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """A file of the bill behind a payment as it was uploaded, to be saved."""
    file = bill_file_of(request.actor, remote_id, file_id)
    return saved_file(file.content, file.name)


class ApprovalRequestViews(NamedTuple):
    """The views of one kind of request: the request on the desk, and the two words that end it."""

    show: View[[str, str]]
    approve: View[[str, str]]
    reject: View[[str, str]]


def views_of(kind: str, approval_kind: ApprovalKind) -> ApprovalRequestViews:
    """The views of a kind, each behind the operation that it stands for."""

    @require_GET
    @needs(operations_pages.INBOX, approval_kind.opens)
    def show(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
        """One request of the kind on the desk."""
        return _show_subject(request, kind, remote_id)

    @require_POST
    @needs(approval_kind.approve)
    def approve(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
        """Approves one; where it cannot be undone, after showing that it is oneself."""
        return decide(request, kind, remote_id, "approve")

    @require_POST
    @needs(approval_kind.reject)
    def reject(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
        """Rejects one, with a reason."""
        return decide(request, kind, remote_id, "reject")

    return ApprovalRequestViews(show, approve, reject)


def _show_subject(request: ActorRequest, kind: str, remote_id: str) -> HttpResponse:
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
        return step_up(request, confirmed_address(request, subject))
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
