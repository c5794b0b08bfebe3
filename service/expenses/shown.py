"""An expense as the interface shows it: read as plain columns in one statement, receipts included.

Lists, answers and events all come from here, so that an expense looks the same wherever it is met.
"""

from collections.abc import Iterable
from typing import Any, cast

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef, QuerySet
from django.db.models.functions import JSONObject

from service.expenses.models import Expense, Receipt
from service.money import to_number

_RECEIPTS = ArraySubquery(
    Receipt.objects.filter(expense_id=OuterRef("id"))
    .order_by("id")
    .values(json=JSONObject(_id="id", file_name="file_name", mime="mime", size="size"))
)

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
}


def columns(rows: QuerySet[Expense]) -> QuerySet[Expense, dict[str, Any]]:
    """The same rows as dictionaries for `expense`."""
    return cast(QuerySet[Expense, dict[str, Any]], rows.values(*_COLUMNS, **_JOINED))


def one(expense_id: str) -> dict[str, Any]:
    """One expense that is known to exist."""
    return expense(columns(Expense.objects.filter(id=expense_id)).get())


def many(ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Several expenses by id."""
    return {row["id"]: expense(row) for row in columns(Expense.objects.filter(id__in=list(ids)))}


def expense(row: dict[str, Any]) -> dict[str, Any]:
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
        "receipt_required": row["receipt_required"],
        "receipts": [
            {**receipt, "url": f"/v2/expenses/downloadExpenseReceipt/{row['transaction_ref']}?receipt={receipt['_id']}"}
            for receipt in row["receipt_files"]
        ],
        "reviewed_by": row["reviewed_by_id"],
        "reviewed_at": row["reviewed_at"],
        "review_reason": row["review_reason"],
        "version": row["version"],
        "createdAt": row["created_at"],
        "updatedAt": row["updated_at"],
        "updated_at": row["updated_at"],
    }


def _team(row: dict[str, Any]) -> dict[str, Any] | None:
    if row["team_id"] is None:
        return None
    return {"_id": row["team_id"], "name": row["team_name"], "code": row["team_code"]}


def _subcategory(row: dict[str, Any]) -> dict[str, Any] | None:
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
