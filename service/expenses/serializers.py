"""An expense as the interface shows it: read as plain columns in one statement, receipts included.

Lists, answers and events all come from here, so that an expense looks the same wherever it is met.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef
from django.db.models.functions import JSONObject

from service import sql
from service.expenses.models import Expense, Receipt, TransactionPart
from service.expenses.schemas_shapes import ExpenseShape, ReceiptFileShape, SubcategoryRefShape, TeamRefShape
from service.money import to_number

_RECEIPTS = ArraySubquery(
    Receipt.objects.filter(expense_id=OuterRef("id"))
    .order_by("id")
    .values(json=JSONObject(_id="id", file_name="file_name", mime="mime", size="size"))
)
_PARTS = ArraySubquery(
    TransactionPart.objects.filter(expense_id=OuterRef("id"))
    .order_by("position")
    .values(
        json=JSONObject(
            subcategory_id="subcategory_id", name="subcategory__name", category_name="subcategory__category__name",
            amount_minor="amount_minor",
        )
    )
)  # fmt: skip

_COLUMNS = (
    "id",
    "employee_id",
    "team_id",
    "subcategory_id",
    "org_wallet_ref",
    "status",
    "type",
    "currency",
    "amount_minor",
    "fees_minor",
    "original_amount_minor",
    "original_currency",
    "fx_rate",
    "transaction_ref",
    "provider_ref",
    "transaction_date",
    "payment_type",
    "channel",
    "mcc",
    "merchant_id",
    "receiver",
    "account_number",
    "card_token",
    "description",
    "notes",
    "tags",
    "risk",
    "risk_notes",
    "policy_flags",
    "judged_anew",
    "receipt_required",
    "reviewed_by_id",
    "reviewed_at",
    "review_reason",
    "version",
    "created_at",
    "updated_at",
)
_JOINED = {
    "person": F("employee__name"),
    "team_name": F("team__name"),
    "team_code": F("team__code"),
    "subcategory_name": F("subcategory__name"),
    "subcategory_code": F("subcategory__code"),
    "category_id": F("subcategory__category_id"),
    "category_name": F("subcategory__category__name"),
    "category_group": F("subcategory__category__group"),
    "receipt_files": _RECEIPTS,
    "part_rows": _PARTS,
}

# A rate has ten decimals.
_RATE = Decimal(1).scaleb(-10)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A SELECT with the names of its columns and its parameters, of which the one at `place` is the list of ids."""

    sql: str
    names: tuple[str, ...]
    params: tuple[Any, ...]
    place: int

    def run(self, ids: list[str]) -> list[dict[str, Any]]:
        """The rows of those ids."""
        params = [*self.params[: self.place], ids, *self.params[self.place + 1 :]]
        return [dict(zip(self.names, row, strict=True)) for row in sql.rows(self.sql, params)]


@cache
def _statement() -> _Statement:
    """Written by the ORM once, then only sent: building this query costs more than running it."""
    query = Expense.objects.filter(id__in=["?"]).values(*_COLUMNS, **_JOINED).query
    sql, params = query.sql_with_params()
    return _Statement(sql.replace("IN (%s)", "= ANY(%s)"), tuple(query.selected), params, params.index("?"))


def _read(ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in _statement().run(list(ids))}


def by_id(expense_id: str) -> ExpenseShape:
    """One expense that is known to exist."""
    return _expense(_read([expense_id])[expense_id])


def by_ids(ids: Iterable[str]) -> dict[str, ExpenseShape]:
    """Several expenses as answers have them, by id."""
    return {key: _expense(row) for key, row in _read(ids).items()}


def newly_written(row: Expense) -> ExpenseShape:
    """One that was just written with these values, as `by_id` would read it: its person, team and subcategory are known."""
    person, team, filed = row.employee, row.team, row.subcategory
    values = {
        **{name: getattr(row, name) for name in _COLUMNS},
        # As PostgreSQL gives them back.
        "fx_rate": None if row.fx_rate is None else row.fx_rate.quantize(_RATE, ROUND_HALF_UP),
        "transaction_date": row.transaction_date.astimezone(UTC),
        "judged_anew": json.dumps(row.judged_anew),
        "person": person.name if person else None,
        "team_name": team.name if team else None,
        "team_code": team.code if team else None,
        "subcategory_name": filed.name if filed else None,
        "subcategory_code": filed.code if filed else None,
        "category_id": filed.category_id if filed else None,
        "category_name": filed.category.name if filed else None,
        "category_group": filed.category.group if filed else None,
        "receipt_files": [],
        "part_rows": [],
    }
    return _expense(values)


def page(rows: Iterable[Expense]) -> list[ExpenseShape]:
    """The expenses of a page in its order; `rows` need no more than their ids."""
    ids = [row.id for row in rows]
    expenses = by_ids(ids)
    return [expenses[expense_id] for expense_id in ids if expense_id in expenses]


def _expense(row: dict[str, Any]) -> ExpenseShape:
    """The object of the interface (decisions A.2, B.15) from a row of `columns`."""
    currency, original = row["currency"], row["original_currency"]
    return {
        "_id": row["id"],
        "status": row["status"],
        "type": row["type"],
        "amount": to_number(row["amount_minor"], currency),
        "amount_minor": row["amount_minor"],
        "fees": to_number(row["fees_minor"], currency),
        "charge": to_number(row["amount_minor"] + row["fees_minor"], currency),
        "currency": currency,
        "original_amount": to_number(row["original_amount_minor"], original) if original else None,
        "original_currency": original or None,
        "fx_rate": row["fx_rate"],
        "org_wallet_ref": row["org_wallet_ref"],
        "transaction_ref": row["transaction_ref"],
        "provider_ref": row["provider_ref"],
        "transaction_date": row["transaction_date"],
        "employee_id": row["employee_id"] or "",
        "person": row["person"] or "",
        "team": _team(row),
        "subcategory": _subcategory(row),
        "parts": [json.loads(part) for part in row["part_rows"]],
        "MerchantCategoryCode": row["mcc"],
        "MerchantIdentifier": row["merchant_id"],
        "card_vcn": row["card_token"],
        "receiver": row["receiver"],
        "accno": row["account_number"],
        "payment_type": row["payment_type"],
        "channel": row["channel"],
        "description": row["description"],
        "tag": row["tags"],
        "notes": row["notes"],
        "risk": row["risk"],
        "risk_notes": row["risk_notes"],
        "policy_flags": row["policy_flags"],
        # A posting writes an empty list as PostgreSQL spells an empty array: {} to JSON.
        "judged_anew": json.loads(row["judged_anew"]) or [],
        "receipt_required": row["receipt_required"],
        "receipts": [
            {**receipt, "url": receipt_url(row["transaction_ref"], receipt["_id"])}
            for receipt in _receipts(row["receipt_files"])
        ],
        "reviewed_by": row["reviewed_by_id"],
        "reviewed_at": row["reviewed_at"],
        "review_reason": row["review_reason"],
        "version": row["version"],
        "createdAt": row["created_at"],
        "updatedAt": row["updated_at"],
        "updated_at": row["updated_at"],
    }


def receipt_url(transaction_ref: str, receipt_id: str) -> str:
    """Where a receipt's file is read, relative to the service."""
    return f"/v2/expenses/downloadExpenseReceipt/{transaction_ref}?receipt={receipt_id}"


def _receipts(texts: Iterable[str]) -> list[ReceiptFileShape]:
    return [json.loads(text) for text in texts]


def _team(row: dict[str, Any]) -> TeamRefShape | None:
    if row["team_id"] is None:
        return None
    return {"_id": row["team_id"], "name": row["team_name"], "code": row["team_code"]}


def _subcategory(row: dict[str, Any]) -> SubcategoryRefShape | None:
    if row["subcategory_id"] is None:
        return None
    return {
        "_id": row["subcategory_id"],
        "code": row["subcategory_code"],
        "name": row["subcategory_name"],
        "category": {
            "_id": row["category_id"],
            "groupid": row["category_group"],
            "name": row["category_name"],
        },
    }
