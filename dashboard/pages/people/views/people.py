"""People: the list, one of them, and somebody new."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import employees as commands
from dashboard.lists.filters import LONGEST
from dashboard.lists.view import list_page, totals_part
from dashboard.pages.people.forms.people import NewPersonForm, role_choices
from dashboard.pages.people.presenters.people import person_context
from dashboard.pages.people.selectors.people import (
    active_teams,
    is_second_admin_missed,
    may_invite,
    person_of,
    roles_to_give,
)
from dashboard.pages.people.services import invite_employee
from dashboard.pages.people.tables import PEOPLE
from dashboard.web.person_field import suggested_people
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key_of, posted_key

LIST, ITEM, NEW = "people/list.html", "people/item.html", "people/new.html"


@require_GET
@needs(operations.LIST_EMPLOYEES)
def people(request: ActorRequest, business: str) -> HttpResponseBase:
    """The people, filtered and sorted as the address says."""
    return list_page(request, PEOPLE, template=LIST, area_context=_may_add(request))


@polls
@require_GET
@needs(operations.LIST_EMPLOYEES)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many people the list has."""
    return totals_part(request, PEOPLE, template=LIST, area_context=_may_add(request))


@require_GET
@needs(operations.LIST_EMPLOYEES)
def suggestions(request: ActorRequest, business: str) -> HttpResponse:
    """Whom the words of a field that names somebody may mean: `field` is its name in the address."""
    typed = request.GET.get(request.GET.get("field", ""), "")[:LONGEST]
    return page(request, "people/suggestions.html", {"people": suggested_people(request.actor, typed)})


def _may_add(request: ActorRequest) -> dict[str, Any]:
    return {"may_add": bool(can_open(request.actor, operations.CREATE_EMPLOYEE))}


@require_GET
@needs(operations.READ_EMPLOYEE)
def person(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One person: profile, team, money, what they review, and what can be done about it."""
    return page(request, ITEM, person_context(request.actor, person_of(request.actor, remote_id)))


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_EMPLOYEE)
def new_person(request: ActorRequest, business: str) -> HttpResponse:
    """Somebody new at the finance service, invited to this dashboard with it where that was ticked."""
    form = _new_form(request)
    if request.method == "GET" or not form.is_valid():
        return _render_new(request, form, 200 if request.method == "GET" else 422)
    check_or_record_denial(
        request.actor, operations.CREATE_EMPLOYEE, commands.subject_of_new(request.actor, form.cleaned_data["role"])
    )
    return confirm_first(request, request.path) or _add(request, form)


def _add(request: ActorRequest, form: NewPersonForm) -> HttpResponse:
    body = form.body()
    try:
        added = commands.create(request.actor, body, key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_new(request, form, refused.status)
    messages.success(request, f"{body['name']} was added.")
    if form.cleaned_data.get("invite"):
        invited = invite_employee(request.actor, body, added.id, key=posted_key(request))
        messages.add_message(request, invited.level, invited.message)
    return redirect("people_item", request.actor.business.slug, added.id)


def _new_form(request: ActorRequest) -> NewPersonForm:
    actor = request.actor
    return NewPersonForm(
        request.POST if request.method == "POST" else None,
        roles=role_choices(roles_to_give(actor)),
        teams=[(team.code, team.name) for team in active_teams(actor)],
        may_invite=may_invite(actor),
        needs_two=is_second_admin_missed(actor),
        locale=actor.business.locale,
    )


def _render_new(request: ActorRequest, form: NewPersonForm, status: int = 200) -> HttpResponse:
    return page(request, NEW, {"form": form, "key": posted_key(request)}, status=status)
