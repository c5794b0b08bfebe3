"""Supporting documents of transactions: attached once each, taken off where the type allows, read again."""

from pathlib import Path

from django.db import transaction
from django.utils import timezone

from service import documents, errors
from service.auth import Caller
from service.documents import Document
from service.events.audit import note
from service.events.outbox import record
from service.journal.models import Transaction, TransactionDocument, Type
from service.transactions import selectors, serializers

REMOVABLE = frozenset({Type.EXPENSE, Type.TOPUP})
AT_MOST = 20


def attach(caller: Caller, transaction_id: str, document: Document) -> tuple[TransactionDocument, bool]:
    """Keeps a checked file with a transaction; the same file again is the document that is there (False then).

    404 for the transaction, 422 limit_exceeded beyond 20 documents.
    """
    with transaction.atomic():
        row = selectors.lock_transaction(caller, transaction_id)
        known = row.documents.filter(sha256=document.sha256).first()
        if known is not None:
            return known, False
        if row.documents.count() >= AT_MOST:
            raise errors.limit_exceeded(f"A transaction has at most {AT_MOST} documents.")
        created = TransactionDocument.objects.create(
            transaction=row,
            file_name=document.file_name,
            kind=document.kind,
            mime=document.mime,
            size=document.size,
            sha256=document.sha256,
            path=documents.store(document, "transactions", caller.business.id),
            uploaded_by=caller.label,
        )
        _save_change(caller, row, "transaction.document_added", "transaction.add_document", created)
    return created, True


def remove(caller: Caller, transaction_id: str, document_id: str) -> Transaction:
    """Takes a document off an EXPENSE or TOPUP; 409 for other types, 404 for the transaction or the document."""
    with transaction.atomic():
        row = selectors.lock_transaction(caller, transaction_id)
        found = row.documents.filter(id=document_id).first()
        if found is None:
            raise errors.not_found("document")
        if row.type not in REMOVABLE:
            raise errors.invalid_state(f"Documents of a transaction of type {row.type} stay with it.")
        path = documents.location(found.path)
        TransactionDocument.objects.filter(id=found.id).delete()
        _save_change(caller, row, "transaction.document_removed", "transaction.remove_document", found)
        transaction.on_commit(lambda: path.unlink(missing_ok=True))
    return row


def read(caller: Caller, transaction_id: str, document_id: str) -> tuple[TransactionDocument, Path]:
    """A document and where its bytes lie; 404 without either."""
    rows = TransactionDocument.objects.filter(transaction__in=selectors.visible(caller).filter(id=transaction_id))
    found = rows.filter(id=document_id).first()
    if found is None or not documents.location(found.path).is_file():
        raise errors.not_found("document")
    return found, documents.location(found.path)


def _save_change(caller: Caller, row: Transaction, event: str, action: str, document: TransactionDocument) -> None:
    row.version += 1
    row.updated_at = timezone.now()
    row.save(update_fields=["version", "updated_at"])
    record(caller.business, event, serializers.fresh(row), actor=caller)
    note(caller, action, "transaction", row.id, after={"document_id": document.id, "sha256": document.sha256})
