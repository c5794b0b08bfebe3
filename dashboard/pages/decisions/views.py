"""One's decisions on their way to the service: undone while they wait, shown once they are settled."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.addresses import page_to_return_to
from dashboard.access.decorators import needs
from dashboard.decisions.models import Decision
from dashboard.decisions.presenters import toast_of
from dashboard.decisions.registry import DECIDED
from dashboard.decisions.services import own_decision, undo
from dashboard.errors import InvalidState
from dashboard.pages.decisions.presenters import decision_sentence, decisions_context
from dashboard.web.form_outcome import with_outcome
from dashboard.web.respond import is_fragment_request, page
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations_pages.OWN_DECISIONS)
def decisions(request: ActorRequest, business: str) -> HttpResponse:
    """What waits, what is being sent, what nobody knows yet, and what became of the rest."""
    return _show(request)


@polls
@require_GET
@needs(operations_pages.OWN_DECISIONS)
def decision_rows(request: ActorRequest, business: str) -> HttpResponse:
    """The same rows again: the page asks by itself while something is open."""
    return _show(request)


def _show(request: ActorRequest) -> HttpResponse:
    return page(request, "decisions/decisions.html", decisions_context(request.actor), fragments=("rows",))


@require_POST
@needs(operations_pages.OWN_DECISIONS)
def undo_decision(request: ActorRequest, business: str, decision_id: UUID) -> HttpResponse:
    """Takes a decision back while it waits here: before anything was sent, or while the service has put it off."""
    try:
        decision = undo(request.actor, decision_id)
    except InvalidState as late:
        if not is_fragment_request(request):
            raise
        return _toast(request, own_decision(request.actor, decision_id), 409, late=late.detail)
    sentence = f"Undone: you had {decision_sentence(decision)}. {decision.not_done_sentence}"
    if not is_fragment_request(request):
        messages.success(request, sentence)
        # The list that it was undone from, with its filters.
        return HttpResponseRedirect(page_to_return_to(request))
    response = with_outcome(_toast(request, decision, undone=True), sentence)
    response["HX-Trigger"] = "undone, decided"
    return response


@polls
@require_GET
@needs(operations_pages.OWN_DECISIONS)
def decision_toast(request: ActorRequest, business: str, decision_id: UUID) -> HttpResponse:
    """What has become of a decision: the toast asks for it by itself until it is settled."""
    return _toast(request, own_decision(request.actor, decision_id))


def _toast(request: ActorRequest, decision: Decision, status: int = 200, **more: Any) -> HttpResponse:
    """The toast of a decision as it stands, with `undone`, or `late` with why it could not be undone any more."""
    context = {"toast": toast_of(DECIDED[decision.operation], decision) | more, "error": more.get("late", "")}
    return page(request, "decisions/toast.html", context, status=status)
