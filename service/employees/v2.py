"""Employees in v2: translates between the wire and service/employees/actions.py."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import ADMINS, TEAM_AND_OFFICE, ApiRequest, requires
from service.employees import actions, schemas
from service.employees.schemas import EmployeeOut, EmployeePage, NewEmployee
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.respond import answer

router = Router(tags=["Employees"])


@router.get("", response=EmployeePage, summary="List employees")
@requires(scope="employees:read", roles=TEAM_AND_OFFICE)
def list_employees(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    return page_of(actions.employees(request.caller), request, query, schemas.employee)


@router.post("", response={201: EmployeeOut}, summary="Create an employee")
@requires(scope="employees:write", roles=ADMINS)
@idempotent()
def create_employee(request: ApiRequest, body: NewEmployee) -> HttpResponse:
    return answer(schemas.employee(actions.create(request.caller, body)), 201)


@router.get("/{employee_id}", response=EmployeeOut, summary="Read an employee")
@requires(scope="employees:read")
def read_employee(request: ApiRequest, employee_id: str) -> HttpResponse:
    return answer(schemas.employee(actions.employee(request.caller, employee_id)))
