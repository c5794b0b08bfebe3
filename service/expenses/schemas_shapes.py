"""The shapes of the expenses' answers, as the serializers fill them."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict


class ExpensePartShape(TypedDict):
    """A part of an expense whose transaction is split."""

    subcategory_id: str
    name: str
    category_name: str
    amount_minor: int


class TeamRefShape(TypedDict):
    """The team whose expense it is."""

    _id: str
    name: str
    code: str


class CategoryRefShape(TypedDict):
    """The category that a subcategory is of, with the group that it stands in."""

    _id: str
    groupid: str
    name: str


class SubcategoryRefShape(TypedDict):
    """The subcategory that an expense is filed under."""

    _id: str
    code: str
    name: str
    category: CategoryRefShape


class ReceiptFileShape(TypedDict):
    """A receipt as it is stored; `size` in bytes."""

    _id: str
    file_name: str
    mime: str
    size: int


class ReceiptShape(ReceiptFileShape):
    """A receipt with its address, relative to the service."""

    url: str


class JudgedAnew(TypedDict):
    """A policy that judged an expense anew while it waited for review: by which version, and when (ISO 8601)."""

    policy_id: str
    version: int
    at: str


class ExpenseShape(TypedDict):
    """An expense as the interface shows it (decisions A.2, B.15)."""

    _id: str
    status: str
    type: str
    amount: Decimal
    amount_minor: int
    fees: Decimal
    charge: Decimal
    currency: str
    original_amount: Decimal | None
    original_currency: str | None
    fx_rate: Decimal | None
    org_wallet_ref: str
    transaction_ref: str
    provider_ref: str
    transaction_date: datetime
    employee_id: str
    person: str
    team: TeamRefShape | None
    subcategory: SubcategoryRefShape | None
    parts: list[ExpensePartShape]
    MerchantCategoryCode: str
    MerchantIdentifier: str
    card_vcn: str
    receiver: str
    accno: str
    payment_type: str
    channel: str
    description: str
    tag: list[str]
    notes: str
    risk: int
    risk_notes: str
    policy_flags: list[str]
    judged_anew: list[JudgedAnew]
    receipt_required: bool
    receipts: list[ReceiptShape]
    reviewed_by: str | None
    reviewed_at: datetime | None
    review_reason: str
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime
