"""Changing somebody's role, what they may beyond or without it, and what a role may do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.errors import Unavailable
from dashboard.impact import role_changes
from dashboard.impact.consequences import Consequence
from dashboard.impact.mandate_reads import Read, rights_of, roles_of
from dashboard.impact.proposals import consequences_of_role_change
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.mandates.change_preview import ChangePreview, ask, data_of, is_sent, preview_or_submit, refuse
from dashboard.pages.mandates.forms import PermissionsForm, RoleForm
from dashboard.pages.mandates.selectors import subjects_of_roles
from dashboard.proposals.targets import RIGHTS, ROLE, seen_of
from dashboard.schemas.permissions import EmployeeRights, Overview, RoleRights


@require_http_methods(["GET", "POST"])
@needs(operations.CHANGE_ROLE)
def change_role(request: ActorRequest, business: str, employee_id: str) -> HttpResponse:
    """Gives somebody another role."""
    person, read, overview = _person(request, operations.CHANGE_ROLE, employee_id)
    form = RoleForm(data_of(request), initial={"role": read.found.role})
    if not is_sent(request) or not form.is_valid():
        return ask(request, form, "Change the role", person.name, _leave(request, person), read.trouble)
    role = form.cleaned_data["role"]
    after = role_changes.held_as(overview, read.found, role)
    said = [f"{person.name}: {role_changes.role_words(read.found.role)} → {role_changes.role_words(role)}."]
    said += role_changes.differences(person.name, overview, read.found.permissions, after)
    follow = lambda: consequences_of_role_change(request.actor, person, overview, read.found, role)  # noqa: E731
    return preview_or_submit(
        request, _of_person(request, operations.CHANGE_ROLE, person, read, {"role": role}, said, follow), form
    )


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_EMPLOYEE_PERMISSIONS)
def change_permissions(request: ActorRequest, business: str, employee_id: str) -> HttpResponse:
    """Gives somebody what their role does not have, or takes away what it has."""
    operation = operations.UPDATE_EMPLOYEE_PERMISSIONS
    person, read, overview = _person(request, operation, employee_id)
    held = read.found.permissions
    form = PermissionsForm(data_of(request), offered=role_changes.offered(overview, read.found.role), held=held)
    if not is_sent(request) or not form.is_valid():
        return ask(request, form, "Change the permissions", person.name, _leave(request, person), read.trouble)
    after = form.chosen()
    body = {"add": [n for n in after if n not in held], "remove": [n for n in held if n not in after]}
    said = role_changes.differences(person.name, overview, held, after)
    follow = lambda: role_changes.of_person(request.actor, person, overview, held, after)  # noqa: E731
    return preview_or_submit(request, _of_person(request, operation, person, read, body, said, follow), form)


def _person(
    request: ActorRequest, operation: Operation, employee_id: str
) -> tuple[Employee, Read[EmployeeRights], Overview]:
    """Whom it is about, their rights as they are now, and all that there are. Unavailable where those are not known."""
    person: Employee = get_object_or_404(visible_employees(request.actor), remote_id=employee_id)
    refuse(request, operation, person)
    read, overview = rights_of(request.actor, person), roles_of(request.actor)
    if read.found is None or not overview.found.roles:
        raise Unavailable(read.trouble or overview.trouble)
    return person, Read(read.found, read.as_of, read.trouble or overview.trouble), overview.found


def _leave(request: ActorRequest, person: Employee) -> str:
    return reverse("mandates_person", args=[request.actor.business.slug, person.remote_id])


def _of_person(
    request: ActorRequest, operation: Operation, person: Employee, read: Read[EmployeeRights], body: Mapping[str, Any],
    said: list[str], follow: Callable[[], list[Consequence]],
) -> ChangePreview:  # fmt: skip
    role = operation is operations.CHANGE_ROLE
    return ChangePreview(
        operation=operation,
        heading="Change the role" if role else "Change the permissions",
        title=person.name,
        button="Change it" if role else "Change them",
        done=f"{person.name}'s {'role is' if role else 'permissions are'} changed.",
        sentences=said,
        follows=follow,
        target_type=RIGHTS,
        target_id=person.remote_id,
        seen=seen_of(read.found),
        about=[person.remote_id],
        leave=_leave(request, person),
        path={"employee_id": person.remote_id},
        body=body,
        employee_id=person.remote_id,
        trouble=read.trouble,
    )


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_ROLE_PERMISSIONS)
def change_role_permissions(request: ActorRequest, business: str, role_id: str) -> HttpResponse:
    """What everybody of a role may do."""
    read = roles_of(request.actor)
    found = read.found.role(role_id)
    if found is None:
        if read.trouble and not read.found.roles:
            raise Unavailable(read.trouble)
        raise Http404("no such role")
    subject = subject_of_role(request.actor, found)
    refuse(request, operations.UPDATE_ROLE_PERMISSIONS, subject)
    form = PermissionsForm(data_of(request), offered=role_changes.offered(read.found, found.id), held=found.permissions)
    leave = reverse("mandates_roles", args=[business])
    if not is_sent(request) or not form.is_valid():
        return ask(request, form, "What a role may do", role_changes.role_words(found.id), leave, read.trouble)
    return preview_or_submit(request, _of_role(request.actor, read, found, subject, form.chosen(), leave), form)


def subject_of_role(actor: Actor, role: RoleRights) -> Subject:
    """What the gate must know of a role."""
    return subjects_of_roles(actor, [role])[0]


def _of_role(
    actor: Actor, read: Read[Overview], role: RoleRights, subject: Subject, after: Sequence[str], leave: str
) -> ChangePreview:
    before, name = role.permissions, role_changes.role_words(role.id)
    return ChangePreview(
        operation=operations.UPDATE_ROLE_PERMISSIONS,
        heading="What a role may do",
        title=name,
        button="Change it",
        done=f"What the role {name.lower()} may do is changed.",
        sentences=role_changes.differences(f"The role {name.lower()}", read.found, before, after),
        follows=lambda: role_changes.of_role(actor, read.found, role.id, before, after),
        target_type=ROLE,
        target_id=role.id,
        seen=seen_of(role),
        about=subject.about or (),
        leave=leave,
        path={"role_id": role.id},
        body={"permissions": list(after)},
        grave=bool(set(before) - set(after)),
        trouble=read.trouble,
    )
