"""An expense as a row of the copy."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from dashboard.access.subject import Subject, people
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, amount_in, and_more, moment, nested
from dashboard.mirror.models import Expense
from dashboard.mirror.scopes import visible_expenses
from dashboard.money import text


def expense(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of an expense (A.2 and B.15)."""
    minor, currency = amount_in(payload)
    subcategory = payload.get("subcategory")
    category = ""
    if isinstance(subcategory, Mapping):
        parent = nested(subcategory, "category", "name")
        category = f"{parent} · {subcategory.get('name', '')}" if parent else str(subcategory.get("name") or "")
    parts = payload.get("parts") or []
    when = moment(payload.get("transaction_date")) or moment(payload.get("createdAt")) or datetime.now(UTC)
    return (
        str(payload.get("employee_id") or ""),
        str(payload.get("person") or ""),
        nested(payload, "team", "_id", "id"),
        nested(payload, "team", "name"),
        str(payload.get("org_wallet_ref") or ""),
        str(payload.get("status") or ""),
        when,
        minor or 0,
        currency,
        text(minor or 0, currency, locale),
        str(payload.get("receiver") or payload.get("merchant") or payload.get("description") or ""),
        str(payload.get("notes") or ""),
        and_more(category, len(parts)),
        nested(payload, "subcategory", "_id", "id"),
        len(parts),
        str(payload.get("transaction_ref") or ""),
        bool(payload.get("receipts")),
        int(payload.get("risk") or 0),
    )


def expense_subject(row: Expense) -> Subject:
    """What a rule and the audit must know of an expense."""
    edited = (row.payload.get(name) for name in ("created_by", "submitted_by", "edited_by", "last_edited_by"))
    return Subject(
        business_id=row.business_id,
        kind="expense",
        id=row.remote_id,
        title=row.merchant or row.transaction_ref or row.remote_id,
        holder_id=row.employee_id,
        team_id=row.team_id,
        makers=people(row.employee_id, *edited) or None,
        about=people(row.employee_id) or None,
        amount_minor=row.amount_minor,
    )


EXPENSE = Mapper(
    "expense",
    Expense,
    (
        "employee_id", "employee_name", "team_id", "team_name", "org_wallet_ref", "status", "transaction_date",
        "amount_minor", "currency", "amount_text", "merchant", "notes", "category_name", "subcategory_id", "part_count",
        "transaction_ref", "has_receipt", "risk",
    ),
    expense,
    subject=expense_subject,
    item_kind=ItemKind("Expense", visible_expenses, "expenses_item"),
)  # fmt: skip
