"""A transaction as a row of the copy."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from dashboard.access.subject import Subject, people
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, amount_in, and_more, day_of, moment, nested
from dashboard.mirror.models import Transaction
from dashboard.mirror.scopes import visible_transactions
from dashboard.money import text, to_minor


def transaction(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a transaction (B.17): the amount has the sign of its direction."""
    unsigned, currency = amount_in(payload)
    direction = str(payload.get("direction") or "")
    minor = -(unsigned or 0) if direction == "OUT" else unsigned or 0
    fees = payload.get("fees_minor")
    if not isinstance(fees, int):
        fees = to_minor(payload["fees"], currency) if payload.get("fees") and currency else 0
    return (
        str(payload.get("type") or ""),
        str(payload.get("status") or ""),
        direction,
        str(payload.get("org_wallet_ref") or ""),
        currency,
        minor,
        text(minor, currency, locale),
        text(fees, currency, locale) if fees else "",
        str(payload.get("counterparty") or ""),
        str(payload.get("ref") or ""),
        str(payload.get("channel") or ""),
        str(payload.get("description") or ""),
        and_more(nested(payload, "subcategory", "name"), len(payload.get("parts") or [])),
        nested(payload, "subcategory", "_id", "id"),
        len(payload.get("parts") or []),
        str(payload.get("employee_id") or ""),
        str(payload.get("team_id") or ""),
        str(payload.get("expense_id") or ""),
        moment(payload.get("transaction_date")) or moment(payload.get("createdAt")) or datetime.now(UTC),
        day_of(payload.get("effective_on")),
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
    (
        "type", "status", "direction", "org_wallet_ref", "currency", "amount_minor", "amount_text", "fees_text",
        "counterparty", "ref", "channel", "description", "category_name", "subcategory_id", "part_count",
        "employee_id", "team_id", "expense_id",
        "occurred_at", "effective_on",
    ),
    transaction,
    subject=transaction_subject,
    item_kind=ItemKind("Transaction", visible_transactions, "transactions_item"),
)  # fmt: skip
