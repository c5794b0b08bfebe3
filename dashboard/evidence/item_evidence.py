"""The item of a pack and what belongs to it: the payments of a bill, the votes on a payment, the transaction of an expense."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.access.subject import subject_of
from dashboard.client.reads import read_live
from dashboard.decisions.described_requests import described_request
from dashboard.documents.sources import Document, documents_of, receipts_of, vendor_documents_of
from dashboard.mirror.bill_payments import payments_of
from dashboard.mirror.item_kinds import ITEM_KINDS, item_at
from dashboard.mirror.models import Approval, ApprovalRequest, Bill, Expense, Mirrored, Transaction, Vendor
from dashboard.mirror.scopes import visible_approvals, visible_bills, visible_transactions

# How the references of payments end in what the service sends.
REFERENCE_ENDS = ("ref", "reference", "batch_no", "receipt_no")
READ_S = 4.0


def is_known_kind(kind: str) -> bool:
    """Whether things of this kind are copied from the service."""
    return kind in ITEM_KINDS


def rows_of(actor: Actor, kind: str, remote_id: str) -> list[Mirrored]:
    """The item and what belongs to it, the item first; [] where the actor sees none, or the copy has none, such."""
    item = item_at(actor, kind, remote_id)
    if item is None:
        return []
    rows: list[Mirrored] = [item, *_related(actor, item)]
    unique = {(type(row), row.remote_id): row for row in rows}
    return list(unique.values())


def expense_transactions(actor: Actor, expenses: Collection[Expense]) -> QuerySet[Transaction]:
    """What was posted of these expenses: their transactions, and those that refund or reverse them."""
    # By whose they are, too, for which there is an index.
    people = {expense.employee_id for expense in expenses}
    rows = visible_transactions(actor).filter(employee_id__in=people)
    return rows.filter(expense_id__in=[expense.remote_id for expense in expenses]).order_by("occurred_at", "pk")


def _related(actor: Actor, item: Mirrored) -> Iterator[Mirrored]:
    if isinstance(item, Expense):
        yield from expense_transactions(actor, [item])
    elif isinstance(item, Bill):
        payments = payments_of(actor.business, item)
        yield from payments
        yield from _votes_on(actor, payments)
    elif isinstance(item, Approval):
        described = described_request(item)
        if described is not None:
            yield described
            yield from _bill_of(actor, described)
    elif isinstance(item, ApprovalRequest):
        yield from _votes_on(actor, [item])
        yield from _bill_of(actor, item)


def _bill_of(actor: Actor, approval_request: ApprovalRequest) -> QuerySet[Bill]:
    """The bill that a payment pays, with its files; none for another request."""
    return visible_bills(actor).filter(remote_id=str(approval_request.payload.get("bill_id") or "-"))


def _votes_on(actor: Actor, requests: Iterable[ApprovalRequest]) -> Iterator[Approval]:
    refs = [row.ref for row in requests if row.ref]
    if refs:
        yield from visible_approvals(actor).filter(ref__in=refs).order_by("requested_at", "pk")


def evidence_key(row: Mirrored) -> tuple[str, str]:
    """Kind and id of a row as the audit names it."""
    subject = subject_of(row)
    return subject.kind, subject.id


def evidence_title(row: Mirrored) -> str:
    """What a row of any kind is called, as rules and audit know it."""
    return subject_of(row).title


def documents_for(actor: Actor, rows: Iterable[Mirrored]) -> list[Document]:
    """The documents of these rows, as far as their kind has any. Raises the FinanceError tree where a bill's list of files
    cannot be read."""
    documents: dict[tuple[str, str], Document] = {}
    for row in rows:
        for document in _documents(actor, row):
            documents.setdefault((document.operation.name, document.file_id), document)
    return list(documents.values())


def _documents(actor: Actor, row: Mirrored) -> list[Document]:
    if isinstance(row, Expense):
        return receipts_of(row)
    if isinstance(row, Transaction):
        return documents_of(row)
    if isinstance(row, Vendor):
        return vendor_documents_of(row)
    if isinstance(row, Bill):
        answer = read_live(actor, operations_payables.READ_BILL, path={"id": row.remote_id}, deadline=READ_S)
        files = answer.data.get("attachments") or []
        return [_bill_file(row, str(file.get("_id")), str(file.get("file_name") or "document")) for file in files]
    return []


def _bill_file(bill: Bill, file_id: str, name: str) -> Document:
    path = {"fileId": file_id}
    return Document("bill", bill.remote_id, file_id, name, operations_payables.DOWNLOAD_BILL_FILE, path, None, None)


def references_in(payload: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every reference in what the service sent: the name of its field, and the reference."""
    if isinstance(payload, Mapping):
        for key, value in payload.items():
            yield from references_in(value, str(key))
    elif isinstance(payload, list):
        for value in payload:
            yield from references_in(value, name)
    elif payload not in (None, "") and name.lower().replace("_", "").endswith(
        tuple(end.replace("_", "") for end in REFERENCE_ENDS)
    ):
        yield name, str(payload)
