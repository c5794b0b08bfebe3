"""The files of bills: sent in first, attached to a bill then; checked by what they hold, known by their SHA-256."""

from collections.abc import Sequence

from django.db import transaction

from service import documents, errors
from service.auth import Caller
from service.bills.models import Bill, BillFile
from service.events.audit import record_audit

MOST_FILES = 20
FOLDER = "bills"


def store_file(caller: Caller, upload: documents.Upload) -> BillFile:
    """A file that is not attached yet; 413 over 10 MB, 415 for none of the seven formats, 422 for a hostile one."""
    document = documents.checked(upload)
    path = documents.store(document, FOLDER, caller.business.id)
    with transaction.atomic():
        row = BillFile.objects.create(
            business=caller.business,
            file_name=document.file_name,
            mime=document.mime,
            size=document.size,
            sha256=document.sha256,
            path=path,
            uploaded_by=caller.label,
        )
        record_audit(caller, "bill_file.upload", "bill_file", row.id, after={"sha256": row.sha256, "size": row.size})
    return row


def attach_to(caller: Caller, bill: Bill, file_ids: Sequence[str]) -> None:
    """Attaches files that were sent in before to a locked bill; 422 for one that is none, or another bill's."""
    distinct = list(dict.fromkeys(file_ids))
    rows = list(
        BillFile.objects.select_for_update(no_key=True, of=("self",))
        .filter(business_id=caller.business.id, id__in=distinct)
        .order_by("id")
    )
    if len(rows) < len(distinct):
        raise errors.validation_failed("file_ids", "There is no such file.", "unknown")
    if any(row.bill_id not in (None, bill.id) for row in rows):
        raise errors.conflict("in_use", "A file is attached to another bill.")
    if BillFile.objects.filter(bill=bill).exclude(id__in=distinct).count() + len(rows) > MOST_FILES:
        raise errors.limit_exceeded(f"A bill has at most {MOST_FILES} files.")
    BillFile.objects.filter(id__in=distinct).update(bill=bill)


def detach_from(bill: Bill, file_ids: Sequence[str]) -> None:
    """Takes files off a locked bill; they stay, for they were looked at. 404 for one that the bill does not have."""
    rows = BillFile.objects.filter(bill=bill, id__in=set(file_ids))
    if rows.update(bill=None) < len(set(file_ids)):
        raise errors.not_found("attachment")


def get_file(caller: Caller, file_id: str) -> BillFile:
    """One file of the business; 404 otherwise."""
    bill_file = BillFile.objects.filter(business_id=caller.business.id, id=file_id).first()
    if bill_file is None:
        raise errors.not_found("file")
    return bill_file
