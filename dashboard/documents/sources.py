"""Where documents come from: the receipts of an expense, the files of the bill behind a payment, the documents of a
transaction. Read through the gateway,
each time for somebody who may read them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard import operations, operations_extra, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.audit.record import check_or_record_denial
from dashboard.client.reads import read_live
from dashboard.documents import cache
from dashboard.errors import NotFound
from dashboard.mirror.models import Approval, Expense, Transaction, Vendor
from dashboard.schemas.bills import BillPayload

FETCH_S = 8.0


@dataclass(frozen=True, slots=True)
class Document:
    """A file of a subject: `kind` and `remote_id` name the subject ("expense", "payment", "bill", "transaction" or "vendor"), `file_id` and `name` the file.

    `operation` reads it, with `path` and `query`; `subject` is what the gate judges, where the operation has rows.
    """

    kind: str
    remote_id: str
    file_id: str
    name: str
    operation: Operation
    path: Mapping[str, str]
    query: Mapping[str, str | int] | None
    subject: Expense | Transaction | Vendor | None


def receipts_of(expense: Expense) -> list[Document]:
    """The receipts of an expense, in the order in which they were added."""
    rows = _rows(expense.payload.get("receipts"))
    path = {"transactionRef": expense.transaction_ref or expense.remote_id}
    return [
        Document(
            "expense", expense.remote_id, file_id, name, operations.DOWNLOAD_RECEIPT, path,
            {"receipt": file_id} if len(rows) > 1 else None, expense,
        )
        for file_id, name in rows
    ]  # fmt: skip


def bill_files_of(approval: Approval, bill_payload: BillPayload) -> list[Document]:
    """The files of the bill behind a payment; `bill_payload` as `dashboard.decisions.bills.bill_of` has read it."""
    return [
        Document(
            "payment", approval.remote_id, file_id, name, operations_payables.DOWNLOAD_BILL_FILE, {"fileId": file_id},
            None, None,
        )
        for file_id, name in _rows(bill_payload.get("attachments"))
    ]  # fmt: skip


def documents_of(transaction: Transaction) -> list[Document]:
    """The documents of a transaction, in the order in which they were added."""
    return [
        Document(
            "transaction", transaction.remote_id, file_id, name, operations_extra.DOWNLOAD_TRANSACTION_DOCUMENT,
            {"id": transaction.remote_id, "documentId": file_id}, None, transaction,
        )
        for file_id, name in _rows(transaction.payload.get("documents"))
    ]  # fmt: skip


def vendor_documents_of(vendor: Vendor) -> list[Document]:
    """The documents of a vendor, in the order in which they were added."""
    return [
        Document(
            "vendor", vendor.remote_id, row["id"], row["file_name"], operations_payables.DOWNLOAD_VENDOR_DOCUMENT,
            {"id": vendor.remote_id, "documentId": row["id"]}, None, vendor,
        )
        for row in vendor.documents
    ]  # fmt: skip


def _rows(rows: Any) -> list[tuple[str, str]]:
    return [
        (str(row.get("_id") or number), str(row.get("file_name") or "document"))
        for number, row in enumerate(rows or [])
        if isinstance(row, dict)
    ]


def document_named(documents: list[Document], file_id: str) -> Document:
    """The one of that id; NotFound where there is none."""
    for document in documents:
        if document.file_id == file_id:
            return document
    raise NotFound("This document does not exist.", code="hidden")


def content_of(actor: Actor, document: Document) -> bytes:
    """The bytes as they were uploaded. Whoever asks is judged each time, also for what lies in the cache: NotAllowed and
    NotFound (audited), else the FinanceError of the read."""
    check_or_record_denial(actor, document.operation, document.subject)
    name = cache.digest("content", str(actor.business.pk), document.kind, document.remote_id, document.file_id)
    content = cache.load(name)
    if content is None:
        answer = read_live(
            actor, document.operation, path=document.path, query=document.query, subject=document.subject,
            deadline=FETCH_S, as_bytes=True,
        )  # fmt: skip
        content = bytes(answer.data)
        cache.store(name, content)
    return content
