"""Roles, permissions and mandates as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.approvals.models import Mandate, MandateApprover
from service.businesses.models import Employee
from service.permissions.catalogue import DEFAULTS, GROUPS, NAMES, PERMISSIONS
from service.permissions.models import RoleRights
from service.permissions.rights import Rights


class PermissionShape(TypedDict):
    """A permission; `source` is ROLE, GRANT or DENIED, None where it was never given."""

    name: str
    title: str
    held: bool
    source: str | None


class PermissionGroupShape(TypedDict):
    """The permissions of one group."""

    group: str
    permissions: list[PermissionShape]


class EmployeePermissionsShape(TypedDict):
    """What an employee may, in the groups of the list."""

    employee_id: str
    name: str
    role: str
    permissions: list[str]
    groups: list[PermissionGroupShape]


class SeatShape(TypedDict):
    """An approver of a mandate, up to an amount."""

    approver_id: str
    name: str
    required: bool
    max_amount: Decimal | None
    max_amount_minor: int | None
    order: int
    active: bool


class MandateShape(TypedDict):
    """A mandate as the interface shows it."""

    _id: str
    action_type: int
    name: str
    currency: str
    min_amount: Decimal | None
    min_amount_minor: int
    max_amount: Decimal | None
    max_amount_minor: int | None
    min_approvers: int
    sequential: bool
    code_required: bool
    approvers: list[SeatShape]
    active: bool
    version: int
    createdAt: datetime
    updatedAt: datetime


class RolePermissionsShape(TypedDict):
    """What a role gives: the names of its permissions, and whether the business has changed them."""

    _id: str
    role: str
    permissions: list[str]
    custom: bool
    version: int


def employee_permissions(row: Employee, rights: Rights) -> EmployeePermissionsShape:
    """What an employee may, in the groups of the list."""
    held = rights.effective

    def source(name: str) -> str | None:
        if name in rights.denied:
            return "DENIED"
        if name not in held:
            return None
        return "ROLE" if name in rights.of_role else "GRANT"

    return {
        "employee_id": row.id,
        "name": row.name,
        "role": row.role,
        "permissions": [name for name in NAMES if name in held],
        "groups": [
            {
                "group": group,
                "permissions": [
                    {
                        "name": permission.name,
                        "title": permission.title,
                        "held": permission.name in held,
                        "source": source(permission.name),
                    }
                    for permission in PERMISSIONS
                    if permission.group == group
                ],
            }
            for group in GROUPS
        ],
    }


def _number(minor: int | None, currency: str) -> Decimal | None:
    return None if minor is None else money.to_number(minor, currency)


def _seat(row: MandateApprover, currency: str) -> SeatShape:
    return {
        "approver_id": row.employee_id,
        "name": row.employee.name,
        "required": row.required,
        "max_amount": _number(row.max_amount_minor, currency),
        "max_amount_minor": row.max_amount_minor,
        "order": row.order,
        "active": row.active,
    }


def mandate(row: Mandate) -> MandateShape:
    """A mandate as the interface shows it; its approvers and their employees should be loaded."""
    seats = sorted(row.approvers.all(), key=lambda seat: (seat.order, seat.id))
    return {
        "_id": row.id,
        "action_type": row.action_type,
        "name": row.name,
        "currency": row.currency,
        "min_amount": _number(row.min_amount_minor, row.currency),
        "min_amount_minor": row.min_amount_minor,
        "max_amount": _number(row.max_amount_minor, row.currency),
        "max_amount_minor": row.max_amount_minor,
        "min_approvers": row.min_approvers,
        "sequential": row.sequential,
        "code_required": row.code_required,
        "approvers": [_seat(seat, row.currency) for seat in seats],
        "active": row.active,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def role_permissions(role: str, row: RoleRights | None) -> RolePermissionsShape:
    """What a role gives: the business's own row of it, or without one what the role gives by default."""
    held = frozenset(row.permissions) if row else DEFAULTS[role]
    return {
        "_id": role,
        "role": role,
        "permissions": [name for name in NAMES if name in held],
        "custom": held != DEFAULTS[role],
        "version": row.version if row else 1,
    }
