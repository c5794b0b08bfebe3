"""Teams: the list, one of them with who reviews it and who is in it; adding, changing and deleting one."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.commands import teams as commands
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Team
from dashboard.pages.people.forms.people import ReviewerForm, TeamForm
from dashboard.pages.people.presenters.teams import team_context
from dashboard.pages.people.selectors.people import reviewer_choices, team_of
from dashboard.pages.people.selectors.teams import ties_of
from dashboard.pages.people.tables import TEAMS
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key_of, posted_key

LIST, ITEM, NEW = "people/teams.html", "people/team.html", "people/new_team.html"


@require_GET
@needs(operations.LIST_TEAMS)
def teams(request: ActorRequest, business: str) -> HttpResponseBase:
    """The teams, filtered and sorted as the address says."""
    return list_page(request, TEAMS, template=LIST, area_context=_may_add(request))


@polls
@require_GET
@needs(operations.LIST_TEAMS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many teams there are under the filters of the address."""
    return totals_part(request, TEAMS, template=LIST, area_context=_may_add(request))


def _may_add(request: ActorRequest) -> dict[str, Any]:
    return {"may_add": bool(can_open(request.actor, operations.CREATE_TEAM))}


@require_GET
@needs(operations.READ_TEAM)
def team(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The page of one team, as the actor may see it."""
    return _render_team(request, team_of(request.actor, remote_id))


def _render_team(request: ActorRequest, row: Team, status: int = 200, **refused: Any) -> HttpResponse:
    context = {**team_context(request.actor, row), "key": posted_key(request), **refused}
    return page(request, ITEM, context, status=status)


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_TEAM)
def new_team(request: ActorRequest, business: str) -> HttpResponse:
    """The form of a new team; posted, it is added."""
    form = TeamForm(request.POST if request.method == "POST" else None)
    if request.method == "GET" or not form.is_valid():
        return _render_new(request, form, 200 if request.method == "GET" else 422)
    try:
        added = commands.create(request.actor, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_new(request, form, refused.status)
    messages.success(request, f"{form.cleaned_data['name']} was added.")
    return redirect("teams_item", business, added.id)


def _render_new(request: ActorRequest, form: TeamForm, status: int) -> HttpResponse:
    return page(request, NEW, {"form": form, "key": posted_key(request)}, status=status)


@require_POST
@needs(operations.UPDATE_TEAM)
def edit_team(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Changes a team's name, code, status or description."""
    row, form = team_of(request.actor, remote_id), TeamForm(request.POST, exists=True)
    if not form.is_valid():
        return _render_team(request, row, 422, form=form)
    try:
        commands.update(request.actor, row, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_team(request, row, refused.status, form=form)
    messages.success(request, "Changes saved.")
    return redirect("teams_item", business, remote_id)


@require_POST
@needs(operations.DELETE_TEAM)
def delete_team(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Deletes a team on which nothing hangs; else its page says what does."""
    row = team_of(request.actor, remote_id)
    if ties_of(request.actor, row):
        messages.error(request, "Nothing was changed: see below what hangs on the team.")
        return _render_team(request, row, 409)
    commands.delete(request.actor, row, key=form_key_of(request))
    messages.success(request, f"{row.name} was deleted. What was spent in it keeps its name.")
    return redirect("teams", business)


@require_POST
@needs(operations.MAKE_TEAM_REVIEWER)
def add_reviewer(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Makes somebody a reviewer of the team."""
    row = team_of(request.actor, remote_id)
    form = ReviewerForm(request.POST, people=reviewer_choices(request.actor, row))
    if not form.is_valid():
        return _render_team(request, row, 422, reviewer_form=form)
    employee_id, read_only = form.cleaned_data["reviewer"], form.cleaned_data["read_only"]
    try:
        commands.add_reviewer(request.actor, row, employee_id, read_only=read_only, key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_team(request, row, refused.status, reviewer_form=form)
    messages.success(request, "The reviewer was added.")
    return redirect("teams_item", business, remote_id)


@require_POST
@needs(operations.REMOVE_TEAM_REVIEWER)
def remove_reviewer(request: ActorRequest, business: str, remote_id: str, employee_id: str) -> HttpResponse:
    """Takes a reviewer's seat in the team away."""
    row = team_of(request.actor, remote_id)
    commands.remove_reviewer(request.actor, row, employee_id, key=form_key_of(request))
    messages.success(request, "The reviewer was removed. Their role stays what it is.")
    return redirect("teams_item", business, remote_id)
