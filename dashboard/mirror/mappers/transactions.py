"""A transaction as a row of the copy."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import NamedTuple

from dashboard.access.subject import Subject, people
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, amount_in, and_more, day_of, moment, nested
from dashboard.mirror.models import Transaction
from dashboard.mirror.scopes import visible_transactions
from dashboard.money import text, to_minor


class TransactionColumns(NamedTuple):
    """The columns of the table of Transaction that its answers fill, beside what every copy has."""

    type: str
    status: str
    direction: str
    org_wallet_ref: str
    currency: str
    amount_minor: int
    amount_text: str
    fees_text: str
    counterparty: str
    ref: str
    channel: str
    description: str
    category_name: str
    subcategory_id: str
    part_count: int
    employee_id: str
    team_id: str
    expense_id: str
    occurred_at: datetime
    effective_on: date | None


def transaction(payload: Payload, locale: str) -> TransactionColumns:
    """The columns of a transaction (B.17): the amount has the sign of its direction."""
    unsigned, currency = amount_in(payload)
    direction = str(payload.get("direction") or "")
    minor = -(unsigned or 0) if direction == "OUT" else unsigned or 0
    fees = payload.get("fees_minor")
    if not isinstance(fees, int):
        fees = to_minor(payload["fees"], currency) if payload.get("fees") and currency else 0
    return TransactionColumns(
        type=str(payload.get("type") or ""),
        status=str(payload.get("status") or ""),
        direction=direction,
        org_wallet_ref=str(payload.get("org_wallet_ref") or ""),
        currency=currency,
        amount_minor=minor,
        amount_text=text(minor, currency, locale),
        fees_text=text(fees, currency, locale) if fees else "",
        counterparty=str(payload.get("counterparty") or ""),
        ref=str(payload.get("ref") or ""),
        channel=str(payload.get("channel") or ""),
        description=str(payload.get("description") or ""),
        category_name=and_more(nested(payload, "subcategory", "name"), len(payload.get("parts") or [])),
        subcategory_id=nested(payload, "subcategory", "_id", "id"),
        part_count=len(payload.get("parts") or []),
        employee_id=str(payload.get("employee_id") or ""),
        team_id=str(payload.get("team_id") or ""),
        expense_id=str(payload.get("expense_id") or ""),
        occurred_at=moment(payload.get("transaction_date")) or moment(payload.get("createdAt")) or datetime.now(UTC),
        effective_on=day_of(payload.get("effective_on")),
    )


def transaction_subject(row: Transaction) -> Subject:
    """What a rule and the audit must know of a transaction."""
    makers = (row.payload.get(name) for name in ("created_by", "employee_id"))
    return Subject(
        business_id=row.business_id,
        kind="transaction",
        id=row.remote_id,
        title=row.counterparty or row.ref or row.remote_id,
        holder_id=row.employee_id,
        team_id=row.team_id,
        makers=people(*makers) or None,
        amount_minor=abs(row.amount_minor),
    )


TRANSACTION = Mapper(
    "transaction",
    Transaction,
    TransactionColumns,
    transaction,
    subject=transaction_subject,
    item_kind=ItemKind("Transaction", visible_transactions, "transactions_item"),
)  # fmt: skip
