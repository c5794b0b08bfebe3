"""The files of bills whose payment waits for votes are read before anybody opens them, as receipts are (background.py).

The bill is the copy's, files and values: what came of it stands beside the payment with the hashes of both, so that it is
read again when either has changed.
"""

import hashlib
import time
from collections.abc import Mapping

import structlog
from django.db.models import QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.documents.claims import claim_of_bill
from dashboard.documents.looks import remember_look
from dashboard.documents.models import ReadPayment
from dashboard.documents.opening import PASSING, opened
from dashboard.documents.reasons import flags_of_documents, forget_note, remember_reading
from dashboard.documents.sources import bill_files_of, content_of
from dashboard.errors import FinanceError
from dashboard.mirror.models import Approval, ApprovalRequest, Bill

log = structlog.get_logger(__name__)

# What a payment of a bill is called among the payments that wait, and as a request.
BILL_PAYMENT, PAID = "BILL_PAYMENT", "bill_payment"
# Of so many payments that wait, the newest, it is looked whether their bills were read.
MOST_WAITING = 500


def waiting_payments() -> QuerySet[Approval]:
    """The payments of bills that wait for votes, of every business."""
    return Approval.objects.filter(kind=BILL_PAYMENT, status="PENDING", tombstoned_at=None)


def unread_payments() -> list[tuple[Approval, Bill, str]]:
    """The payments that wait whose bill's files are to be read, of every business, with the bill and what `read_hash` will
    be; those that must be decided first come first."""
    rows = list(waiting_payments().select_related("business").order_by("-requested_at")[:MOST_WAITING])
    if not rows:
        return []
    bills, marks = _bills_of(rows), _marks_of(rows)
    unread = []
    for approval in rows:
        bill = bills.get(approval.pk)
        if bill is None or not bill.payload.get("attachments"):
            continue
        read_hash = f"{approval.payload_hash[:31]}-{bill.payload_hash[:31]}"
        if marks.get((approval.business_id, approval.remote_id)) != read_hash:
            unread.append((approval, bill, read_hash))
    return sorted(unread, key=lambda row: (row[0].due_at is None, row[0].due_at or row[0].requested_at))


def _bills_of(approvals: list[Approval]) -> dict[int, Bill]:
    """The bill of each payment, by the payment's key: two queries, however many wait."""
    paid = ApprovalRequest.objects.filter(
        kind=PAID, ref__in=[approval.ref for approval in approvals], tombstoned_at=None
    ).values_list("business_id", "ref", "payload__bill_id")
    bill_ids = {(business, ref): str(bill_id or "") for business, ref, bill_id in paid}
    rows = Bill.objects.filter(remote_id__in=set(bill_ids.values()) - {""}, tombstoned_at=None)
    bills = {(bill.business_id, bill.remote_id): bill for bill in rows}
    named = {approval.pk: bill_ids.get((approval.business_id, approval.ref), "") for approval in approvals}
    return {
        approval.pk: bills[key]
        for approval in approvals
        if (key := (approval.business_id, named[approval.pk])) in bills
    }


def _marks_of(approvals: list[Approval]) -> Mapping[tuple[int, str], str]:
    rows = ReadPayment.objects.filter(remote_id__in=[approval.remote_id for approval in approvals])
    return {
        (business, remote_id): read_hash
        for business, remote_id, read_hash in rows.values_list("business_id", "remote_id", "read_hash")
    }


def read_turn(most: int, seconds: float) -> int:
    """Reads the files of the first few bills, one after the other; of how many payments."""
    ends, count = time.monotonic() + seconds, 0
    for approval, bill, read_hash in unread_payments()[:most]:
        if time.monotonic() >= ends:
            break
        read_files(approval, bill, read_hash)
        count += 1
    return count


def read_files(approval: Approval, bill: Bill, read_hash: str) -> bool:
    """Reads all files of a bill and notes where they differ from it; whether all could be had."""
    business = approval.business
    try:
        is_whole = _compared(business, approval, bill)
    except FinanceError as error:
        log.info("bill not read", approval=approval.remote_id, error=type(error).__name__)
        is_whole = False
    except Exception:  # one payment must not end the turn of those behind it
        log.exception("bill not compared", approval=approval.remote_id)
        is_whole = False
    ReadPayment.objects.update_or_create(
        business=business, remote_id=approval.remote_id,
        defaults={"read_hash": read_hash, "is_whole": is_whole, "read_at": timezone.now()},
    )  # fmt: skip
    return is_whole


def _compared(business: Business, approval: Approval, bill: Bill) -> bool:
    reader, documents = Actor.reader_for(business), bill_files_of(approval, bill.payload)
    for document in documents:
        content = content_of(reader, document)
        document_read = opened(content)
        if document_read.problem in PASSING:
            return False
        remember_reading(business, document, document_read)
        remember_look(business, hashlib.sha256(content).hexdigest(), document_read.look)
    if not documents:
        forget_note(business, f"payment/{approval.remote_id}")
    # For the line of the inbox and the gate, in the words that the pane will show.
    flags_of_documents(business, documents, claim_of_bill(bill.payload, business))
    return True


def ask_again() -> int:
    """What could not be had is asked for again with the next turn; of how many payments."""
    return ReadPayment.objects.filter(is_whole=False).delete()[0]
