"""Recurring bills in v2, beside the published interface: translates between the wire and the services."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import OFFICE, ApiRequest, requires
from service.bill_schedules import schemas, selectors, services
from service.bill_schedules.models import BillSchedule
from service.businesses.models import Role
from service.documentation import EXTENSION
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer

router = Router(tags=["Bills"])

BUYERS = frozenset({Role.APPROVER, Role.ADMIN})


def _respond(request: ApiRequest, row: BillSchedule, status: int = 200) -> HttpResponse:
    return answer(selectors.schedule_detail(request.caller, row), status)


@router.get("", response=schemas.BillSchedulePage, summary="List recurring bills", openapi_extra=EXTENSION)
@requires(scope="bills:read", roles=OFFICE)
def list_bill_schedules(request: ApiRequest, query: Query[schemas.BillScheduleQuery]) -> HttpResponse:
    """The recurring bills that the filters let through, each as it stands today."""
    rows = selectors.filter_schedules(request.caller, query)
    return page_of(rows, request, query, lambda row: selectors.schedule_detail(request.caller, row))


@router.post("", response={201: schemas.BillScheduleOut}, summary="Add a recurring bill", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=BUYERS)
@idempotent()
def create_bill_schedule(request: ApiRequest, body: schemas.NewBillSchedule) -> HttpResponse:
    """On each of its days a bill is entered, open and not paid: it is approved and paid as any other."""
    return _respond(request, services.create(request.caller, body), 201)


@router.get("/{id}", response=schemas.BillScheduleOut, summary="Read a recurring bill", openapi_extra=EXTENSION)
@requires(scope="bills:read", roles=OFFICE)
def read_bill_schedule(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  as the other areas name it
    """One recurring bill; 404 when the business has none such."""
    return _respond(request, selectors.get_schedule(request.caller, id))


@router.post("/{id}/pause", response=schemas.BillScheduleOut, summary="Pause a recurring bill", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=BUYERS)
@idempotent()
def pause_bill_schedule(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Enters none until it is resumed; 404, and 409 where it is not active."""
    return _respond(request, services.pause(request.caller, id))


@router.post(
    "/{id}/resume", response=schemas.BillScheduleOut, summary="Resume a recurring bill", openapi_extra=EXTENSION
)
@requires(scope="bills:write", roles=BUYERS)
@idempotent()
def resume_bill_schedule(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """What was missed while it was paused is not entered."""
    return _respond(request, services.resume(request.caller, id))


@router.post("/{id}/end", response=schemas.BillScheduleOut, summary="End a recurring bill", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=BUYERS)
@idempotent()
def end_bill_schedule(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Ends a recurring bill for good; the bills that it has made stay. 409 where it has ended."""
    return _respond(request, services.end(request.caller, id))
