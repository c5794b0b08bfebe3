"""A change of a mandate, of a person's rights or of a role before it is made: what it says and what would be sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.impact import role_changes
from dashboard.impact.consequences import Consequence
from dashboard.impact.mandate_reads import Snapshot
from dashboard.impact.mandate_text import as_changed, mandate_changes, mandate_title
from dashboard.impact.mandates import of_mandate
from dashboard.impact.proposals import consequences_of_role_change
from dashboard.mirror.models import Employee
from dashboard.pages.mandates import forms
from dashboard.proposals.snapshots import snapshot_of
from dashboard.proposals.targets import MANDATE, RIGHTS, ROLE
from dashboard.schemas.permissions import (
    EmployeeRights,
    MandateBody,
    Overview,
    PermissionChangesBody,
    RightsBody,
    RoleRights,
)
from dashboard.schemas.wallet_policies import Mandate
from dashboard.web.change_steps import ChangePreview

HEADINGS = {
    operations.UPDATE_MANDATE: ("Required approvals", "Save change"),
    operations.UPDATE_MANDATE_APPROVER: ("Edit approver", "Save change"),
    operations.ADD_MANDATE_APPROVERS: ("Add approvers", "Add approvers"),
    operations.REMOVE_MANDATE_APPROVERS: ("Remove approvers", "Remove approvers"),
}


def mandate_address(actor: Actor, mandate: Mandate) -> str:
    """The address of the page of a mandate."""
    return reverse("mandates_item", args=[actor.business.slug, mandate.id])


def person_address(actor: Actor, person: Employee) -> str:
    """The address of the page of a person's rights."""
    return reverse("mandates_person", args=[actor.business.slug, person.remote_id])


def preview_of_mandate(
    actor: Actor, operation: Operation, read: Snapshot[Mandate], body: MandateBody,
    names: Mapping[str, str] | None = None, **path: str,
) -> ChangePreview:  # fmt: skip
    """The change of a mandate by an operation: `body` is what is sent, `names` those of approvers who are new to it."""
    before = read.value
    after = as_changed(before, path, body, names or {})
    heading, button = HEADINGS[operation]
    seats = {seat.approver_id for mandate in (before, after) for seat in mandate.approvers}
    title = mandate_title(before, actor.business.locale)
    return ChangePreview(
        operation=operation,
        heading=heading,
        title=title,
        button=button,
        success=f"The mandate “{title}” is changed.",
        sentences=mandate_changes(before, after, actor.business.locale),
        consequences=lambda: of_mandate(actor, before, after),
        target_type=MANDATE,
        target_id=before.id,
        seen=snapshot_of(before),
        about=seats,
        leave=mandate_address(actor, before),
        path={"mandate_id": before.id, **path},
        body=body,
        grave=operation is operations.REMOVE_MANDATE_APPROVERS or after.min_approvers < before.min_approvers,
        names=forms.FIELDS,
        trouble=read.trouble,
    )


def preview_of_role_change(
    actor: Actor, person: Employee, read: Snapshot[EmployeeRights], overview: Overview, role: str
) -> ChangePreview:
    """The change of a person's role, with the permissions that come and go by it."""
    after = role_changes.held_as(overview, read.value, role)
    sentences = role_changes.role_change_sentences(person.name, overview, read.value, role, after)
    consequences = partial(consequences_of_role_change, actor, person, overview, read.value, role)
    return _preview_of_rights(actor, operations.CHANGE_ROLE, person, read, {"role": role}, sentences, consequences)


def preview_of_permissions(
    actor: Actor, person: Employee, read: Snapshot[EmployeeRights], overview: Overview, after: Sequence[str]
) -> ChangePreview:
    """The change of a person's permissions: `after` are the names of those that they have then."""
    held = read.value.permissions
    body: PermissionChangesBody = {
        "add": [name for name in after if name not in held],
        "remove": [name for name in held if name not in after],
    }
    sentences = role_changes.differences(person.name, overview, held, after)
    consequences = partial(role_changes.of_person, actor, person, overview, held, after)
    operation = operations.UPDATE_EMPLOYEE_PERMISSIONS
    return _preview_of_rights(actor, operation, person, read, body, sentences, consequences)


def _preview_of_rights(
    actor: Actor, operation: Operation, person: Employee, read: Snapshot[EmployeeRights], body: RightsBody,
    sentences: list[str], consequences: Callable[[], list[Consequence]],
) -> ChangePreview:  # fmt: skip
    """The change of a person's role or permissions: `body` is what is sent, `read` their rights as they are."""
    is_role = operation is operations.CHANGE_ROLE
    return ChangePreview(
        operation=operation,
        heading="Change role" if is_role else "Change permissions",
        title=person.name,
        button="Save change" if is_role else "Save permissions",
        success=f"{person.name}'s {'role is' if is_role else 'permissions are'} changed.",
        sentences=sentences,
        consequences=consequences,
        target_type=RIGHTS,
        target_id=person.remote_id,
        seen=snapshot_of(read.value),
        about=[person.remote_id],
        leave=person_address(actor, person),
        path={"employee_id": person.remote_id},
        body=body,
        employee_id=person.remote_id,
        names=forms.FIELDS,
        trouble=read.trouble,
    )


def preview_of_role(
    actor: Actor, read: Snapshot[Overview], role_rights: RoleRights, subject: Subject, after: Sequence[str], leave: str
) -> ChangePreview:
    """The change of what a role may do: `after` are the names of its permissions then."""
    before, name = role_rights.permissions, role_changes.role_words(role_rights.id)
    return ChangePreview(
        operation=operations.UPDATE_ROLE_PERMISSIONS,
        heading="Role permissions",
        title=name,
        button="Save change",
        success=f"The permissions of the role {name.lower()} are changed.",
        sentences=role_changes.differences(f"The role {name.lower()}", read.value, before, after),
        consequences=lambda: role_changes.of_role(actor, read.value, role_rights.id, before, after),
        target_type=ROLE,
        target_id=role_rights.id,
        seen=snapshot_of(role_rights),
        about=subject.about or (),
        leave=leave,
        path={"role_id": role_rights.id},
        body={"permissions": list(after)},
        grave=bool(set(before) - set(after)),
        names=forms.FIELDS,
        trouble=read.trouble,
    )
