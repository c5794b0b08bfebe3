"""Whether somebody has a permission: what their role has in this business, what they were given, what was taken away."""

from dataclasses import dataclass

from service import errors, sql
from service.auth import Caller
from service.businesses.models import Employee
from service.grants import EVERYTHING
from service.permissions import catalogue
from service.permissions.catalogue import BY_SCOPE, DEFAULTS

# One statement: this runs with every change that somebody makes.
FIND = """
select (select permissions from permissions_rolerights where business_id = %s and role = %s), own.granted, own.denied
from (values (1)) one left join permissions_employeerights own on own.employee_id = %s
"""


@dataclass(frozen=True, slots=True)
class Rights:
    """The permissions of one person by where they come from; what is denied wins."""

    role: str
    of_role: frozenset[str]
    granted: frozenset[str]
    denied: frozenset[str]

    @property
    def effective(self) -> frozenset[str]:
        """All permissions that the person has: of the role and granted, less what is denied."""
        return frozenset(
            name for name in (self.of_role | self.granted) - self.denied if not catalogue.is_barred(self.role, name)
        )

    def lost(self, name: str) -> bool:
        """Whether a permission was taken away: from the person, or from a role that begins with it."""
        return name not in self.effective and (name in self.denied or name in DEFAULTS.get(self.role, frozenset()))


def rights_of(employee: Employee, role: str = "") -> Rights:
    """The rights of an employee as they are now: in their own role, or in the one that they act in."""
    role = role or employee.role
    row = sql.row(FIND, [employee.business_id, role, employee.id])
    of_role, granted, denied = row or (None, None, None)
    own = DEFAULTS.get(role, frozenset()) if of_role is None else frozenset(of_role)
    return Rights(role, own, frozenset(granted or ()), frozenset(denied or ()))


def everywhere(caller: Caller, permission: str) -> frozenset[str]:
    """The lookup of a grant that is about the whole business (service/grants.py)."""
    held = caller.employee is not None and permission in rights_of(caller.employee).effective
    return frozenset({EVERYTHING}) if held else frozenset()


def check_scope(caller: Caller, scope: str) -> None:
    """403 insufficient_role where what the scope is for was taken from the person or their role.

    Only takes away: what opens an operation to a role stands in operations.csv.
    """
    name = BY_SCOPE.get(scope)
    if name is not None and caller.employee is not None and rights_of(caller.employee, caller.role).lost(name):
        raise errors.insufficient_role(f"The permission {name} was taken away.")
