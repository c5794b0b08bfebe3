"""What roles and employees of the caller's business may do."""

from typing import Any

from service.auth import Caller
from service.businesses.models import Business, Employee, Role
from service.employees import selectors
from service.permissions.catalogue import GROUPS, PERMISSIONS
from service.permissions.models import RoleRights
from service.permissions.serializers import role_permissions


def overview(caller: Caller) -> dict[str, Any]:
    """All permissions, and the roles of the business with theirs."""
    roles = _roles(caller.business)
    return {
        "docs": [
            {
                "name": each.name,
                "title": each.title,
                "group": each.group,
                "roles": [role["role"] for role in roles if each.name in role["permissions"]],
            }
            for each in PERMISSIONS
        ],
        "total": len(PERMISSIONS),
        "groups": list(GROUPS),
        "roles": roles,
    }


def _roles(business: Business) -> list[dict[str, Any]]:
    changed = {row.role: row for row in RoleRights.objects.filter(business=business)}
    return [role_permissions(role, changed.get(role)) for role in Role.values]


def employee(caller: Caller, employee_id: str) -> Employee:
    """One employee of the business; 404 otherwise."""
    return selectors.get_employee(caller, employee_id)
