"""What can be done with employees: find them, add them."""

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from service import errors
from service.auth import Caller
from service.businesses.models import Role
from service.employees import schemas
from service.employees.models import Employee
from service.employees.schemas import NewEmployee
from service.events.audit import note
from service.events.outbox import record
from service.teams.actions import reviewed_teams
from service.teams.models import Team

BELOW_THE_CEILING = frozenset({Role.CARD_USER, Role.REVIEWER})


def employees(caller: Caller) -> QuerySet[Employee]:
    """A card user sees themselves, a reviewer the members of their teams and themselves, the office everybody."""
    rows = Employee.objects.filter(business_id=caller.business.id).select_related("team")
    if caller.role == Role.CARD_USER:
        return rows.filter(id=caller.employee_id)
    if caller.role == Role.REVIEWER:
        return rows.filter(Q(team_id__in=reviewed_teams(caller)) | Q(id=caller.employee_id))
    return rows


def employee(caller: Caller, employee_id: str) -> Employee:
    """One employee; 404 when they are none of the caller's to see."""
    found = employees(caller).filter(id=employee_id).first()
    if found is None:
        raise errors.not_found("employee")
    return found


def create(caller: Caller, new: NewEmployee) -> Employee:
    """A new employee. Only a super admin gives a role above reviewer (rule `role_ceiling`): 403 otherwise.

    422 for an unknown team code, 409 duplicate for an e-mail address that is taken.
    """
    if new.role not in BELOW_THE_CEILING and caller.role != Role.SUPER_ADMIN:
        raise errors.insufficient_role(f"Only a super admin makes somebody {new.role.value}.")
    team = Team.objects.filter(business_id=caller.business.id, code=new.team_code).first()
    if team is None:
        raise errors.validation_failed("team_code", "There is no team with this code.", "unknown")
    row = Employee(
        business=caller.business,
        team=team,
        name=new.name,
        email=new.organization_email,
        phone=new.phone_number,
        role=new.role,
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        raise errors.duplicate("Somebody has this e-mail address already.") from None
    shown = schemas.employee(row)
    record(caller.business, "employee.created", shown, actor=caller)
    note(caller, "employee.create", "employee", row.id, after=shown)
    return row
