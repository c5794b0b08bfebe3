"""A person's profile and team."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import employees as commands
from dashboard.pages.people.presenters.people import person_context, profile_form, team_form
from dashboard.pages.people.selectors.people import person_of, team_of
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key

ITEM = "people/item.html"


@require_POST
@needs(operations.UPDATE_PROFILE)
def edit_profile(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Changes a profile: one's own name and phone, whoever else's as an admin."""
    row = person_of(request.actor, remote_id)
    check_or_record_denial(request.actor, operations.UPDATE_PROFILE, row)
    form = profile_form(request.actor, row, request.POST)
    refused = {"profile_form": form, "key": posted_key(request)}
    if not form.is_valid():
        return page(request, ITEM, {**person_context(request.actor, row), **refused}, status=422)
    try:
        commands.update_profile(request.actor, row, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refusal:
        return page(request, ITEM, {**person_context(request.actor, row), **refused}, status=refusal.status)
    messages.success(request, "Changes saved.")
    return redirect("people_item", business, remote_id)


@require_POST
@needs(operations.MOVE_TO_TEAM)
def move_to_team(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Moves somebody to another team."""
    row = person_of(request.actor, remote_id)
    form = team_form(request.actor, row, request.POST)
    refused = {"team_form": form, "key": posted_key(request)}
    if not form.is_valid():
        return page(request, ITEM, {**person_context(request.actor, row), **refused}, status=422)
    try:
        commands.move_to_team(request.actor, row, form.cleaned_data["team"], key=form_key_of(request), form=form)
    except commands.REFUSALS as refusal:
        return page(request, ITEM, {**person_context(request.actor, row), **refused}, status=refusal.status)
    messages.success(request, f"{row.name} is in {team_of(request.actor, form.cleaned_data['team']).name} now.")
    return redirect("people_item", business, remote_id)
