"""An expense as a row of the copy."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from dashboard.access.subject import Subject, people
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, amount_in, and_more, moment, nested
from dashboard.mirror.models import Expense
from dashboard.mirror.scopes import visible_expenses
from dashboard.money import text


class ExpenseColumns(NamedTuple):
    """The columns of the table of Expense that its answers fill, beside what every copy has."""

    employee_id: str
    employee_name: str
    team_id: str
    team_name: str
    org_wallet_ref: str
    status: str
    transaction_date: datetime
    amount_minor: int
    currency: str
    amount_text: str
    merchant: str
    notes: str
    category_name: str
    subcategory_id: str
    part_count: int
    transaction_ref: str
    has_receipt: bool
    risk: int


def expense(payload: Payload, locale: str) -> ExpenseColumns:
    """The columns of an expense (A.2 and B.15)."""
    minor, currency = amount_in(payload)
    subcategory = payload.get("subcategory")
    category = ""
    if isinstance(subcategory, Mapping):
        parent = nested(subcategory, "category", "name")
        category = f"{parent} · {subcategory.get('name', '')}" if parent else str(subcategory.get("name") or "")
    parts = payload.get("parts") or []
    when = moment(payload.get("transaction_date")) or moment(payload.get("createdAt")) or datetime.now(UTC)
    return ExpenseColumns(
        employee_id=str(payload.get("employee_id") or ""),
        employee_name=str(payload.get("person") or ""),
        team_id=nested(payload, "team", "_id", "id"),
        team_name=nested(payload, "team", "name"),
        org_wallet_ref=str(payload.get("org_wallet_ref") or ""),
        status=str(payload.get("status") or ""),
        transaction_date=when,
        amount_minor=minor or 0,
        currency=currency,
        amount_text=text(minor or 0, currency, locale),
        merchant=str(payload.get("receiver") or payload.get("merchant") or payload.get("description") or ""),
        notes=str(payload.get("notes") or ""),
        category_name=and_more(category, len(parts)),
        subcategory_id=nested(payload, "subcategory", "_id", "id"),
        part_count=len(parts),
        transaction_ref=str(payload.get("transaction_ref") or ""),
        has_receipt=bool(payload.get("receipts")),
        risk=int(payload.get("risk") or 0),
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
    ExpenseColumns,
    expense,
    subject=expense_subject,
    item_kind=ItemKind("Expense", visible_expenses, "expenses_item"),
)  # fmt: skip
