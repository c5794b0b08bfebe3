"""Bills in v2: translates between the wire and the services of this area. Their payments are in v2_payments.py."""

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from ninja import File, Query, Router
from ninja.files import UploadedFile

from service import documents, storage
from service.auth import OFFICE, ApiRequest, requires
from service.bills import attachments, cancellation, files, schemas, selectors, serializers, services
from service.bills.models import Bill
from service.businesses.models import Role
from service.documentation import EXTENSION, OnlyDraft
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer

router = Router(tags=["Bills"])

BUYERS = frozenset({Role.APPROVER, Role.ADMIN})
FILE = {"content": {mime: {"schema": {"type": "string", "format": "binary"}} for mime in documents.MIMES.values()}}


def _respond(request: ApiRequest, row: Bill, status: int = 200) -> HttpResponse:
    return answer(selectors.bill_detail(request.caller, row), status)


@router.get("", response=schemas.BillPage, summary="List bills", openapi_extra=EXTENSION)
@requires(scope="bills:read", roles=OFFICE)
def list_bills(request: ApiRequest, query: Query[schemas.BillQuery]) -> HttpResponse:
    """The bills that the filters let through, with what would be withheld if all of each were paid today."""
    rows = selectors.filter_bills(request.caller, query)
    return page_of(rows, request, query, show_all=lambda page: selectors.bill_details(request.caller, page))


@router.post("", response={201: schemas.BillOut}, summary="Create a bill", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=BUYERS)
@idempotent()
def create_bill(request: ApiRequest, body: schemas.NewBill) -> HttpResponse:
    """A bill with its lines and files. 409 duplicate for a number of the vendor that is taken; 422 for the rest."""
    return _respond(request, services.create(request.caller, body), 201)


@router.post("/files", response={201: schemas.FileOut}, summary="Send in a file of a bill", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=BUYERS, upload=True)
@idempotent()
def upload_bill_file(request: ApiRequest, file: File[UploadedFile]) -> HttpResponse:
    """One of the seven formats, told by its content; at most 10 MB. Attach it to a bill then."""
    return answer(serializers.file(files.store_file(request.caller, file)), 201)


@router.get(
    "/files/{fileId}",
    summary="Download a file of a bill",
    openapi_extra={**EXTENSION, "responses": {"200": {"description": "The file", **FILE}}},
)
@requires(scope="bills:read", roles=OFFICE)
def download_bill_file(request: ApiRequest, fileId: str) -> HttpResponseBase:  # noqa: N803
    """A file of a bill as it was uploaded; 404 when the business has none such."""
    row = files.get_file(request.caller, fileId)
    response = FileResponse(
        storage.open_file(row.path), as_attachment=True, filename=row.file_name, content_type=row.mime
    )
    response["Cache-Control"] = "private, no-store"
    return response


@router.get("/{id}", response=schemas.BillOut, summary="Read a bill", openapi_extra=EXTENSION)
@requires(scope="bills:read", roles=OFFICE)
def read_bill(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  as the other areas name it
    """One bill; 404 when the business has none such."""
    return _respond(request, selectors.get_bill(request.caller, id))


@router.put("/{id}", response=schemas.BillOut, summary="Update a bill", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=BUYERS)
@idempotent()
def update_bill(request: ApiRequest, id: str, body: schemas.ChangedBill) -> HttpResponse:  # noqa: A002
    """Changes what was sent. 404; 409 for a cancelled or paid bill, and for amounts while a payment is under way."""
    return _respond(request, services.change(request.caller, id, body))


@router.post("/{id}/cancel", response=schemas.BillOut, summary="Cancel a bill", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=BUYERS)
@idempotent()
def cancel_bill(
    request: ApiRequest,
    id: str,  # noqa: A002
    body: schemas.CancelBill,
    only_draft: OnlyDraft = False,
) -> HttpResponse:
    """Ends a bill for good; 404, and 409 while a payment is under way or once one was made. With `only_draft` 409
    not_draft for one that is none any more."""
    return _respond(request, cancellation.cancel(request.caller, id, body.reason, only_draft=only_draft))


@router.post("/{id}/attachments", response=schemas.BillOut, summary="Attach files to a bill", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=BUYERS)
@idempotent()
def attach_files(request: ApiRequest, id: str, body: schemas.Attached) -> HttpResponse:  # noqa: A002
    """Attaches files that were sent in; the bill is looked at again for being a duplicate. 409 for a cancelled bill."""
    return _respond(request, attachments.attach(request.caller, id, body.file_ids))


@router.delete("/{id}/attachments", response=schemas.BillOut, summary="Take files off a bill", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=BUYERS)
@idempotent()
def detach_files(request: ApiRequest, id: str, body: schemas.Attached) -> HttpResponse:  # noqa: A002
    """Takes files off; 409 once a payment is under way or was made, 404 for a file that the bill does not have."""
    return _respond(request, attachments.detach(request.caller, id, body.file_ids))
