"""Standing in for each other: who does now, handing one's own items over, ending it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.delegation.models import Delegation
from dashboard.delegation.services import (
    close_delegation,
    could_hand_over,
    could_stand_in,
    create_delegation,
)
from dashboard.errors import Rejected
from dashboard.pages.delegation.forms import DelegationForm
from dashboard.pages.delegation.presenters import delegation_message, delegation_row, ended_message
from dashboard.pages.delegation.selectors import current_delegations, delegations_of, past_delegations
from dashboard.times import local
from dashboard.web.respond import page
from dashboard.web.submission import posted_key

TEMPLATE = "delegation/delegation.html"


@require_http_methods(["GET", "POST"])
@needs(operations_pages.DELEGATION)
def delegations(request: ActorRequest, business: str) -> HttpResponse:
    """Who stands in for whom; posted, the person's own items are handed over."""
    actor = request.actor
    people, kinds, locale = could_stand_in(actor), could_hand_over(actor), actor.business.locale
    if request.method == "GET":
        today = local(timezone.now(), actor.business).date()
        initial = {"first": today, "kinds": [kind for kind, _ in kinds]}
        return _show(request, DelegationForm(initial=initial, people=people, kinds=kinds, locale=locale))
    form = DelegationForm(request.POST, people=people, kinds=kinds, locale=locale)
    if not form.is_valid() or (delegation := _create(request, form)) is None:
        return _show(request, form, 422)
    messages.success(request, delegation_message(delegation))
    return redirect("delegation", business)


def _create(request: ActorRequest, form: DelegationForm) -> Delegation | None:
    """Hands over; None where something speaks against it, which then stands beside its field."""
    try:
        return create_delegation(request.actor, form.draft(), key=posted_key(request))
    except Rejected as refused:
        for problem in refused.fields:
            form.add_error(problem.field, problem.message)
        return None


def _show(request: ActorRequest, form: DelegationForm, status: int = 200) -> HttpResponse:
    for name in list(form.errors)[:1]:
        if name in form.fields:
            form.fields[name].widget.attrs["autofocus"] = True
    actor, now = request.actor, timezone.now()
    context = {
        "form": form if form.fields["kinds"].choices else None,  # type: ignore[attr-defined]
        "now": [delegation_row(actor, delegation, now) for delegation in current_delegations(actor, now)],
        "over": [delegation_row(actor, delegation, now) for delegation in past_delegations(actor, now)],
        "key": posted_key(request),
    }
    return page(request, TEMPLATE, context, status=status)


@require_POST
@needs(operations_pages.DELEGATION)
def end_delegation(request: ActorRequest, business: str, delegation_id: UUID) -> HttpResponse:
    """Ends a delegation now; what was handed over comes back."""
    delegation = get_object_or_404(delegations_of(request.actor.business.pk), pk=delegation_id)
    close_delegation(request.actor, delegation)
    messages.success(request, ended_message(delegation))
    return redirect("delegation", business)
