"""What roles and employees of the caller's business may do."""

from typing import TypedDict

from service.auth import Caller
from service.businesses.models import Business, Employee, Role
from service.employees import selectors
from service.permissions.catalogue import GROUPS, PERMISSIONS
from service.permissions.models import RoleRights
from service.permissions.serializers import RolePermissionsShape, role_permissions


class GrantedShape(TypedDict):
    """A permission and the roles that have it."""

    name: str
    title: str
    group: str
    roles: list[str]


class OverviewShape(TypedDict):
    """All permissions, their groups, and the roles of the business with theirs."""

    docs: list[GrantedShape]
    total: int
    groups: list[str]
    roles: list[RolePermissionsShape]


def overview(caller: Caller) -> OverviewShape:
    """All permissions, and the roles of the business with theirs."""
    roles = _roles(caller.business)
    return {
        "docs": [
            {
                "name": permission.name,
                "title": permission.title,
                "group": permission.group,
                "roles": [role["role"] for role in roles if permission.name in role["permissions"]],
            }
            for permission in PERMISSIONS
        ],
        "total": len(PERMISSIONS),
        "groups": list(GROUPS),
        "roles": roles,
    }


def _roles(business: Business) -> list[RolePermissionsShape]:
    changed = {row.role: row for row in RoleRights.objects.filter(business=business)}
    return [role_permissions(role, changed.get(role)) for role in Role.values]


def employee(caller: Caller, employee_id: str) -> Employee:
    """One employee of the business; 404 otherwise."""
    return selectors.get_employee(caller, employee_id)
