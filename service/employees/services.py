"""What can be done with employees: add them, change their profile, move them to another team.

What ends or pauses an account is in lifecycle.py, what moves their money in funds.py.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from service import errors
from service.accounts.employee_wallets import open_for
from service.auth import ADMINS, Caller
from service.businesses.models import Employee, Role, Team
from service.employees import serializers
from service.employees.schemas import NewEmployee, ProfileColumns
from service.employees.selectors import employees, lock_employee
from service.events import audit, outbox
from service.events.models import AuditEvent, Event
from service.respond import ChangedFields, JsonObject

# Which roles are not above a role. Explicit sets: being above is no matter of arithmetic.
NOT_ABOVE: dict[str, frozenset[str]] = {
    Role.CARD_USER: frozenset({Role.CARD_USER}),
    Role.REVIEWER: frozenset({Role.CARD_USER, Role.REVIEWER}),
    Role.APPROVER: frozenset({Role.CARD_USER, Role.REVIEWER, Role.APPROVER}),
    Role.ADMIN: frozenset({Role.CARD_USER, Role.REVIEWER, Role.ADMIN}),
    Role.SUPER_ADMIN: frozenset(Role.values),
}


def check_role_given(caller: Caller, role: Role) -> None:
    """Only a super admin gives a role above reviewer (rule `role_ceiling`): 403 otherwise."""
    if caller.role != Role.SUPER_ADMIN and role not in NOT_ABOVE[Role.REVIEWER]:
        raise errors.insufficient_role(f"Only a super admin makes somebody {role.value}.")


def create(caller: Caller, new: NewEmployee, **inherited: Any) -> Employee:
    """A new employee, with a wallet in the business's currency; `inherited` are fields of the row beside the body's.

    403 by the role ceiling, 422 for an unknown team code, 409 duplicate for an email address that is taken.
    """
    return _create(caller, [new], inherited, "")[0]


def create_many(caller: Caller, new: Sequence[NewEmployee]) -> list[Employee]:
    """All of them or, where one is refused, none; refusals as `create`, naming the place in the list."""
    return _create(caller, new, {}, "{place}.")


def _create(caller: Caller, new: Sequence[NewEmployee], inherited: Mapping[str, Any], where: str) -> list[Employee]:
    teams = _teams(caller, {new_employee.team_code for new_employee in new})
    rows = []
    for place, new_employee in enumerate(new):
        check_role_given(caller, new_employee.role)
        if new_employee.team_code not in teams:
            raise errors.validation_failed(
                f"{where.format(place=place)}team_code", "There is no active team with this code.", "unknown"
            )
        rows.append(_row(caller, new_employee, teams[new_employee.team_code], inherited))
    try:
        with transaction.atomic():
            Employee.objects.bulk_create(rows)
    except IntegrityError:
        raise errors.duplicate("Somebody has this email address already.") from None
    open_for(caller.business, [row.id for row in rows], caller.business.currency)
    Event.objects.bulk_create(
        outbox.build_event(caller.business, "employee.created", serializers.employee(row), actor=caller) for row in rows
    )
    AuditEvent.objects.bulk_create(
        audit.build_line(caller, "employee.create", "employee", row.id, after=serializers.employee(row)) for row in rows
    )
    return rows


def _row(caller: Caller, new: NewEmployee, team: Team, inherited: Mapping[str, Any]) -> Employee:
    return Employee(
        business=caller.business,
        name=new.name,
        email=new.organization_email,
        phone=new.phone_number,
        role=new.role,
        **{"team": team, **inherited},
    )


def _teams(caller: Caller, codes: set[str]) -> dict[str, Team]:
    rows = Team.objects.filter(business_id=caller.business.id, code__in=codes, status=Team.Status.ACTIVE)
    return {row.code: row for row in rows}


def update_profile(caller: Caller, employee_id: str, changes: ProfileColumns) -> Employee:
    """Changes name, phone and, by an admin, email and supervisor_id. Card users, reviewers and approvers change their own.

    404 for whom the caller does not see, 403 for others than oneself or for fields that are an admin's to change, 422
    for an unknown supervisor, 409 duplicate for an email address that is taken.
    """
    with transaction.atomic():
        row = lock_employee(caller, employee_id)
        if caller.role not in ADMINS:
            _check_own(caller, row, changes)
        if supervisor_id := changes.get("supervisor_id"):
            _check_supervisor(caller, row, supervisor_id)
        columns: JsonObject = changes
        before = {name: getattr(row, name) for name, value in columns.items() if getattr(row, name) != value}
        if not before:
            return row
        for name in before:
            setattr(row, name, columns[name])
        try:
            with transaction.atomic():
                save(row, list(before))
        except IntegrityError:
            raise errors.duplicate("Somebody has this email address already.") from None
        record_change(caller, row, "employee.updated", "employee.update_profile", before)
    return row


def _check_own(caller: Caller, row: Employee, changes: ProfileColumns) -> None:
    if row.id != caller.employee_id:
        raise errors.insufficient_role("Only an admin changes the profile of somebody else.")
    # One-time codes go to the e-mail address: whose it is, is not for its holder to say.
    if changes.keys() - {"name", "phone"}:
        raise errors.insufficient_role("Only an admin changes an email address or a supervisor.")


def _check_supervisor(caller: Caller, row: Employee, supervisor_id: str) -> None:
    if supervisor_id == row.id:
        raise errors.validation_failed("supervisor_id", "Nobody is their own supervisor.")
    if not employees(caller).filter(id=supervisor_id).exists():
        raise errors.validation_failed("supervisor_id", "There is no such employee.", "unknown")


def move_to_team(caller: Caller, employee_id: str, team: Team) -> Employee:
    """Moves an employee to another team; past expenses stay with the team they were spent in."""
    with transaction.atomic():
        row = lock_employee(caller, employee_id)
        if row.team_id == team.id:
            return row
        before = {"team_id": row.team_id, "team_code": row.team.code if row.team else ""}
        row.team = team
        save(row, ["team"])
        record_change(caller, row, "employee.moved", "employee.move", before)
    return row


def save(row: Employee, fields: Sequence[str]) -> None:
    """Writes the fields with the next version."""
    row.version += 1
    row.updated_at = timezone.now()
    row.save(update_fields=[*fields, "version", "updated_at"])


def record_change(caller: Caller, row: Employee, kind: str, action: str, before: ChangedFields) -> None:
    """Writes the event and the audit row of a change that was just saved; `before` holds what the changed fields were."""
    payload = serializers.employee(row)
    outbox.record_event(caller.business, kind, payload, previous=before, actor=caller)
    after = {name: getattr(row, name, payload.get(name)) for name in before}
    audit.record_audit(caller, action, "employee", row.id, before, after)
