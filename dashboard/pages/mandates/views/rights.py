"""Changing somebody's role, what they may beyond or without it, and what a role may do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.errors import Unavailable
from dashboard.impact import role_changes
from dashboard.impact.mandate_reads import Snapshot, rights_of, roles_of
from dashboard.impact.proposals import consequences_of_role_change
from dashboard.mirror.models import Employee
from dashboard.pages.mandates.forms import EmployeeRoleForm, PermissionsForm
from dashboard.pages.mandates.presenters.changes import person_address, preview_of_rights, preview_of_role
from dashboard.pages.mandates.selectors import person_for, subject_of_role
from dashboard.schemas.permissions import EmployeeRights, Overview, PermissionChangesBody
from dashboard.web.change_steps import check_or_deny, data_of, is_sent, preview_or_submit, render_form


@require_http_methods(["GET", "POST"])
@needs(operations.CHANGE_ROLE)
def change_role(request: ActorRequest, business: str, employee_id: str) -> HttpResponse:
    """Changes the role of a person."""
    person, read, overview = _person(request, operations.CHANGE_ROLE, employee_id)
    form = EmployeeRoleForm(data_of(request), initial={"role": read.value.role})
    if not is_sent(request) or not form.is_valid():
        return render_form(
            request, form, "Change role", person.name, person_address(request.actor, person), read.trouble
        )
    role = form.cleaned_data["role"]
    after = role_changes.held_as(overview, read.value, role)
    sentences = role_changes.role_change_sentences(person.name, overview, read.value, role, after)
    consequences = partial(consequences_of_role_change, request.actor, person, overview, read.value, role)
    return preview_or_submit(
        request,
        preview_of_rights(request.actor, operations.CHANGE_ROLE, person, read, {"role": role}, sentences, consequences),
        form,
    )


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_EMPLOYEE_PERMISSIONS)
def change_permissions(request: ActorRequest, business: str, employee_id: str) -> HttpResponse:
    """Changes the permissions of a person beyond or without their role."""
    operation = operations.UPDATE_EMPLOYEE_PERMISSIONS
    person, read, overview = _person(request, operation, employee_id)
    held = read.value.permissions
    form = PermissionsForm(data_of(request), offered=role_changes.offered(overview, read.value.role), held=held)
    if not is_sent(request) or not form.is_valid():
        return render_form(
            request, form, "Change permissions", person.name, person_address(request.actor, person), read.trouble
        )
    after = form.chosen()
    body = _changed_permissions(held, after)
    sentences = role_changes.differences(person.name, overview, held, after)
    consequences = partial(role_changes.of_person, request.actor, person, overview, held, after)
    return preview_or_submit(
        request, preview_of_rights(request.actor, operation, person, read, body, sentences, consequences), form
    )


def _changed_permissions(held: Sequence[str], after: Sequence[str]) -> PermissionChangesBody:
    return {"add": [name for name in after if name not in held], "remove": [name for name in held if name not in after]}


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
    role = read.value.role(role_id)
    if role is None:
        if read.trouble and not read.value.roles:
            raise Unavailable(read.trouble)
        raise Http404("no such role")
    subject = subject_of_role(request.actor, role)
    check_or_deny(request, operations.UPDATE_ROLE_PERMISSIONS, subject)
    form = PermissionsForm(data_of(request), offered=role_changes.offered(read.value, role.id), held=role.permissions)
    leave = reverse("mandates_roles", args=[business])
    if not is_sent(request) or not form.is_valid():
        return render_form(request, form, "Role permissions", role_changes.role_words(role.id), leave, read.trouble)
    return preview_or_submit(request, preview_of_role(request.actor, read, role, subject, form.chosen(), leave), form)
