"""The shapes of the bills' answers, as their serializers fill them."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from service.respond import JsonObject


class SplitShape(TypedDict):
    """A team's share of a line of a bill: per cent of it where it was given so, and its amount with tax."""

    team_id: str
    percent: Decimal | None
    amount: Decimal
    amount_minor: int


class BillLineShape(TypedDict):
    """A line of a bill; amounts without tax, and the tax, in units and minor units of its currency."""

    description: str
    qty: Decimal
    unit_price: Decimal
    tax_rate: Decimal
    amount: Decimal
    amount_minor: int
    tax_amount: Decimal
    subcategory_id: str | None
    splits: list[SplitShape]


class BillFileShape(TypedDict):
    """A file that was uploaded for bills: its size in bytes, its digest, and the bill that it hangs on, None for none
    yet."""

    _id: str
    bill_id: str | None
    file_name: str
    mime: str
    size: int
    sha256: str
    uploaded_by: str
    createdAt: datetime


class WithheldShape(TypedDict):
    """One tax on a payment, from what the payment keeps of it."""

    tax_id: str
    code: str
    name: str
    rate_bps: int
    base_amount: Decimal
    amount: Decimal


class BillShape(TypedDict):
    """A bill with its lines and files and the ids of its payments; amounts in units and minor units of its currency."""

    _id: str
    bill_no: str
    vendor_id: str
    vendor_name: str
    currency: str
    subtotal: Decimal
    tax_amount: Decimal
    total: Decimal
    amount_paid: Decimal
    amount_credited: Decimal
    balance: Decimal
    subtotal_minor: int
    tax_amount_minor: int
    total_minor: int
    amount_paid_minor: int
    amount_credited_minor: int
    balance_minor: int
    withholding: list[WithheldShape]
    issued_at: date
    due_at: date
    budget_id: str | None
    team_id: str | None
    subcategory_id: str | None
    line_items: list[BillLineShape]
    attachments: list[BillFileShape]
    payments: list[str]
    memo: str
    purchase_order: str
    discount_percent: Decimal
    discount_until: date | None
    discount_from_vendor: bool
    discount: Decimal
    discount_minor: int
    discounted: Decimal
    discounted_minor: int
    status: str
    approval_status: str
    duplicate_of: str | None
    duplicate_reason: str | None
    created_by: str
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


class AttemptShape(TypedDict):
    """One time that the rail was given a payment."""

    number: int
    status: str
    channel: str
    account_ends: str
    provider_ref: str
    failure_code: str
    sent_at: datetime | None
    settled_at: datetime | None


class PaymentShape(TypedDict):
    """A payment with its attempts."""

    _id: str
    payment_ref: str
    bill_id: str
    bill_no: str
    vendor_id: str
    org_wallet_ref: str
    payment_instruction_id: str
    receiver_name: str
    channel: str
    account: str
    bank_code: str
    account_reference: str
    currency: str
    amount: Decimal
    withheld_amount: Decimal
    net_amount: Decimal
    discount: Decimal
    discount_minor: int
    fee: Decimal
    amount_minor: int
    withheld_amount_minor: int
    net_amount_minor: int
    fee_minor: int
    withholding: list[WithheldShape]
    status: str
    approval_status: str
    hold_reason: str
    failure_code: str
    provider_ref: str
    scheduled_for: datetime | None
    due_at: date
    policy: JsonObject | None
    approvals: list[str]
    attempts: list[AttemptShape]
    created_by: str
    requested_by: str | None
    settled_at: datetime | None
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime
