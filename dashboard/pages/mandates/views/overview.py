"""Looking at the mandates, at who has which role, and at what each role may do."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can
from dashboard.access.decorators import needs
from dashboard.access.roles import Role
from dashboard.impact.mandate_reads import (
    mandate_of,
    mandates_of,
    open_proposal,
    rights_of,
    roles_of,
    subject_of_mandate,
)
from dashboard.impact.mandate_text import amounts_of, asks, kind_of, title_of
from dashboard.impact.mandates import waiting
from dashboard.impact.role_changes import role_words
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.mandates.change_preview import template
from dashboard.pages.mandates.tables import Asked, SeatLine, by_kind, columns_of, held_in, matrix_of, people_of
from dashboard.proposals.selectors import waiting_for
from dashboard.proposals.targets import MANDATE, RIGHTS
from dashboard.web.freshness import freshness_of
from dashboard.web.respond import page


@require_GET
@needs(operations.LIST_MANDATES)
def mandates(request: ActorRequest, business: str) -> HttpResponse:
    """What each covers and how many of whom must approve."""
    read = mandates_of(request.actor)
    currencies = sorted({one.currency for one in read.found})
    currency = request.GET.get("currency", "")
    currency = currency if currency in currencies else ""
    context = {
        "read": read,
        "groups": by_kind(read.found, currency, request.actor.business.locale),
        "currency": currency,
        "currencies": currencies,
        "waiting": waiting_for(request.actor),
    }
    return page(request, template("mandates.html"), context)


@require_GET
@needs(operations.LIST_MANDATES)
def mandate(request: ActorRequest, business: str, mandate_id: str) -> HttpResponse:
    """One: its approvers and their caps, and what may be changed."""
    actor, read = request.actor, mandate_of(request.actor, mandate_id)
    found, locale = read.found, actor.business.locale
    seats = sorted(found.approvers, key=lambda seat: (not seat.active, seat.order))
    context = {
        "read": read,
        "mandate": found,
        "title": title_of(found, locale),
        "kind": kind_of(found),
        "amounts": amounts_of(found, locale),
        "asks": asks(found),
        "seats": [SeatLine.of(seat, found, locale) for seat in seats],
        "may": can(actor, operations.UPDATE_MANDATE, subject_of_mandate(actor, found)),
        "open": open_proposal(actor, MANDATE, found.id),
        "requests": waiting(actor).filter(payload__mandate_id=found.id).count(),
    }
    return page(request, template("mandate.html"), context)


@require_GET
@needs(operations.READ_EMPLOYEE_PERMISSIONS)
def people(request: ActorRequest, business: str) -> HttpResponse:
    """Who has which role, from the copy."""
    asked = Asked.read(request.GET)
    rows, more = people_of(request.actor, asked)
    context = {
        "asked": asked,
        "rows": rows,
        "next": more,
        "roles": Role.choices,
        "query": asked.query(),
        "fresh": freshness_of(request.actor.business),
    }
    return page(request, template("people.html"), context, status=400 if asked.problem else 200)


@require_GET
@needs(operations.READ_EMPLOYEE_PERMISSIONS)
def person(request: ActorRequest, business: str, employee_id: str) -> HttpResponse:
    """What somebody may, by what; and the mandates that let them vote."""
    actor = request.actor
    found: Employee = get_object_or_404(visible_employees(actor), remote_id=employee_id)
    every = mandates_of(actor).found
    seated = [one for one in every if any(seat.approver_id == employee_id for seat in one.approvers)]
    read = rights_of(actor, found)
    context = {
        "read": read,
        "person": found,
        "role": role_words(read.found.role if read.found else found.role),
        "rights": held_in(read.found),
        "groups": by_kind(seated, "", actor.business.locale),
        "may": can(actor, operations.CHANGE_ROLE, found),
        "open": open_proposal(actor, RIGHTS, found.remote_id),
    }
    return page(request, template("person.html"), context)


@require_GET
@needs(operations.LIST_PERMISSIONS)
def roles(request: ActorRequest, business: str) -> HttpResponse:
    """Roles by permissions."""
    read = roles_of(request.actor)
    context = {"read": read, "columns": columns_of(request.actor, read.found), "matrix": matrix_of(read.found)}
    return page(request, template("roles.html"), context)
