"""Bank statements, their lines and entries as the interface shows them: dictionaries in the shapes of the schemas."""

from typing import Any

from service import money
from service.accounting.models import BankStatement, StatementLine
from service.ledger.models import LedgerEntry


def statement(row: BankStatement, matched: int) -> dict[str, Any]:
    """A statement; its wallet should be joined."""
    return {
        "_id": row.id,
        "org_wallet_ref": row.wallet.org_wallet_ref,
        "file_name": row.file_name,
        "from": row.first_day,
        "to": row.last_day,
        "line_count": row.line_count,
        "matched": matched,
        "unmatched": row.line_count - matched,
        "imported_by": row.imported_by,
        "createdAt": row.created_at,
    }


def line(row: StatementLine) -> dict[str, Any]:
    """A line; its wallet should be joined."""
    return {
        "_id": row.id,
        "statement_id": row.statement_id,
        "number": row.number,
        "org_wallet_ref": row.wallet.org_wallet_ref,
        "day": row.day,
        "amount": money.to_number(row.amount_minor, row.wallet.currency),
        "amount_minor": row.amount_minor,
        "currency": row.wallet.currency,
        "description": row.description,
        "reference": row.reference,
        "status": row.status,
        "rule": row.rule or None,
        "ledger_transaction_id": row.ledger_transaction_id,
        "matched_by": row.matched_by or None,
        "matched_at": row.matched_at,
        "version": row.version,
    }


def entry(row: LedgerEntry) -> dict[str, Any]:
    """An entry; its transaction should be joined."""
    return {
        "seq": row.seq,
        "ledger_transaction_id": row.transaction_id,
        "effective_on": row.transaction.effective_on,
        "amount": money.to_number(row.amount, row.currency),
        "amount_minor": row.amount,
        "currency": row.currency,
        "type": row.transaction.kind,
        "ref": row.transaction.external_ref,
        "description": row.note or row.transaction.description,
    }
