"""Changing somebody's role, what they may beyond or without it, and what a role may do."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.errors import Unavailable
from dashboard.impact import role_changes
from dashboard.impact.mandate_reads import Snapshot, rights_of, roles_of
from dashboard.mirror.models import Employee
from dashboard.pages.mandates.forms import EmployeeRoleForm, PermissionsForm
from dashboard.pages.mandates.presenters.changes import (
    person_address,
    preview_of_permissions,
    preview_of_role,
    preview_of_role_change,
)
from dashboard.pages.mandates.selectors import person_for, role_in, subject_of_role
from dashboard.schemas.permissions import EmployeeRights, Overview
from dashboard.web.change_steps import check_or_deny, data_of, is_sent, preview_or_submit, render_form


@require_http_methods(["GET", "POST"])
@needs(operations.CHANGE_ROLE)
def change_role(request: ActorRequest, business: str, employee_id: str) -> HttpResponse:
    """Changes the role of a person."""
    person, read, overview = _person(request, operations.CHANGE_ROLE, employee_id)
    form = EmployeeRoleForm(data_of(request), initial={"role": read.value.role})
    if not is_sent(request) or not form.is_valid():
        leave = person_address(request.actor, person)
        return render_form(request, form, "Change role", person.name, leave, read.trouble)
    preview = preview_of_role_change(request.actor, person, read, overview, form.cleaned_data["role"])
    return preview_or_submit(request, preview, form)


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_EMPLOYEE_PERMISSIONS)
def change_permissions(request: ActorRequest, business: str, employee_id: str) -> HttpResponse:
    """Changes the permissions of a person beyond or without their role."""
    person, read, overview = _person(request, operations.UPDATE_EMPLOYEE_PERMISSIONS, employee_id)
    offered = role_changes.offered(overview, read.value.role)
    form = PermissionsForm(data_of(request), offered=offered, held=read.value.permissions)
    if not is_sent(request) or not form.is_valid():
        leave = person_address(request.actor, person)
        return render_form(request, form, "Change permissions", person.name, leave, read.trouble)
    preview = preview_of_permissions(request.actor, person, read, overview, form.chosen())
    return preview_or_submit(request, preview, form)


def _person(
    request: ActorRequest, operation: Operation, employee_id: str
) -> tuple[Employee, Snapshot[EmployeeRights], Overview]:
    """The person, their rights as they are now, and all the rights there are; raises Unavailable where those are not known."""
    person = person_for(request.actor, employee_id)
    check_or_deny(request, operation, person)
    read, overview = rights_of(request.actor, person), roles_of(request.actor)
    if read.value is None or not overview.value.roles:
        raise Unavailable(read.trouble or overview.trouble)
    return person, Snapshot(read.value, read.as_of, read.trouble or overview.trouble), overview.value


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_ROLE_PERMISSIONS)
def change_role_permissions(request: ActorRequest, business: str, role_id: str) -> HttpResponse:
    """Changes what everybody of a role may do."""
    read = roles_of(request.actor)
    role = role_in(read, role_id)
    subject = subject_of_role(request.actor, role)
    check_or_deny(request, operations.UPDATE_ROLE_PERMISSIONS, subject)
    form = PermissionsForm(data_of(request), offered=role_changes.offered(read.value, role.id), held=role.permissions)
    leave = reverse("mandates_roles", args=[business])
    if not is_sent(request) or not form.is_valid():
        return render_form(request, form, "Role permissions", role_changes.role_words(role.id), leave, read.trouble)
    return preview_or_submit(request, preview_of_role(request.actor, read, role, subject, form.chosen(), leave), form)
