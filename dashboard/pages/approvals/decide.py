"""One decision from the desk: taken, told with its undo, and on to the next item."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.utils import timezone

from dashboard.access.actor import ActorRequest
from dashboard.access.operation import Operation
from dashboard.decisions.fingerprints import differences
from dashboard.decisions.models import Decision, State
from dashboard.decisions.presenters import ENDED_BADLY, outcome_sentence, toast_of
from dashboard.decisions.registry import kind_of, spec_for, verbs_on
from dashboard.decisions.services import check_undecided, submit_decision, wait_for_outcome
from dashboard.errors import Conflict, Rejected
from dashboard.pages.approvals.desk import (
    TEMPLATE,
    address_of,
    filters_of,
    named,
    open_decisions,
    pane_of,
    show_desk,
    thing_by,
    thing_of,
)
from dashboard.pages.approvals.forms import DecisionForm, OptionalReasonForm, ReasonForm
from dashboard.pages.approvals.order import Mirrored, Thing, cursor_of
from dashboard.pages.approvals.table import neighbours, sheet
from dashboard.web.respond import page, wants_fragment
from dashboard.web.signin.middleware import step_up, stepped_up

TOLD = {State.DONE: messages.success} | dict.fromkeys(ENDED_BADLY, messages.error)


def decide(request: ActorRequest, operation: Operation, thing: Mirrored) -> HttpResponse:
    """Takes the decision that was posted; a form that is wrong, stale or late comes back with what is the matter."""
    spec = spec_for(operation)
    form = DecisionForm(request.POST)
    reason = (ReasonForm if spec.needs_reason else OptionalReasonForm)(request.POST)
    # What was typed stays in the form, whatever is wrong.
    verb = next((word for word, each in verbs_on(thing).items() if each is operation), "")
    typed = {"reason_form": reason, "reason_for": verb if reason.data.get("reason") or not reason.is_valid() else ""}
    if not form.is_valid():
        return show_desk(
            request, thing, status=422, problem="This form is not whole. Here it is afresh: decide again.", **typed
        )
    key, fingerprint = form.cleaned_data["key"], form.cleaned_data["fingerprint"]
    if not reason.is_valid():
        return show_desk(request, thing, status=422, key=key, **typed)
    try:
        # The same form again is no second decision: it is told what the first one became.
        again = Decision.objects.filter(business=request.actor.business, key=key).exists()
        if operation.undo_s == 0 and not again and not stepped_up(request):
            check_undecided(request.actor, operation, thing)
            query = filters_of(request).query()
            back = address_of(request.actor, named(thing), query)
            return step_up(request, f"{back}{'&' if query else '?'}confirmed=1")
        decision = submit_decision(
            request.actor, operation, thing, fingerprint=fingerprint, key=key, reason=reason.cleaned_data["reason"]
        )
    except Rejected as refused:
        return show_desk(request, thing, status=refused.status, problem=refused.user_message, **typed)
    except Conflict as late:
        fresh = thing_of(request.actor, kind_of(thing), thing.remote_id)
        changes = differences(fingerprint, fresh)
        return show_desk(request, fresh, status=409, problem=late.user_message, changes=changes, **typed)
    return _after(request, operation, thing, wait_for_outcome(decision))


def _after(request: ActorRequest, operation: Operation, thing: Thing, decision: Decision) -> HttpResponse:
    # AFTER_DECISION: the next item, the row gone, a toast with the undo, the counts asked for again.
    if not wants_fragment(request) and not decision.is_open:
        TOLD.get(State(decision.state), messages.info)(request, outcome_sentence(operation, decision))
    return move_on(request, thing, toast_of(operation, decision))


def move_on(request: ActorRequest, thing: Thing, toast: dict[str, Any]) -> HttpResponse:
    """To the next item of the list that the thing was decided in, its row gone and the toast shown."""
    filters = filters_of(request)
    # Two of them: the next item, and what stands after it.
    nearest = neighbours(request.actor, filters, cursor_of(thing, filters), 2, forward=True)
    following = nearest[0] if nearest else _first(request)
    address = address_of(request.actor, following, filters.query())
    if not wants_fragment(request):
        return HttpResponseRedirect(address)
    context: dict[str, Any] = {"filters": filters, "query": filters.query()}
    context |= {"gone": named(thing), "toast": toast}
    if following:
        # While it can be undone the thing still stands in the list, before the next one.
        known = bool(nearest) and toast.get("open", False)
        beside = (named(thing), nearest[1] if len(nearest) > 1 else "") if known else None
        context |= pane_of(request.actor, filters, thing_by(request.actor, following), beside=beside)
    response = page(request, TEMPLATE, context, fragments=("pane", "gone", "told"))
    response["HX-Trigger-After-Settle"] = "decided"
    response["HX-Push-Url"] = address
    return response


def _first(request: ActorRequest) -> str:
    # The end of the list: what is left waits at its top.
    now = timezone.now()
    skip, _ = open_decisions(request.actor, now)
    rows = sheet(request.actor, filters_of(request).first_page(), now, skip, limit=1).rows
    return rows[0].key if rows else ""
