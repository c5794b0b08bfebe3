"""Vendors in v2: translates between the wire and the services of this area."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import TEAM_AND_OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.documentation import EXTENSION
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer
from service.vendors import duplicates, instructions, schemas, schemas_activity, selectors, serializers, services
from service.vendors import recent_payees as recently
from service.vendors.models import Vendor

router = Router(tags=["Vendors"])

BUYERS = frozenset({Role.APPROVER, Role.ADMIN})


def _respond(row: Vendor, status: int = 200) -> HttpResponse:
    return answer(serializers.vendor(row), status)


@router.get("", response=schemas.VendorPage, summary="List vendors")
@requires(scope="vendors:read", roles=TEAM_AND_OFFICE, seat=False)
def list_vendors(request: ApiRequest, query: Query[schemas.VendorQuery]) -> HttpResponse:
    """A page of the vendors that the filters let through."""
    return page_of(selectors.filter_vendors(request.caller, query), request, query, serializers.vendor)


@router.post("", response={201: schemas.VendorOut}, summary="Create a vendor")
@requires(scope="vendors:write", roles=BUYERS)
@idempotent()
def create_vendor(request: ApiRequest, body: schemas.NewVendor) -> HttpResponse:
    """A vendor with its first accounts, in use at once; 422 naming what is wrong with an account or the currency."""
    return _respond(services.create(request.caller, body), 201)


@router.get("/recent/{channel}", response=schemas_activity.RecentVendors, summary="Who was paid lately on a channel")
@requires(scope="vendors:read", roles=TEAM_AND_OFFICE, seat=False)
def list_recent_vendors(
    request: ApiRequest, channel: str, query: Query[schemas_activity.RecentVendorsQuery]
) -> HttpResponse:
    """The payees of a channel, the last paid first; 400 for a channel that is none."""
    payees = recently.recent(request.caller, channel, query.limit)
    return answer({"docs": payees, "total": len(payees)})


@router.get(
    "/duplicates", response=schemas_activity.Duplicates, summary="Vendors that may be the same", openapi_extra=EXTENSION
)
@requires(scope="vendors:read", roles=TEAM_AND_OFFICE)
def list_duplicate_vendors(request: ApiRequest) -> HttpResponse:
    """The pairs of active vendors that may be one, those with the most reasons first."""
    pairs = duplicates.suggested(request.caller)
    return answer({"docs": pairs, "total": len(pairs)})


@router.get("/{id}", response=schemas.VendorOut, summary="Read a vendor")
@requires(scope="vendors:read", roles=TEAM_AND_OFFICE, seat=False)
def read_vendor(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    """One vendor, deleted ones too; 404 when the business has none such."""
    return _respond(selectors.get_vendor(request.caller, id))


@router.put("/{id}", response=schemas.VendorOut, summary="Update a vendor")
@requires(scope="vendors:write", roles=BUYERS)
@idempotent()
def update_vendor(request: ApiRequest, id: str, body: schemas.ChangedVendor) -> HttpResponse:  # noqa: A002
    """Changes the fields that were sent; 404, 409 for a deleted one."""
    return _respond(services.change_vendor(request.caller, id, body))


@router.delete("/{id}", response=schemas.VendorOut, summary="Delete a vendor; its record stays")
@requires(scope="vendors:write", roles=BUYERS)
@idempotent()
def delete_vendor(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Deletes softly; 409 in_use while a bill of the vendor is not paid or cancelled."""
    return _respond(services.delete(request.caller, id))


@router.post("/{id}/payment-instruction", response=schemas.VendorOut, summary="Propose a change of an account")
@requires(scope="vendors:write", roles=BUYERS)
@idempotent()
def update_payment_instruction(
    request: ApiRequest,
    id: str,  # noqa: A002
    body: schemas.ChangedInstruction,
) -> HttpResponse:
    """The change waits in quarantine for a second person; payments to the account are held meanwhile."""
    return _respond(instructions.change_instruction(request.caller, id, body))


@router.post("/{id}/payment-instruction/add", response={201: schemas.VendorOut}, summary="Propose another account")
@requires(scope="vendors:write", roles=BUYERS)
@idempotent()
def add_payment_instruction(request: ApiRequest, id: str, body: schemas.NewInstruction) -> HttpResponse:  # noqa: A002
    """The account waits in quarantine for a second person, and is not paid to meanwhile."""
    return _respond(instructions.add(request.caller, id, body), 201)


@router.post(
    "/{id}/payment-instruction/{instructionId}/confirm",
    response=schemas.VendorOut,
    summary="Confirm an account, as the second person",
    openapi_extra=EXTENSION,
)
@requires(scope="vendors:write", roles=BUYERS, person=True)
@idempotent()
def confirm_payment_instruction(
    request: ApiRequest,
    id: str,  # noqa: A002
    instructionId: str,  # noqa: N803  spelled as the published parameters are
    body: schemas.AccountConfirmation,
) -> HttpResponse:
    """Before its cool-off is over, a proposed account is confirmed only with a call-back: 409 cooling_off."""
    return _respond(instructions.confirm(request.caller, id, instructionId, body.reason, body.call_back))


@router.post(
    "/{id}/payment-instruction/{instructionId}/reject",
    response=schemas.VendorOut,
    summary="Reject an account, as the second person",
    openapi_extra=EXTENSION,
)
@requires(scope="vendors:write", roles=BUYERS, person=True)
@idempotent()
def reject_payment_instruction(
    request: ApiRequest,
    id: str,  # noqa: A002
    instructionId: str,  # noqa: N803
    body: schemas.Decision,
) -> HttpResponse:
    """The second person's no: the proposal is kept for the record, and what was in use stays."""
    return _respond(instructions.reject(request.caller, id, instructionId, body.reason))
