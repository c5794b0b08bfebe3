"""Roles, permissions and mandates in v2: translates between the wire and the services."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.employees.schemas import EmployeeOut
from service.employees.serializers import employee as show_employee
from service.idempotency import idempotent, in_transaction
from service.pagination import page_of
from service.permissions import mandates, schemas, selectors, serializers, services
from service.permissions.rights import rights_of
from service.respond import answer

router = Router(tags=["Roles and permissions"])

SUPER_ADMINS = frozenset({Role.SUPER_ADMIN})


@router.get("", response=schemas.PermissionList, summary="List all permissions, and the roles with theirs")
@requires(scope="roles:read", roles=OFFICE, private_label=True)
def list_permissions(request: ApiRequest) -> HttpResponse:
    return answer(selectors.overview(request.caller))


@router.patch("/employees/{employee_id}/role", response=EmployeeOut, summary="Give an employee another role")
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def update_employee_role(request: ApiRequest, employee_id: str, body: schemas.RoleBody) -> HttpResponse:
    return answer(show_employee(services.change_role(request.caller, employee_id, body.role)))


@router.patch(
    "/employees/{employee_id}",
    response=schemas.EmployeePermissionsOut,
    summary="Give an employee permissions beyond their role, or take some away",
)
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def update_employee_permissions(
    request: ApiRequest, employee_id: str, body: schemas.EmployeePermissionsBody
) -> HttpResponse:
    row = services.update_employee(request.caller, employee_id, body.add, body.remove)
    return answer(serializers.employee_permissions(row, rights_of(row)))


@router.post(
    "/employees/{employee_id}",
    response=schemas.EmployeePermissionsOut,
    summary="Read the permissions of an employee in groups: the verb is as published",
)
@requires(scope="roles:read", roles=OFFICE, private_label=True)
def read_employee_permissions(request: ApiRequest, employee_id: str) -> HttpResponse:
    row = selectors.employee(request.caller, employee_id)
    return answer(serializers.employee_permissions(row, rights_of(row)))


@router.put("/update/{role_id}", response=schemas.RoleOut, summary="Set the permissions of a role")
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def update_role_permissions(request: ApiRequest, role_id: str, body: schemas.RolePermissionsBody) -> HttpResponse:
    return answer(services.update_role(request.caller, role_id, body.permissions))


@router.put("/mandates", response=schemas.MandatePage, summary="Read the mandates: the verb is as published")
@requires(scope="roles:read", roles=OFFICE, private_label=True)
def read_mandates(request: ApiRequest, query: Query[schemas.MandateQuery]) -> HttpResponse:
    return page_of(mandates.find(request.caller, query), request, query, serializers.mandate)


@router.patch("/mandates/{mandate_id}", response=schemas.MandateOut, summary="Set how many must approve")
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def update_mandate(request: ApiRequest, mandate_id: str, body: schemas.MandateChange) -> HttpResponse:
    return answer(serializers.mandate(mandates.set_min_approvers(request.caller, mandate_id, body.min_approvers)))


@router.patch(
    "/mandates/{mandate_id}/approvers/{approver_id}", response=schemas.MandateOut, summary="Change one approver"
)
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def update_mandate_approver(
    request: ApiRequest, mandate_id: str, approver_id: str, body: schemas.SeatBody
) -> HttpResponse:
    return answer(serializers.mandate(mandates.change_seat(request.caller, mandate_id, approver_id, body)))


@router.delete("/mandates/{mandate_id}/approvers", response=schemas.MandateOut, summary="Remove approvers")
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@in_transaction
def remove_mandate_approvers(request: ApiRequest, mandate_id: str, body: schemas.SeatIds) -> HttpResponse:
    return answer(serializers.mandate(mandates.remove_seats(request.caller, mandate_id, body.approver_ids)))


@router.post("/mandates/{mandate_id}/approvers", response=schemas.MandateOut, summary="Add approvers")
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def add_mandate_approvers(request: ApiRequest, mandate_id: str, body: schemas.NewSeats) -> HttpResponse:
    return answer(serializers.mandate(mandates.add_seats(request.caller, mandate_id, body.approvers)))
