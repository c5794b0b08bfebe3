"""Employees in v2: translates between the wire and service/employees/services.py and lifecycle.py."""

from typing import Annotated

from django.http import HttpResponse
from ninja import Path, Query, Router

from service import errors
from service.auth import ADMINS, TEAM_AND_OFFICE, ApiRequest, requires
from service.employees import lifecycle, schemas, selectors, serializers, services
from service.employees.schemas import EmployeeOut, EmployeePage, EmployeeQuery, EmployeeRef, NewEmployee
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer
from service.teams import reviewers
from service.teams import selectors as teams_selectors
from service.teams import serializers as teams_serializers
from service.teams.schemas import TeamOut
from service.text import ObjectId

router = Router(tags=["Employees"])


@router.get("", response=EmployeePage, summary="List employees")
@requires(scope="employees:read", roles=TEAM_AND_OFFICE)
def list_employees(request: ApiRequest, query: Query[EmployeeQuery]) -> HttpResponse:
    """A card user sees themselves, a reviewer the members of their teams and themselves, the office everybody."""
    filters = {"status": query.status, "role": query.role, "team_id": query.team_id}
    rows = selectors.employees(request.caller).filter(**{name: value for name, value in filters.items() if value})
    return page_of(rows, request, query, serializers.employee)


@router.post("", response={201: EmployeeOut}, summary="Create an employee")
@requires(scope="employees:write", roles=ADMINS)
@idempotent()
def create_employee(request: ApiRequest, body: NewEmployee) -> HttpResponse:
    """A new employee, with a wallet in the business's currency. 403 by the role ceiling, 422 for an unknown team code,
    409 duplicate for an e-mail address that is taken."""
    return answer(serializers.employee(services.create(request.caller, body)), 201)


@router.delete("/remove-employee-team-reviewer", response=TeamOut, summary="Remove a reviewer from a team")
@requires(scope="teams:write", roles=ADMINS)
@idempotent()
def remove_team_reviewer(request: ApiRequest, employee_id: Query[ObjectId], team_id: Query[ObjectId]) -> HttpResponse:
    """Takes the reviewer's seat in the team away; 404 where the employee has none. Their role stays what it is."""
    return answer(teams_serializers.team(reviewers.remove(request.caller, team_id, employee_id)))


@router.post("/move-to-team", response=EmployeeOut, summary="Move an employee to another team")
@requires(scope="employees:write", roles=ADMINS)
@idempotent()
def move_to_team(request: ApiRequest, body: schemas.EmployeeAndTeam) -> HttpResponse:
    """Moves an employee to another team; past expenses stay with the team they were spent in. 422 where there is no
    such active team."""
    team = teams_selectors.get_named_team(request.caller, team_id=body.team_id, team_code=body.team_code)
    return answer(serializers.employee(services.move_to_team(request.caller, body.employee_id, team)))


@router.post("/make-employee-team-reviewer", response=TeamOut, summary="Make an employee a reviewer of a team")
@requires(scope="teams:write", roles=ADMINS)
@idempotent()
def make_team_reviewer(request: ApiRequest, body: schemas.NewReviewer) -> HttpResponse:
    """Makes an employee a reviewer of the team, or changes whether they only read. Their role stays what it is: the
    seat gives a reviewer's rights for this team while it is held. 404 for a team of another business, 422 for an
    employee who is not active there."""
    team = teams_selectors.get_named_team(request.caller, team_id=body.team_id, team_code=body.team_code)
    changed = reviewers.add(request.caller, team.id, body.employee_id, read_only=body.read_only)
    return answer(teams_serializers.team(changed))


@router.post("/update-profile", response=EmployeeOut, summary="Change a profile")
@requires(scope="employees:write")
@idempotent()
def update_profile(request: ApiRequest, body: schemas.ProfileChange) -> HttpResponse:
    """One's own unless an employee is named; an admin changes anybody's."""
    employee_id = body.employee_id or request.caller.employee_id
    if employee_id is None:
        raise errors.validation_failed("employee_id", "Name the employee whose profile is to change.", "missing")
    return answer(serializers.employee(services.update_profile(request.caller, employee_id, body.changes())))


@router.patch("/activate-employee", response=EmployeeOut, summary="Activate an employee")
@requires(scope="employees:write", roles=ADMINS)
@idempotent()
def activate_employee(
    request: ApiRequest, query: Query[schemas.MaybeEmployee], body: EmployeeRef | None = None
) -> HttpResponse:
    """The employee is named in the body or in the query."""
    employee_id = body.employee_id if body else query.employee_id
    if employee_id is None:
        raise errors.validation_failed("employee_id", "Name the employee to activate.", "missing")
    return answer(serializers.employee(lifecycle.activate(request.caller, employee_id)))


@router.post("/transfer-ownership", response={201: schemas.HandoverOut}, summary="Transfer an account to an heir")
@requires(scope="employees:write", roles=ADMINS, grant=lifecycle.PEOPLE_EDIT)
@idempotent()
def transfer_ownership(request: ApiRequest, body: schemas.HandoverBody) -> HttpResponse:
    """Suspends (or deletes) the account and provisions a new one that inherits its team and supervisor."""
    done = lifecycle.transfer_ownership(request.caller, body)
    return answer({**serializers.employee(done.heir), "replaced": serializers.employee(done.left)}, 201)


@router.get("/{employee_id}", response=EmployeeOut, summary="Read an employee")
@requires(scope="employees:read")
def read_employee(request: ApiRequest, employee_id: str) -> HttpResponse:
    """One employee; 404 when they are none of the caller's to see."""
    return answer(serializers.employee(selectors.get_employee(request.caller, employee_id)))


@router.delete("/{employee_id}", response=EmployeeOut, summary="Delete an employee")
@requires(scope="employees:write", roles=ADMINS)
@idempotent()
def delete_employee(request: ApiRequest, employee_id: str) -> HttpResponse:
    """Deletes somebody else's account; 404, 403 for oneself, 409 in_use while something of theirs is open."""
    return answer(serializers.employee(lifecycle.delete(request.caller, employee_id)))


@router.patch("/{_id}/suspend-employee", response=EmployeeOut, summary="Suspend an employee")
@requires(scope="employees:write", roles=ADMINS)
@idempotent()
def suspend_employee(request: ApiRequest, employee_id: Annotated[str, Path(alias="_id")]) -> HttpResponse:
    """Suspends somebody else; a second time nothing happens. 404, 403 for oneself, 409 where approvals would strand."""
    return answer(serializers.employee(lifecycle.suspend(request.caller, employee_id)))
