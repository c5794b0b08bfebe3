"""One's decisions on their way to the service: undone while they wait, told when they are settled."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.person import membership_of
from dashboard.decisions.models import Alert, Decision
from dashboard.decisions.presenters import toast_of
from dashboard.decisions.registry import DECIDED
from dashboard.decisions.services import own_decision, undo
from dashboard.errors import InvalidState
from dashboard.money import text
from dashboard.pages.decisions.table import TONES, own_decisions
from dashboard.times import day_and_time
from dashboard.web.outcome import with_outcome
from dashboard.web.respond import page, wants_fragment
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations_pages.OWN_DECISIONS)
def decisions(request: ActorRequest, business: str) -> HttpResponse:
    """What waits, what is being sent, what nobody can tell yet, and what became of the rest."""
    return _show(request)


@polls
@require_GET
@needs(operations_pages.OWN_DECISIONS)
def rows(request: ActorRequest, business: str) -> HttpResponse:
    """The same rows again: the page asks by itself while something is open."""
    return _show(request)


def _show(request: ActorRequest) -> HttpResponse:
    where, locale = request.actor.business, request.actor.business.locale
    own = list(own_decisions(request.actor))
    lines = [
        {
            "decision": one,
            "told": DECIDED[one.operation].sentence(one.title),
            "amount": "" if one.amount_minor is None else text(one.amount_minor, one.currency, locale),
            "tone": TONES.get(one.state, ""),
            "when": day_and_time(one.created_at, where),
        }
        for one in own
    ]
    alerts = Alert.objects.filter(business=where, membership_id=membership_of(request.actor), closed_at__isnull=True)
    context = {"rows": lines, "alerts": alerts, "open": any(one.is_open for one in own)}
    return page(request, "decisions/decisions.html", context, fragments=("rows",))


@require_POST
@needs(operations_pages.OWN_DECISIONS)
def undo_decision(request: ActorRequest, business: str, decision_id: UUID) -> HttpResponse:
    """Takes a decision back while it waits here: nothing has been sent."""
    try:
        decision = undo(request.actor, decision_id)
    except InvalidState as late:
        if not wants_fragment(request):
            raise
        return _toast(request, own_decision(request.actor, decision_id), 409, late=late.detail)
    said = f"Undone: you had {DECIDED[decision.operation].sentence(decision.title)}. {decision.not_done}"
    if not wants_fragment(request):
        messages.success(request, said)
        return redirect("approvals", business)
    response = with_outcome(_toast(request, decision, undone=True), said)
    response["HX-Trigger"] = "undone, decided"
    return response


@polls
@require_GET
@needs(operations_pages.OWN_DECISIONS)
def decision_toast(request: ActorRequest, business: str, decision_id: UUID) -> HttpResponse:
    """What has become of a decision: the toast asks for it by itself until it is settled."""
    return _toast(request, own_decision(request.actor, decision_id))


def _toast(request: ActorRequest, decision: Decision, status: int = 200, **more: Any) -> HttpResponse:
    """The toast of a decision as it stands; `undone`, or `late` with why it could not be undone any more."""
    context = {"toast": toast_of(DECIDED[decision.operation], decision) | more, "error": more.get("late", "")}
    return page(request, "decisions/toast.html", context, status=status)
