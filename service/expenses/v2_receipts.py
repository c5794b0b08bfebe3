"""Receipts in v2: one file of one expense, and the export of many."""

from pathlib import PurePosixPath

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query, Router, Schema
from pydantic import Field

from service import documentation, inputs, storage
from service.auth import TEAM_AND_OFFICE, ApiRequest, requires
from service.expenses import exports, receipts, selectors
from service.expenses.schemas import ExportBody, ExportOut, ExportStarted
from service.idempotency import idempotent
from service.respond import answer

router = Router(tags=["Expenses"])

DOWNLOAD = "/v2/expenses/export-receipts/download/"
FILE = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}


class ReceiptQuery(Schema):
    """Which receipt, where an expense has several."""

    receipt: inputs.Line | None = Field(
        default=None, max_length=24, description="A receipt's _id; the newest when missing."
    )


@router.post("/export-receipts", response={202: ExportStarted}, summary="Start a receipts export")
@requires(scope="expenses:export", roles=TEAM_AND_OFFICE, business_header=True, limit="exports")
@idempotent()
def export_receipts(request: ApiRequest, body: ExportBody) -> HttpResponse:
    """Answers at once with a job id; the same filter asked again while it runs is the same job."""
    export = exports.start(request.caller, body)
    response = answer({"jobId": export.id, "status": export.status}, 202)
    response["Location"] = f"/v2/expenses/export-receipts/status/{export.id}"
    return response


@router.get("/export-receipts/status/{jobId}", response=ExportOut, summary="Read the state of a receipts export")
@requires(scope="expenses:export", roles=TEAM_AND_OFFICE, business_header=True)
def export_status(request: ApiRequest, jobId: str) -> HttpResponse:  # noqa: N803  the published name
    """Progress, state and a download address that is signed afresh each time."""
    export = exports.get_export(request.caller, jobId)
    response = answer(exports.serialize_export(export, request.build_absolute_uri(DOWNLOAD)))
    if export.status in (exports.ReceiptsExportStatus.QUEUED, exports.ReceiptsExportStatus.RUNNING):
        response["Retry-After"] = "2"
    return response


@router.delete(
    "/export-receipts/{jobId}",
    response=ExportOut,
    summary="Cancel a receipts export",
    openapi_extra=documentation.EXTENSION,
)
@requires(scope="expenses:export", roles=TEAM_AND_OFFICE, business_header=True)
@idempotent()
def cancel_export(request: ApiRequest, jobId: str) -> HttpResponse:  # noqa: N803
    """Its worker stops at the next part; what is finished is not cancelled."""
    return answer(exports.serialize_export(exports.cancel(request.caller, jobId), ""))


@router.get(
    "/export-receipts/download/{token}",
    summary="Download a receipts export",
    openapi_extra={
        "responses": {"200": {"description": "The file", **FILE}, **documentation.refusals("404")},
        **documentation.EXTENSION,
    },
)
def download_export(request: HttpRequest, token: str) -> HttpResponseBase:
    """The file of a finished export: the address itself is the permission, for 15 minutes."""
    export = exports.from_link(token)
    name = f"receipts{PurePosixPath(export.path).suffix}"
    response = FileResponse(storage.open_file(export.path), as_attachment=True, filename=name)
    response["Cache-Control"] = "private, no-store"
    return response


@router.get(
    "/downloadExpenseReceipt/{transactionRef}",
    summary="Download a receipt",
    openapi_extra={"responses": {"200": {"description": "The file", **FILE}}},
)
@requires(scope="expenses:read", business_header=True)
def download_receipt(
    request: ApiRequest,
    transactionRef: str,  # noqa: N803  the published name
    query: Query[ReceiptQuery],
) -> HttpResponseBase:
    """A receipt of the expense: the named one, else the newest; 404 when there is none, and for an expense that is not
    the caller's to see."""
    expense = selectors.get_by_reference(request.caller, transactionRef)
    receipt = receipts.get_receipt(expense, query.receipt)
    response = FileResponse(
        storage.open_file(receipt.path),
        as_attachment=True,
        filename=receipt.file_name,
        content_type=receipt.mime,
    )
    response["Cache-Control"] = "private, no-store"
    return response
