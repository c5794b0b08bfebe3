"""Supporting documents of transactions: attached once each, taken off where the type allows, read again."""

import logging
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.utils import timezone

from service import documents, errors, storage
from service.auth import Caller
from service.documents import Document
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.expenses import receipts
from service.expenses import selectors as expenses
from service.expenses.serializers import receipt_url
from service.journal import serializers as journal
from service.journal.models import FileDeletion, Transaction, TransactionDocument, Type
from service.journal.serializers import DocumentShape
from service.transactions import selectors, serializers

log = logging.getLogger(__name__)

REMOVABLE = frozenset({Type.EXPENSE, Type.TOPUP})
AT_MOST = 20
DELETED_TOGETHER = 500
MOST_FAILURES = 10


@dataclass(frozen=True, slots=True)
class Attached:
    """A document that is kept, whether it is new, and the expense that it proves, where it does."""

    document: DocumentShape
    is_new: bool
    expense_id: str


def attach(caller: Caller, transaction_id: str, document: Document) -> Attached:
    """Keeps a checked file with a transaction; the same file again is the document that is there.

    Of a purchase it becomes the receipt of its expense, where it can be one. The expense's own id names it, too: a
    purchase that is on hold has no transaction yet, and who asks may not have heard that it was posted meanwhile. 404 for
    neither, 422 limit_exceeded beyond 20 documents.
    """
    with documents.stored(document, "transactions", caller.business.id) as file, transaction.atomic():
        row = selectors.find_transaction(caller, transaction_id) or selectors.find_purchase(caller, transaction_id)
        if row is None:
            attached = _attach_to_held(caller, transaction_id, document, file.path)
            file.is_named = attached.is_new
            return attached
        expense_id = row.expense_id if row.type == Type.EXPENSE else ""
        known = row.documents.filter(sha256=document.sha256).first()
        if known is not None:
            return Attached(journal.document(known), False, expense_id)
        if row.documents.count() >= AT_MOST:
            raise errors.limit_exceeded(f"A transaction has at most {AT_MOST} documents.")
        created = TransactionDocument.objects.create(
            transaction=row,
            file_name=document.file_name,
            kind=document.kind,
            mime=document.mime,
            size=document.size,
            sha256=document.sha256,
            path=file.path,
            uploaded_by=caller.label,
        )
        _save_change(caller, row, "transaction.document_added", "transaction.add_document", created)
        if expense_id and document.kind in receipts.KINDS:
            receipts.attach(caller, expense_id, document, path=created.path)
        file.is_named = True
    return Attached(journal.document(created), True, expense_id)


def _attach_to_held(caller: Caller, expense_id: str, document: Document, path: str) -> Attached:
    if not expenses.visible(caller).filter(id=expense_id, ledger_hold_id__isnull=False).exists():
        raise errors.not_found("transaction")
    receipt, is_new = receipts.attach(caller, expense_id, document, path=path)
    shape: DocumentShape = {
        "_id": receipt.id,
        "file_name": receipt.file_name,
        "kind": document.kind,
        "mime": receipt.mime,
        "size": receipt.size,
        "sha256": receipt.sha256,
        "url": receipt_url(receipt.expense.transaction_ref, receipt.id),
        "uploaded_by": caller.label,
        "createdAt": receipt.created_at,
    }
    return Attached(shape, is_new, expense_id)


def remove(caller: Caller, transaction_id: str, document_id: str) -> Transaction:
    """Takes a document off an EXPENSE or TOPUP; 409 for other types, 404 for the transaction or the document."""
    with transaction.atomic():
        row = selectors.lock_transaction(caller, transaction_id)
        document = row.documents.filter(id=document_id).first()
        if document is None:
            raise errors.not_found("document")
        if row.type not in REMOVABLE:
            raise errors.invalid_state(f"Documents of a transaction of type {row.type} stay with it.")
        path = document.path
        TransactionDocument.objects.filter(id=document.id).delete()
        _save_change(caller, row, "transaction.document_removed", "transaction.remove_document", document)
        if row.type == Type.EXPENSE and row.expense_id:
            receipts.detach(caller, row.expense_id, document.sha256)
        removed = FileDeletion.objects.create(path=path)
        # A store that is away changes nothing of the answer: the job deletes what is left.
        transaction.on_commit(partial(_delete_file, removed), robust=True)
    return row


def delete_removed() -> int:
    """Deletes the files of documents that were taken off, and returns how many; one that the store does not delete now stays
    for the next time. It can be repeated."""
    count = failures = 0
    for removed in FileDeletion.objects.order_by("id")[:DELETED_TOGETHER]:
        if _delete_file(removed):
            count += 1
        elif (failures := failures + 1) >= MOST_FAILURES:
            # The store is away: the next one would wait as long for the same answer.
            break
    return count


def _delete_file(removed: FileDeletion) -> bool:
    try:
        storage.delete(removed.path)
    except errors.ServiceError:
        log.warning("the file of a removed document is not deleted yet: %s", removed.path)
        return False
    removed.delete()
    return True


def read(caller: Caller, transaction_id: str, document_id: str) -> TransactionDocument:
    """A document whose bytes are there; 404 without either."""
    rows = TransactionDocument.objects.filter(transaction__in=selectors.visible(caller).filter(id=transaction_id))
    document = rows.filter(id=document_id).first()
    if document is None or not storage.exists(document.path):
        raise errors.not_found("document")
    return document


def _save_change(caller: Caller, row: Transaction, event: str, action: str, attachment: TransactionDocument) -> None:
    row.version += 1
    row.updated_at = timezone.now()
    row.save(update_fields=["version", "updated_at"])
    record_event(caller.business, event, serializers.fresh(row), actor=caller)
    record_audit(
        caller, action, "transaction", row.id, after={"document_id": attachment.id, "sha256": attachment.sha256}
    )
