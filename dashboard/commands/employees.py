"""Employees: adding one, changing a profile or a team, suspending, activating, removing, and handing an account over.

Who is suspended or removed enters here no more; activated again, they do: so a super admin's account ends by another super
admin alone, and the last two stay. Raises what `run` raises; what the service refuses stands on the form. Each answers with the employee, a handover with the new one. Interface: Employees.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.models import Membership
from dashboard.access.operation import Operation
from dashboard.access.owners import check_owners_stay
from dashboard.access.roles import OWNING, Role
from dashboard.access.subject import Subject, subject_of
from dashboard.audit.record import check_or_record_denial, record_denial
from dashboard.commands.run import CommandResult, Key, run, write_through
from dashboard.errors import FAILED, NotAllowed, NotFound
from dashboard.mirror.models import Employee
from dashboard.mirror.webhook_inbox import follow_employment
from dashboard.operations_pages import MEMBERS
from dashboard.schemas.employees import HandoverBody, NewPersonBody, ProfileBody

KIND = "employee"
NAMES = {"organization_email": "email", "phone_number": "phone", "supervisor_id": "supervisor", "team_code": "team"}
REFUSALS = (*FAILED, NotFound)


def subject_of_new(actor: Actor, role: str) -> Subject:
    """An employee who is to be added, as the gate judges it: by the role that they get."""
    return Subject(business_id=actor.business.pk, kind=KIND, id="", gives_role=_role(role))


def subject_of_handover(employee: Employee, role: str) -> Subject:
    """An employee whose account is handed over: by the role that ends, and the one that the successor gets."""
    return replace(subject_of(employee), gives_role=_role(role), leaves_role=_role(employee.role))


def _role(code: str) -> Role | None:
    return Role(code) if code in Role.values else None


def create(actor: Actor, body: NewPersonBody, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Adds an employee; `body` is an EmployeeBody. NotAllowed for a role above what the actor may give."""
    return run(
        actor, operations.CREATE_EMPLOYEE, subject_of_new(actor, body["role"]), body, key=key, kind=KIND, form=form,
        names=NAMES, refusals=REFUSALS,
    )  # fmt: skip


def update_profile(
    actor: Actor, employee: Employee, body: ProfileBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Changes name, email, phone or supervisor: those that `body`, a ProfileChange without its employee, names."""
    whole = {"employee_id": employee.remote_id, **body}
    return run(
        actor, operations.UPDATE_PROFILE, employee, whole, key=key, kind=KIND, form=form, names=NAMES, refusals=REFUSALS
    )


def move_to_team(
    actor: Actor, employee: Employee, team_id: str, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Moves an employee to another team. Who reviews their items from then on follows from it."""
    body = {"employee_id": employee.remote_id, "team_id": team_id}
    return run(
        actor, operations.MOVE_TO_TEAM, employee, body, key=key, kind=KIND, form=form, names={"team_id": "team"},
        refusals=REFUSALS,
    )  # fmt: skip


def suspend(actor: Actor, employee: Employee, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Suspends an employee: they are signed out here at once, their cards decline until they are activated again."""
    _check_owners_stay(actor, operations.SUSPEND_EMPLOYEE, employee)
    if not actor.program:
        # Whom a program has put out by now is kept out by a person, too: the program does not let them in again.
        members = Membership.objects.filter(business=actor.business, employee_id=employee.remote_id, is_active=False)
        members.update(suspended_by_program="")
    path = {"_id": employee.remote_id}
    return _change(actor, operations.SUSPEND_EMPLOYEE, employee, None, key, deadline, path=path)


def activate(actor: Actor, employee: Employee, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Activates a suspended employee: they can enter again, and their cards work again."""
    body = {"employee_id": employee.remote_id}
    return _change(actor, operations.ACTIVATE_EMPLOYEE, employee, body, key, deadline)


def remove(actor: Actor, employee: Employee, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Removes an employee for good: their name stays on what they did. Conflict while something of theirs is open."""
    _check_owners_stay(actor, operations.DELETE_EMPLOYEE, employee)
    path = {"employee_id": employee.remote_id}
    return _change(actor, operations.DELETE_EMPLOYEE, employee, None, key, deadline, path=path)


def hand_over(
    actor: Actor, employee: Employee, body: HandoverBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Ends an account and opens that of a successor, who inherits team and supervisor; `body` is a Handover without
    its employee. Answers with the successor."""
    subject = subject_of_handover(employee, body["role"])
    _check_owners_stay(actor, operations.TRANSFER_OWNERSHIP, employee, subject)
    whole = {"employee_id": employee.remote_id, **body}
    result = run(
        actor, operations.TRANSFER_OWNERSHIP, subject, whole, key=key, kind=KIND, form=form, names=NAMES,
        refusals=REFUSALS,
    )  # fmt: skip
    if isinstance(left := result.data.get("replaced"), dict):
        write_through(actor, KIND, left)
        follow_employment(actor.business, left)
    return result


def _check_owners_stay(actor: Actor, operation: Operation, employee: Employee, subject: Subject | None = None) -> None:
    """The gate, and beyond it: NotAllowed, audited, for an admin where the employee is a super admin here or at the
    service; Conflict where fewer than two super admins would be left here."""
    check_or_record_denial(actor, operation, subject or employee)
    members = Membership.objects.filter(business=actor.business, employee_id=employee.remote_id, is_active=True)
    member = members.first()
    is_owner = employee.role in OWNING or (member is not None and member.role in OWNING)
    if is_owner and not can_open(actor, MEMBERS):
        reason = "Only a super admin suspends or removes a super admin."
        record_denial(actor, operation, employee, reason=reason, rule="owners")
        raise NotAllowed(reason, code="owners")
    if member is not None:
        check_owners_stay(actor, member, "")


def _change(
    actor: Actor, operation: Operation, employee: Employee, body: Mapping[str, Any] | None, key: Key,
    deadline: float | None, path: Mapping[str, str] | None = None,
) -> CommandResult:  # fmt: skip
    result = run(actor, operation, employee, body, key=key, path=path, kind=KIND, deadline=deadline)
    follow_employment(actor.business, result.data)
    return result
