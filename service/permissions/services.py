"""What can be done with roles and permissions: change a role's, an employee's, and an employee's role."""

from collections.abc import Collection

from django.db.models import F
from django.utils import timezone

from service import errors
from service.approvals.quorum import refuse_if_stranded
from service.auth import Caller
from service.businesses.models import Business, Employee, Role
from service.employees import selectors
from service.employees import services as employees
from service.employees.serializers import employee as show_employee
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.permissions import catalogue, mandates
from service.permissions.models import EmployeeRights, RoleRights
from service.permissions.rights import rights_of
from service.permissions.serializers import RolePermissionsShape, role_permissions
from service.text import with_article


def update_role(caller: Caller, role_id: str, permissions: Collection[str]) -> RolePermissionsShape:
    """Gives a role exactly these permissions in this business. Inside a transaction.

    404 for a role that is none, 403 for one's own role, 422 for a permission that the role can never have.
    """
    role = role_id.upper().replace(" ", "_")
    if role not in Role.values:
        raise errors.not_found("role")
    if role == caller.role:
        raise errors.self_approval_forbidden("Nobody changes what their own role may do.")
    _check_possible(role, permissions, "permissions")
    Business.objects.select_for_update(of=("self",), no_key=True).get(pk=caller.business.id)
    row = RoleRights.objects.filter(business_id=caller.business.id, role=role).first()
    before = role_permissions(role, row)
    names = sorted(set(permissions))
    if set(before["permissions"]) == set(names):
        return before
    if row is None:
        row = RoleRights(business=caller.business, role=role)
    row.permissions, row.version = names, before["version"] + 1
    row.save()
    after = role_permissions(role, row)
    record_event(caller.business, "role.updated", after, previous={"permissions": before["permissions"]}, actor=caller)
    record_audit(caller, "role.update_permissions", "role", role, before, after)
    return after


def update_employee(caller: Caller, employee_id: str, add: Collection[str], remove: Collection[str]) -> Employee:
    """Gives an employee permissions beyond their role and takes others away. Inside a transaction.

    404, 403 for oneself, 422 for a permission that is both or that the role can never have.
    """
    row = selectors.lock_employee(caller, employee_id)
    _not_self(caller, row)
    if both := set(add) & set(remove):
        raise errors.validation_failed("remove", f"{min(both)} is to be added as well.", "contradiction")
    _check_possible(row.role, add, "add")
    before = rights_of(row)
    own, _ = EmployeeRights.objects.select_for_update(no_key=True, of=("self",)).get_or_create(employee=row)
    own.granted = sorted((set(own.granted) | (set(add) - before.of_role)) - set(remove))
    own.denied = sorted((set(own.denied) - set(add)) | (set(remove) & before.of_role))
    own.version = F("version") + 1
    own.save()
    after = rights_of(row)
    if after.effective != before.effective:
        employees.save(row, [])
        past, now = {"permissions": sorted(before.effective)}, {"permissions": sorted(after.effective)}
        record_event(caller.business, "employee.updated", show_employee(row) | now, previous=past, actor=caller)
        record_audit(caller, "employee.update_permissions", "employee", row.id, past, now)
    return row


def change_role(caller: Caller, employee_id: str, role: Role) -> Employee:
    """Gives an employee another role; the same again changes nothing. Inside a transaction.

    404, 403 for oneself; 409 approvers_insufficient where an approver who leaves is needed by an open request or by a
    mandate. Who stops being an approver loses their seats in the mandates.
    """
    row = selectors.lock_employee(caller, employee_id)
    _not_self(caller, row)
    if row.role == role:
        return row
    if row.role == Role.APPROVER:
        refuse_if_stranded(caller.business, [row.id])
        mandates.vacate(caller, row)
    before = {"role": row.role, "permissions": sorted(rights_of(row).effective)}
    row.role, row.role_changed_at = role, timezone.now()
    employees.save(row, ["role", "role_changed_at"])
    _drop_impossible(row)
    after = {"role": row.role, "permissions": sorted(rights_of(row).effective)}
    record_event(caller.business, "employee.updated", show_employee(row) | after, previous=before, actor=caller)
    record_audit(caller, "employee.change_role", "employee", row.id, before, after)
    return row


def _drop_impossible(row: Employee) -> None:
    """What was given beyond the old role is kept, save what the new one can never have."""
    own = EmployeeRights.objects.filter(employee=row).first()
    if own is not None:
        own.granted = [name for name in own.granted if not catalogue.is_barred(row.role, name)]
        own.save(update_fields=["granted", "updated_at"])


def _not_self(caller: Caller, row: Employee) -> None:
    if row.id == caller.employee_id:
        raise errors.self_approval_forbidden("Nobody changes what they may do themselves.")


def _check_possible(role: str, permissions: Collection[str], field: str) -> None:
    barred = next((name for name in permissions if catalogue.is_barred(role, name)), None)
    if barred is not None:
        raise errors.validation_failed(
            field, f"{with_article(role, capital=True)} can never have {barred}.", "not_for_role"
        )
