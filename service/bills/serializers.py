"""Bills and their payments as the interface shows them: dictionaries in the shapes of the schemas."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.bills.models import ApprovalAxis, Attempt, Bill, BillFile, BillLine, BillPayment, LineSplit
from service.business_policies.serializers import evaluation
from service.respond import JsonObject
from service.taxes.withholding import Withheld, WithholdingShape, rounded
from service.vendors.destinations import VISIBLE_DIGITS


class SplitShape(TypedDict):
    """A team's share of a line of a bill: per cent of it where it was given so, and its amount with tax."""

    team_id: str
    percent: Decimal | None
    amount: Decimal
    amount_minor: int


class LineShape(TypedDict):
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


class FileShape(TypedDict):
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
    line_items: list[LineShape]
    attachments: list[FileShape]
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


def line(row: BillLine, splits: Iterable[LineSplit], currency: str) -> LineShape:
    """A line of a bill as answers and events have it, its shares by team among it."""
    return {
        "description": row.description,
        "qty": row.quantity,
        "unit_price": money.to_number(row.unit_price_minor, currency),
        "tax_rate": Decimal(row.tax_rate_bps) / 100,
        "amount": money.to_number(row.amount_minor, currency),
        "amount_minor": row.amount_minor,
        "tax_amount": money.to_number(row.tax_minor, currency),
        "subcategory_id": row.subcategory_id or None,
        "splits": [split(share, currency) for share in splits],
    }


def split(row: LineSplit, currency: str) -> SplitShape:
    """A team's share of a line: the percentage or the amount that was entered, and what it comes to."""
    return {
        "team_id": row.team_id,
        "percent": None if row.percent_bps is None else Decimal(row.percent_bps) / 100,
        "amount": money.to_number(row.share_minor, currency),
        "amount_minor": row.share_minor,
    }


def file(row: BillFile) -> FileShape:
    """A file of a bill as answers and events have it: its name, media type, size and hash."""
    return {
        "_id": row.id,
        "bill_id": row.bill_id,
        "file_name": row.file_name,
        "mime": row.mime,
        "size": row.size,
        "sha256": row.sha256,
        "uploaded_by": row.uploaded_by,
        "createdAt": row.created_at,
    }


def withheld(row: WithholdingShape, currency: str) -> WithheldShape:
    """One tax on a payment, from what the payment keeps of it."""
    return {
        "tax_id": row["tax_id"],
        "code": row["code"],
        "name": row["name"],
        "rate_bps": row["rate_bps"],
        "base_amount": money.to_number(row["base_minor"], currency),
        "amount": money.to_number(row["tax_minor"], currency),
    }


def approval_status(payments: Iterable[BillPayment]) -> str:
    """What was decided on a bill: of its latest payment, but one that waits for votes comes first."""
    rows = sorted(payments, key=lambda bill_payment: bill_payment.id)
    waiting = [bill_payment for bill_payment in rows if bill_payment.approval_status == ApprovalAxis.PENDING]
    latest = (waiting or rows)[-1:]
    return latest[0].approval_status if latest else ApprovalAxis.INITIALIZED


def bill(row: Bill, taxes: Iterable[Withheld] = ()) -> BillShape:
    """A bill; its vendor should be joined, its lines, files and payments prefetched."""
    balance_minor, saved_minor = row.balance_minor, rounded(row.balance_minor, row.discount_bps)
    payments = list(row.payments.all())
    return {
        "_id": row.id,
        "bill_no": row.bill_no,
        "vendor_id": row.vendor_id, "vendor_name": row.vendor.name, "currency": row.currency,
        "subtotal": money.to_number(row.subtotal_minor, row.currency),
        "tax_amount": money.to_number(row.tax_minor, row.currency),
        "total": money.to_number(row.total_minor, row.currency),
        "amount_paid": money.to_number(row.paid_minor, row.currency),
        "amount_credited": money.to_number(row.credited_minor, row.currency),
        "balance": money.to_number(balance_minor, row.currency),
        "subtotal_minor": row.subtotal_minor, "tax_amount_minor": row.tax_minor, "total_minor": row.total_minor,
        "amount_paid_minor": row.paid_minor, "amount_credited_minor": row.credited_minor, "balance_minor": balance_minor,
        "withholding": [withheld(tax.as_dict(), row.currency) for tax in taxes],
        "issued_at": row.issued_on, "due_at": row.due_on, "budget_id": row.budget_id, "team_id": row.team_id,
        "subcategory_id": row.subcategory_id or None,
        "line_items": [line(bill_line, bill_line.splits.all(), row.currency) for bill_line in row.lines.all()],
        "attachments": [file(attachment) for attachment in row.files.all()],
        "payments": [bill_payment.ref for bill_payment in payments],
        "memo": row.memo, "purchase_order": row.purchase_order,
        "discount_percent": Decimal(row.discount_bps) / 100,
        "discount_until": row.discount_until,
        "discount_from_vendor": row.discount_from_vendor,
        "discount": money.to_number(saved_minor, row.currency),
        "discount_minor": saved_minor,
        "discounted": money.to_number(row.discounted_minor, row.currency),
        "discounted_minor": row.discounted_minor,
        "status": row.status,
        "approval_status": approval_status(payments),
        "duplicate_of": row.duplicate_of_id,
        "duplicate_reason": row.duplicate_reason or None,
        "created_by": row.created_by,
        "version": row.version, "createdAt": row.created_at, "updatedAt": row.updated_at, "updated_at": row.updated_at,
    }  # fmt: skip


def attempt(row: Attempt) -> AttemptShape:
    """One time that the rail was given a payment."""
    return {
        "number": row.number,
        "status": row.status,
        "channel": row.channel,
        "account_ends": row.account[-VISIBLE_DIGITS:],
        "provider_ref": row.provider_ref,
        "failure_code": row.failure_code,
        "sent_at": row.sent_at,
        "settled_at": row.settled_at,
    }


def payment(row: BillPayment, approvals: Iterable[str] = ()) -> PaymentShape:
    """A payment with its attempts; its bill and wallet should be joined."""
    return {
        "_id": row.id,
        "payment_ref": row.ref,
        "bill_id": row.bill_id,
        "bill_no": row.bill.bill_no,
        "vendor_id": row.vendor_id,
        "org_wallet_ref": row.wallet.org_wallet_ref,
        "payment_instruction_id": row.instruction_id,
        "receiver_name": row.receiver_name,
        "channel": row.channel,
        "account": row.account,
        "bank_code": row.bank_code,
        "account_reference": row.account_reference,
        "currency": row.currency,
        "amount": money.to_number(row.amount_minor, row.currency),
        "withheld_amount": money.to_number(row.withheld_minor, row.currency),
        "net_amount": money.to_number(row.net_minor, row.currency),
        "discount": money.to_number(row.discount_minor, row.currency),
        "discount_minor": row.discount_minor,
        "fee": money.to_number(row.fee_minor, row.currency),
        "amount_minor": row.amount_minor,
        "withheld_amount_minor": row.withheld_minor,
        "net_amount_minor": row.net_minor,
        "fee_minor": row.fee_minor,
        "withholding": [withheld(tax, row.currency) for tax in row.withholding],
        "status": row.status,
        "approval_status": row.approval_status,
        "hold_reason": row.hold_reason,
        "failure_code": row.failure_code,
        "provider_ref": row.provider_ref,
        "scheduled_for": row.scheduled_for,
        "due_at": row.bill.due_on,
        "policy": evaluation(row.policies),
        "approvals": list(approvals),
        "attempts": [attempt(payment_attempt) for payment_attempt in row.attempts.order_by("number")],
        "created_by": row.created_by,
        "requested_by": row.requested_by or None,
        "settled_at": row.settled_at,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }
