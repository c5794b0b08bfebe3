"""A transaction as the interface shows it, in answers and in events."""

from collections.abc import Iterable
from typing import Any

from service import money
from service.categories.models import Subcategory
from service.journal.models import Transaction, TransactionDocument


def transaction(
    row: Transaction, subcategory: Subcategory | None = None, documents: Iterable[TransactionDocument] = ()
) -> dict[str, Any]:
    """A transaction with the subcategory that counts and its documents."""
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
        "subcategory": {"_id": subcategory.id, "code": subcategory.code, "name": subcategory.name}
        if subcategory
        else None,
        "documents": [document(each) for each in documents],
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


def document(row: TransactionDocument) -> dict[str, Any]:
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
