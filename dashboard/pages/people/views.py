"""People: the list, and one of them with role and team."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists.detail_page import detail_page
from dashboard.lists.states import state_in
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.people.presenters import STATES, facts_of
from dashboard.pages.people.tables import PEOPLE
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations.LIST_EMPLOYEES)
def people(request: ActorRequest, business: str) -> HttpResponseBase:
    """The people, filtered and sorted as the address says."""
    return list_page(request, PEOPLE)


@polls
@require_GET
@needs(operations.LIST_EMPLOYEES)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many people the list has."""
    return totals_part(request, PEOPLE)


@require_GET
@needs(operations.READ_EMPLOYEE)
def person(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One person: e-mail, role and team."""
    employee: Employee = get_object_or_404(visible_employees(request.actor), remote_id=remote_id)
    state, facts = state_in(STATES, employee.status), facts_of(request.actor, employee)
    return detail_page(request, PEOPLE, employee, employee.name, state, facts)
