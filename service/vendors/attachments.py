"""The documents of vendors, such as tax forms, certificates and contracts: put on one, taken off, read."""

from datetime import date

from django.db import transaction
from django.utils import timezone

from service import documents, errors
from service.auth import Caller
from service.vendors import changes
from service.vendors.models import Vendor, VendorDocument
from service.vendors.schemas import DocumentQuery
from service.vendors.selectors import get_vendor, lock_vendor

MOST_DOCUMENTS = 50
FOLDER = "vendors"


def add_document(caller: Caller, vendor_id: str, upload: documents.Upload, query: DocumentQuery) -> Vendor:
    """Puts a file on a vendor; the same file again is the document that is there. 404, 409 for a deleted vendor or one that has MOST_DOCUMENTS; 413, 415, 422 for the file."""
    document = documents.checked(upload)
    with documents.stored(document, FOLDER, caller.business.id) as file, transaction.atomic():
        vendor = lock_vendor(caller, vendor_id)
        present = VendorDocument.objects.filter(vendor=vendor, removed_at=None)
        if present.count() >= MOST_DOCUMENTS:
            raise errors.limit_exceeded(f"A vendor has at most {MOST_DOCUMENTS} documents.")
        if present.filter(sha256=document.sha256).exists():
            return get_vendor(caller, vendor_id)
        row = VendorDocument.objects.create(
            vendor=vendor,
            kind=query.kind,
            title=query.title or document.file_name[:100],
            ends_on=query.ends_on,
            file_name=document.file_name,
            mime=document.mime,
            size=document.size,
            sha256=document.sha256,
            path=file.path,
            uploaded_by=caller.label,
        )
        file.is_named = True
        return _record_document(caller, vendor, row, "vendor.add_document")


def remove_document(caller: Caller, vendor_id: str, document_id: str) -> Vendor:
    """Takes a document off; it stays for the record. 404 without it, 409 for a deleted vendor."""
    with transaction.atomic():
        vendor = lock_vendor(caller, vendor_id)
        row = VendorDocument.objects.filter(vendor=vendor, removed_at=None, id=document_id).first()
        if row is None:
            raise errors.not_found("document")
        row.removed_at = timezone.now()
        row.save(update_fields=["removed_at"])
        return _record_document(caller, vendor, row, "vendor.remove_document")


def get_document(caller: Caller, vendor_id: str, document_id: str) -> VendorDocument:
    """One document of a vendor of the business; 404 otherwise, and once it was taken off."""
    rows = VendorDocument.objects.filter(vendor__business_id=caller.business.id, vendor_id=vendor_id, removed_at=None)
    row = rows.filter(id=document_id).first()
    if row is None:
        raise errors.not_found("document")
    return row


def _record_document(caller: Caller, vendor: Vendor, row: VendorDocument, action: str) -> Vendor:
    ends: date | None = row.ends_on
    after = {"document_id": row.id, "kind": row.kind, "sha256": row.sha256, "ends_on": ends.isoformat() if ends else ""}
    return changes.record_change(caller, vendor, "vendor.updated", action, {}, after)
