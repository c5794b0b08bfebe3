"""What is read of employees: within the business of the caller, and as far as they may see."""

from django.db.models import Q, QuerySet

from service import errors
from service.auth import Caller
from service.businesses.models import Employee, Role
from service.teams.selectors import reviewed_teams


def employees(caller: Caller) -> QuerySet[Employee]:
    """A card user sees themselves, a reviewer the members of their teams and themselves, the office everybody."""
    rows = Employee.objects.filter(business_id=caller.business.id).exclude(status=Employee.Status.DELETED)
    rows = rows.select_related("team")
    if caller.role == Role.CARD_USER:
        return rows.filter(id=caller.employee_id)
    if caller.role == Role.REVIEWER:
        return rows.filter(Q(team_id__in=reviewed_teams(caller)) | Q(id=caller.employee_id))
    return rows


def get_employee(caller: Caller, employee_id: str) -> Employee:
    """One employee; 404 when they are none of the caller's to see."""
    return _get(employees(caller), employee_id)


def lock_employee(caller: Caller, employee_id: str) -> Employee:
    """One employee, locked until the transaction ends, as every change begins; 404 when not the caller's to see."""
    return _get(employees(caller).select_for_update(no_key=True, of=("self",)), employee_id)


def anybody(caller: Caller, employee_id: str) -> Employee:
    """Any employee of the business, locked, whatever the caller's role lets them see: for holders of a grant."""
    rows = Employee.objects.filter(business_id=caller.business.id).exclude(status=Employee.Status.DELETED)
    return _get(rows.select_related("team").select_for_update(no_key=True, of=("self",)), employee_id)


def named_employee(caller: Caller, employee_id: str | None) -> Employee | None:
    """The employee whom a body names by id, None where it names nobody; 422 for one who is none of the business's."""
    if employee_id is None:
        return None
    rows = Employee.objects.select_related("team").filter(business_id=caller.business.id, id=employee_id)
    employee = rows.first()
    if employee is None:
        raise errors.validation_failed("employee_id", "There is no such employee.", "unknown")
    return employee


def _get(rows: QuerySet[Employee], employee_id: str) -> Employee:
    employee = rows.filter(id=employee_id).first()
    if employee is None:
        raise errors.not_found("employee")
    return employee
