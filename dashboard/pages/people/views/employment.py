"""Comings and goings: suspending somebody, activating them, removing them, and handing their account over."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import employees as commands
from dashboard.mirror.models import Employee
from dashboard.pages.people.forms.people import HandOverForm
from dashboard.pages.people.presenters.people import hand_over_context, hand_over_form
from dashboard.pages.people.selectors.people import may_offboard, person_of, successor_roles
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import form_key_of, posted_key

HAND_OVER = "people/hand_over.html"


@require_POST
@needs(operations.SUSPEND_EMPLOYEE)
def suspend(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Suspends somebody: signed out at once, and their cards decline."""
    row = person_of(request.actor, remote_id)
    commands.suspend(request.actor, row, key=form_key_of(request))
    messages.success(request, f"{row.name} is suspended: signed out here, and their cards decline.")
    return redirect("people_item", business, remote_id)


@require_POST
@needs(operations.ACTIVATE_EMPLOYEE)
def activate(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Activates somebody who is suspended."""
    row = person_of(request.actor, remote_id)
    commands.activate(request.actor, row, key=form_key_of(request))
    messages.success(request, f"{row.name} is active again.")
    return redirect("people_item", business, remote_id)


@require_POST
@needs(operations.DELETE_EMPLOYEE)
def remove(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Removes somebody for good; refused while something of theirs is open."""
    row = person_of(request.actor, remote_id)
    check_or_record_denial(request.actor, operations.DELETE_EMPLOYEE, row)
    if verification := confirm_first(request, request.path):
        return verification
    commands.remove(request.actor, row, key=form_key_of(request))
    messages.success(request, f"{row.name} was removed. Their name stays on what they did.")
    return redirect("people_item", business, remote_id)


@require_http_methods(["GET", "POST"])
@needs(operations.TRANSFER_OWNERSHIP)
def hand_over(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Hands an account over to a successor; what that does not move is listed first."""
    row = person_of(request.actor, remote_id)
    _check_door(request, row)
    form = hand_over_form(request.actor, row, request.POST if request.method == "POST" else None)
    if request.method == "GET" or not form.is_valid():
        return _render(request, row, form, 200 if request.method == "GET" else 422)
    return confirm_first(request, request.path) or _hand_over(request, row, form)


def _check_door(request: ActorRequest, row: Employee) -> None:
    # Any role that may be given to the successor opens the page; where there is none, the denial says why.
    roles = successor_roles(request.actor, row)
    subject = commands.subject_of_handover(row, roles[0] if roles else row.role)
    check_or_record_denial(request.actor, operations.TRANSFER_OWNERSHIP, subject)


def _hand_over(request: ActorRequest, row: Employee, form: HandOverForm) -> HttpResponse:
    try:
        done = commands.hand_over(request.actor, row, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refusal:
        return _render(request, row, form, refusal.status)
    messages.success(request, f"{form.cleaned_data['name']} takes over from {row.name}.")
    slug = request.actor.business.slug
    if form.cleaned_data["existing"] == "DELETE" or not may_offboard(request.actor, row):
        return redirect("people_item", slug, done.id)
    # What a handover does not move gets its heir next.
    return redirect(f"{reverse('people_offboard', args=[slug, row.remote_id])}?{urlencode({'heir': done.id})}")


def _render(request: ActorRequest, row: Employee, form: HandOverForm, status: int) -> HttpResponse:
    context = {**hand_over_context(request.actor, row, form), "key": posted_key(request)}
    return page(request, HAND_OVER, context, status=status)
