"""Looking at the mandates, at who has which role, and at what each role may do."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can
from dashboard.access.decorators import needs
from dashboard.access.roles import Role
from dashboard.impact.mandate_reads import (
    mandate_of,
    open_proposal,
    roles_of,
    subject_of_mandate,
)
from dashboard.impact.mandates import waiting
from dashboard.pages.mandates.presenters.overview import (
    columns_of,
    mandate_context,
    mandates_context,
    matrix_of,
    person_rights_context,
)
from dashboard.pages.mandates.selectors import PeopleQuery, people_with_roles, person_for
from dashboard.proposals.targets import MANDATE
from dashboard.web.freshness import freshness_of
from dashboard.web.respond import page


@require_GET
@needs(operations.LIST_MANDATES)
def mandates(request: ActorRequest, business: str) -> HttpResponse:
    """The page of the mandates: what each covers and how many of whom must approve."""
    context = mandates_context(request.actor, request.GET.get("currency", ""))
    return page(request, "mandates/mandates.html", context)


@require_GET
@needs(operations.LIST_MANDATES)
def mandate(request: ActorRequest, business: str, mandate_id: str) -> HttpResponse:
    """The page of one mandate: its approvers and their caps, and what may be changed."""
    actor, read = request.actor, mandate_of(request.actor, mandate_id)
    row = read.value
    context = mandate_context(row, actor.business.locale) | {
        "read": read,
        "may": can(actor, operations.UPDATE_MANDATE, subject_of_mandate(actor, row)),
        "open": open_proposal(actor, MANDATE, row.id),
        "requests": waiting(actor).filter(payload__mandate_id=row.id).count(),
    }
    return page(request, "mandates/mandate.html", context)


@require_GET
@needs(operations.READ_EMPLOYEE_PERMISSIONS)
def people(request: ActorRequest, business: str) -> HttpResponse:
    """The page of who has which role, from the copy."""
    query = PeopleQuery.read(request.GET)
    rows, more = people_with_roles(request.actor, query)
    context = {
        "filters": query,
        "rows": rows,
        "next": more,
        "roles": Role.choices,
        "query": query.query(),
        "fresh": freshness_of(request.actor.business),
    }
    return page(request, "mandates/people.html", context, status=400 if query.problem else 200)


@require_GET
@needs(operations.READ_EMPLOYEE_PERMISSIONS)
def person(request: ActorRequest, business: str, employee_id: str) -> HttpResponse:
    """The page of what a person may do, by what; and of the mandates that let them vote."""
    context = person_rights_context(request.actor, person_for(request.actor, employee_id))
    return page(request, "mandates/person.html", context)


@require_GET
@needs(operations.LIST_PERMISSIONS)
def roles(request: ActorRequest, business: str) -> HttpResponse:
    """The page of the roles by permissions."""
    read = roles_of(request.actor)
    context = {"read": read, "columns": columns_of(request.actor, read.value), "matrix": matrix_of(read.value)}
    return page(request, "mandates/roles.html", context)
