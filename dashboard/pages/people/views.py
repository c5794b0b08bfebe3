"""People: the list, and one of them with role and team."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists.detail_page import Facts, detail_page
from dashboard.lists.states import state_in
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees, visible_teams
from dashboard.pages.people.table import PEOPLE, STATES, role_of
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations.LIST_EMPLOYEES)
def people(request: ActorRequest, business: str) -> HttpResponseBase:
    """The people, as the address asks for them."""
    return list_page(request, PEOPLE)


@polls
@require_GET
@needs(operations.LIST_EMPLOYEES)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many there are."""
    return totals_part(request, PEOPLE)


@require_GET
@needs(operations.READ_EMPLOYEE)
def person(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One person."""
    found: Employee = get_object_or_404(visible_employees(request.actor), remote_id=remote_id)
    return detail_page(
        request, PEOPLE, found, found.name, state_in(STATES, found.status), facts_of(request.actor, found)
    )


def facts_of(actor: Actor, found: Employee) -> Facts:
    """What is known of a person."""
    team = visible_teams(actor).filter(remote_id=found.team_id).values_list("name", flat=True).first()
    return [("E-mail", found.email), ("Role", role_of(found.role)), ("Team", team or "")]
