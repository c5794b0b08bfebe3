"""What is beside the interface of a vendor: its documents, its activity, a merge with a duplicate, and bringing it back."""

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from ninja import File, Query, Router
from ninja.files import UploadedFile

from service import documents, storage
from service.auth import TEAM_AND_OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.documentation import EXTENSION, refusals
from service.idempotency import idempotent
from service.respond import answer
from service.vendors import (
    activity,
    attachments,
    contacts,
    merges,
    schemas,
    schemas_activity,
    selectors,
    serializers,
    services,
)

router = Router(tags=["Vendors"])

BUYERS = frozenset({Role.APPROVER, Role.ADMIN})
FILE = {"content": {mime: {"schema": {"type": "string", "format": "binary"}} for mime in documents.MIMES.values()}}


@router.post("/{id}/restore", response=schemas.VendorOut, summary="Restore a deleted vendor", openapi_extra=EXTENSION)
@requires(scope="vendors:write", roles=BUYERS)
@idempotent()
def restore_vendor(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    """Brings a deleted vendor back, with the accounts that it had; 409 for one that is not deleted, or was merged."""
    return answer(serializers.vendor(services.restore(request.caller, id)))


@router.get(
    "/{id}/merge/{duplicateId}",
    response=schemas_activity.MergePlanOut,
    summary="What merging a duplicate would do",
    openapi_extra=EXTENSION | {"responses": refusals("409", "422")},
)
@requires(scope="vendors:read", roles=BUYERS)
def read_vendor_merge(request: ApiRequest, id: str, duplicateId: str) -> HttpResponse:  # noqa: A002, N803
    """What merging the duplicate into the vendor would do; 404 without one of them, 409 for a deleted one, 422 for one
    and the same."""
    return answer(merges.merge_plan(request.caller, id, duplicateId))


@router.post(
    "/{id}/merge", response=schemas.VendorOut, summary="Merge a duplicate into a vendor", openapi_extra=EXTENSION
)
@requires(scope="vendors:write", roles=BUYERS, person=True)
@idempotent()
def merge_vendor(request: ApiRequest, id: str, body: schemas_activity.NewMerge) -> HttpResponse:  # noqa: A002
    """What belongs to the duplicate moves; accounts that are new to the vendor wait for a second person."""
    return answer(serializers.vendor(merges.merge(request.caller, id, body.duplicate_id, body.reason)))


@router.get(
    "/{id}/activity",
    response=schemas_activity.ActivityOut,
    summary="What a vendor was paid, and shares",
    openapi_extra=EXTENSION,
)
@requires(scope="vendors:read", roles=TEAM_AND_OFFICE)
def read_vendor_activity(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """What one vendor of the business was paid, and its shares; 404 when the business has none such."""
    return answer(activity.activity(request.caller, selectors.get_vendor(request.caller, id)))


@router.post(
    "/{id}/contacts", response={201: schemas.VendorOut}, summary="Add a contact of a vendor", openapi_extra=EXTENSION
)
@requires(scope="vendors:write", roles=BUYERS)
@idempotent()
def add_vendor_contact(request: ApiRequest, id: str, body: schemas.ContactBody) -> HttpResponse:  # noqa: A002
    """Adds a contact. 404; 409 for a deleted vendor, or one that has as many contacts as it can have."""
    return answer(serializers.vendor(contacts.add_contact(request.caller, id, body)), 201)


@router.put(
    "/{id}/contacts/{contactId}",
    response=schemas.VendorOut,
    summary="Change a contact of a vendor",
    openapi_extra=EXTENSION,
)
@requires(scope="vendors:write", roles=BUYERS)
@idempotent()
def change_vendor_contact(
    request: ApiRequest,
    id: str,  # noqa: A002
    contactId: str,  # noqa: N803
    body: schemas.ContactBody,
) -> HttpResponse:
    """Writes somebody anew as they were sent. 404 without them, 409 for a deleted vendor."""
    return answer(serializers.vendor(contacts.change_contact(request.caller, id, contactId, body)))


@router.delete(
    "/{id}/contacts/{contactId}",
    response=schemas.VendorOut,
    summary="Remove a contact of a vendor",
    openapi_extra=EXTENSION,
)
@requires(scope="vendors:write", roles=BUYERS)
@idempotent()
def remove_vendor_contact(request: ApiRequest, id: str, contactId: str) -> HttpResponse:  # noqa: A002, N803
    """Removes somebody for good. 404 without them, 409 for a deleted vendor."""
    return answer(serializers.vendor(contacts.remove_contact(request.caller, id, contactId)))


@router.post(
    "/{id}/documents", response={201: schemas.VendorOut}, summary="Add a document of a vendor", openapi_extra=EXTENSION
)
@requires(scope="vendors:write", roles=BUYERS, upload=True)
@idempotent()
def add_vendor_document(
    request: ApiRequest,
    id: str,  # noqa: A002
    file: File[UploadedFile],
    query: Query[schemas.DocumentQuery],
) -> HttpResponse:
    """One of the seven formats, told by its content; at most 10 MB. The same file again is the document that is there."""
    return answer(serializers.vendor(attachments.add_document(request.caller, id, file, query)), 201)


@router.delete(
    "/{id}/documents/{documentId}",
    response=schemas.VendorOut,
    summary="Take a document off a vendor",
    openapi_extra=EXTENSION,
)
@requires(scope="vendors:write", roles=BUYERS)
@idempotent()
def remove_vendor_document(request: ApiRequest, id: str, documentId: str) -> HttpResponse:  # noqa: A002, N803
    """Takes a document off; it stays for the record. 404 without it, 409 for a deleted vendor."""
    return answer(serializers.vendor(attachments.remove_document(request.caller, id, documentId)))


@router.get(
    "/{id}/documents/{documentId}",
    summary="Download a document of a vendor",
    openapi_extra={**EXTENSION, "responses": {"200": {"description": "The file", **FILE}}},
)
@requires(scope="vendors:read", roles=TEAM_AND_OFFICE)
def download_vendor_document(request: ApiRequest, id: str, documentId: str) -> HttpResponseBase:  # noqa: A002, N803
    """One document of a vendor of the business; 404 otherwise, and once it was taken off."""
    row = attachments.get_document(request.caller, id, documentId)
    response = FileResponse(
        storage.open_file(row.path), as_attachment=True, filename=row.file_name, content_type=row.mime
    )
    response["Cache-Control"] = "private, no-store"
    return response
