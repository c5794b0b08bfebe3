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
    """All permissions, and the roles of the business with theirs."""
    return answer(selectors.overview(request.caller))


@router.patch("/employees/{employee_id}/role", response=EmployeeOut, summary="Give an employee another role")
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def update_employee_role(request: ApiRequest, employee_id: str, body: schemas.RoleBody) -> HttpResponse:
    """Gives an employee another role; the same again changes nothing. 404, 403 for oneself; 409 approvers_insufficient
    where an approver who leaves is needed by an open request or by a mandate. Who stops being an approver loses
    their seats in the mandates."""
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
    """Gives an employee permissions beyond their role and takes others away. 404, 403 for oneself, 422 for a permission
    that is both or that the role can never have."""
    row = services.update_employee(request.caller, employee_id, body.add, body.remove)
    return answer(serializers.employee_permissions(row, rights_of(row)))


@router.post(
    "/employees/{employee_id}",
    response=schemas.EmployeePermissionsOut,
    summary="Read the permissions of an employee in groups: the verb is as published",
)
@requires(scope="roles:read", roles=OFFICE, private_label=True)
def read_employee_permissions(request: ApiRequest, employee_id: str) -> HttpResponse:
    """The permissions of one employee in groups, as their role and what was given or denied to them make them; 404
    otherwise."""
    row = selectors.employee(request.caller, employee_id)
    return answer(serializers.employee_permissions(row, rights_of(row)))


@router.put("/update/{role_id}", response=schemas.RoleOut, summary="Set the permissions of a role")
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def update_role_permissions(request: ApiRequest, role_id: str, body: schemas.RolePermissionsBody) -> HttpResponse:
    """Gives a role exactly these permissions in this business. 404 for a role that is none, 403 for one's own role, 422
    for a permission that the role can never have."""
    return answer(services.update_role(request.caller, role_id, body.permissions))


@router.put("/mandates", response=schemas.MandatePage, summary="Read the mandates: the verb is as published")
@requires(scope="roles:read", roles=OFFICE, private_label=True)
def read_mandates(request: ApiRequest, query: Query[schemas.MandateQuery]) -> HttpResponse:
    """A page of the payment mandates that the filters let through."""
    return page_of(mandates.find(request.caller, query), request, query, serializers.mandate)


@router.patch("/mandates/{mandate_id}", response=schemas.MandateOut, summary="Set how many must approve")
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def update_mandate(request: ApiRequest, mandate_id: str, body: schemas.MandateChange) -> HttpResponse:
    """How many must approve from now on; 409 approvers_insufficient for more than there are."""
    return answer(serializers.mandate(mandates.set_min_approvers(request.caller, mandate_id, body.min_approvers)))


@router.patch(
    "/mandates/{mandate_id}/approvers/{approver_id}", response=schemas.MandateOut, summary="Change one approver"
)
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def update_mandate_approver(
    request: ApiRequest, mandate_id: str, approver_id: str, body: schemas.SeatBody
) -> HttpResponse:
    """Changes one approver of a mandate: 404 where they are none of it, 409 where too few were left."""
    return answer(serializers.mandate(mandates.change_seat(request.caller, mandate_id, approver_id, body)))


@router.delete("/mandates/{mandate_id}/approvers", response=schemas.MandateOut, summary="Remove approvers")
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@in_transaction
def remove_mandate_approvers(request: ApiRequest, mandate_id: str, body: schemas.SeatIds) -> HttpResponse:
    """Removes approvers: 404 for one who is none of it. 409 approvers_insufficient where an open request needs them, or
    fewer were left than the mandate asks for."""
    return answer(serializers.mandate(mandates.remove_seats(request.caller, mandate_id, body.approver_ids)))


@router.post("/mandates/{mandate_id}/approvers", response=schemas.MandateOut, summary="Add approvers")
@requires(scope="roles:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def add_mandate_approvers(request: ApiRequest, mandate_id: str, body: schemas.NewSeats) -> HttpResponse:
    """Adds approvers, in the order given after those there are. 404 for an unknown employee, 422 for one who is no
    active approver, 409 duplicate for one who is on it already."""
    return answer(serializers.mandate(mandates.add_seats(request.caller, mandate_id, body.approvers)))
