"""A transaction as the interface shows it, in answers and in events."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.categories.models import Subcategory
from service.journal.models import Transaction, TransactionDocument


class DocumentShape(TypedDict):
    """A document; `url` is relative to the service."""

    _id: str
    file_name: str
    kind: str
    mime: str
    size: int
    sha256: str
    url: str
    uploaded_by: str
    createdAt: datetime


class SubcategoryRefShape(TypedDict):
    """The subcategory that a transaction is filed under."""

    _id: str
    code: str
    name: str


class PartShape(TypedDict):
    """A part of a split transaction."""

    subcategory: SubcategoryRefShape
    amount: Decimal
    amount_minor: int
    description: str


class TransactionShape(TypedDict):
    """A transaction with the subcategory that counts and its documents."""

    _id: str
    type: str
    status: str
    org_wallet_ref: str
    to_org_wallet_ref: str | None
    amount: Decimal
    amount_minor: int
    fees: Decimal
    fees_minor: int
    currency: str
    direction: str
    counterparty: str
    ref: str
    channel: str
    description: str
    subcategory: SubcategoryRefShape | None
    parts: list[PartShape]
    documents: list[DocumentShape]
    expense_id: str | None
    employee_id: str | None
    team_id: str | None
    ledger_transaction_id: int | None
    effective_on: date | None
    value_date: date | None
    transaction_date: datetime
    created_by: str | None
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    failure_code: str | None
    version: int
    createdAt: datetime
    updatedAt: datetime


def transaction(
    row: Transaction,
    subcategory: Subcategory | None = None,
    documents: Iterable[TransactionDocument] = (),
    parts: Iterable[PartShape] = (),
) -> TransactionShape:
    """A transaction with the subcategory that counts, its documents, and its parts in their order where it is split."""
    return {
        "_id": row.id,
        "type": row.type,
        "status": row.status,
        "org_wallet_ref": row.org_wallet_ref,
        "to_org_wallet_ref": row.to_org_wallet_ref or None,
        "amount": money.to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "fees": money.to_number(row.fees_minor, row.currency),
        "fees_minor": row.fees_minor,
        "currency": row.currency,
        "direction": row.direction,
        "counterparty": row.counterparty,
        "ref": row.ref,
        "channel": row.channel,
        "description": row.description,
        "subcategory": filed(subcategory) if subcategory else None,
        "parts": list(parts),
        "documents": [document(attached) for attached in documents],
        "expense_id": row.expense_id or None,
        "employee_id": row.employee_id or None,
        "team_id": row.team_id or None,
        "ledger_transaction_id": row.ledger_transaction_id,
        "effective_on": row.effective_on,
        "value_date": row.value_date,
        "transaction_date": row.occurred_at,
        "created_by": row.created_by or None,
        "decided_by": row.decided_by or None,
        "decided_at": row.decided_at,
        "reason": row.reason or None,
        "failure_code": row.failure_code or None,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def filed(row: Subcategory) -> SubcategoryRefShape:
    """A subcategory as what is filed under it names it."""
    return {"_id": row.id, "code": row.code, "name": row.name}


def document(row: TransactionDocument) -> DocumentShape:
    """A document; `url` is relative to the service."""
    return {
        "_id": row.id,
        "file_name": row.file_name,
        "kind": row.kind,
        "mime": row.mime,
        "size": row.size,
        "sha256": row.sha256,
        "url": f"/v2/transactions/{row.transaction_id}/documents/{row.id}",
        "uploaded_by": row.uploaded_by,
        "createdAt": row.created_at,
    }
