"""Bank statements, their lines and entries as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.accounting.models import BankStatement, StatementLine
from service.ledger.models import LedgerEntry

StatementShape = TypedDict(
    "StatementShape",
    {
        "_id": str,
        "org_wallet_ref": str,
        "file_name": str,
        "from": date,
        "to": date,
        "line_count": int,
        "matched": int,
        "unmatched": int,
        "imported_by": str,
        "createdAt": datetime,
    },
)
"""A statement."""


class LineShape(TypedDict):
    """A line."""

    _id: str
    statement_id: str
    number: int
    org_wallet_ref: str
    day: date
    amount: Decimal
    amount_minor: int
    currency: str
    description: str
    reference: str
    status: str
    rule: str | None
    ledger_transaction_id: int | None
    matched_by: str | None
    matched_at: datetime | None
    version: int


class EntryShape(TypedDict):
    """An entry."""

    seq: int
    ledger_transaction_id: int
    effective_on: date
    amount: Decimal
    amount_minor: int
    currency: str
    type: str
    ref: str
    description: str


def statement(row: BankStatement, matched: int) -> StatementShape:
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


def line(row: StatementLine) -> LineShape:
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


def entry(row: LedgerEntry) -> EntryShape:
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
