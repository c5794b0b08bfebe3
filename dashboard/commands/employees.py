"""Employees: adding one, changing a profile or a team, suspending, activating, removing, and handing an account over.

Who is suspended or removed enters here no more; activated again, they do: so a super admin's account ends by another super
admin alone, and the last two stay. Where a second admin is required, nobody new gets a role that moves money here: it is
given afterwards, by two. Raises what `run` raises; what the service refuses stands on the form. Each answers with the employee, a handover with the new one. Interface: Employees.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from django import forms

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.models import FINANCE_SERVICE, Membership
from dashboard.access.operation import Operation
from dashboard.access.owners import check_owners_stay
from dashboard.access.roles import MOVING_MONEY, OWNING, Role
from dashboard.access.second_admin import ROLES_NEED_TWO, is_second_admin_required
from dashboard.access.subject import Subject, subject_of
from dashboard.audit.record import check_or_record_denial, record_denial
from dashboard.client.outbox_keys import was_sent
from dashboard.commands.run import CommandResult, FormKey, Key, run, write_through
from dashboard.errors import FAILED, NotAllowed, NotFound
from dashboard.mirror.events import EventResource
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
    """Adds an employee; `body` is an EmployeeBody. NotAllowed for a role above what the actor may give alone."""
    subject = subject_of_new(actor, body["role"])
    _check_given_alone(actor, operations.CREATE_EMPLOYEE, subject, key)
    return run(
        actor, operations.CREATE_EMPLOYEE, subject, body, key=key, kind=KIND, form=form, names=NAMES, refusals=REFUSALS
    )


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
    result = _change(actor, operations.SUSPEND_EMPLOYEE, employee, None, key, deadline, path=path)
    # The service has put them out since somebody here asked it to: that is who suspended them.
    suspended = Membership.objects.filter(business=actor.business, employee_id=employee.remote_id, is_active=False)
    suspended.filter(suspended_by=FINANCE_SERVICE).update(suspended_by=actor.name)
    return result


def activate(actor: Actor, employee: Employee, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Activates a suspended employee: their cards work again, and they can enter again unless a person suspended or ended
    their membership here."""
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
    its employee. Answers with the successor, who is somebody new: NotAllowed for a role that the actor may not give
    alone, whatever the account that ends had."""
    subject = subject_of_handover(employee, body["role"])
    _check_owners_stay(actor, operations.TRANSFER_OWNERSHIP, employee, subject)
    _check_given_alone(actor, operations.TRANSFER_OWNERSHIP, subject, key)
    whole = {"employee_id": employee.remote_id, **body}
    result = run(
        actor, operations.TRANSFER_OWNERSHIP, subject, whole, key=key, kind=KIND, form=form, names=NAMES,
        refusals=REFUSALS,
    )  # fmt: skip
    if isinstance(left := result.data.get("replaced"), dict):
        write_through(actor, KIND, left)
        follow_employment(actor.business, cast(EventResource, left))
    return result


def _check_given_alone(actor: Actor, operation: Operation, subject: Subject, key: Key) -> None:
    if subject.gives_role not in MOVING_MONEY or not is_second_admin_required(actor.business):
        return
    if was_sent(actor.business.pk, key.of(operation) if isinstance(key, FormKey) else key):
        # Required from now on: what was done before, or may have been, is looked for under its key. What was refused or
        # has not left is sent anew, with whatever the form says by now.
        return
    record_denial(actor, operation, subject, reason=ROLES_NEED_TWO, rule="second_admin")
    raise NotAllowed(ROLES_NEED_TWO, code="second_admin")


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
