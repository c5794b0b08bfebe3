"""Bills and their payments as the interface shows them: dictionaries in the shapes of the schemas."""

from collections.abc import Iterable
from decimal import Decimal

from service import money
from service.bills.models import ApprovalAxis, Attempt, Bill, BillFile, BillLine, BillPayment, LineSplit
from service.bills.schemas_shapes import (
    AttemptShape,
    BillFileShape,
    BillLineShape,
    BillShape,
    PaymentShape,
    SplitShape,
    WithheldShape,
)
from service.business_policies.serializers import evaluation
from service.taxes.withholding import Withheld, WithholdingShape, rounded
from service.vendors.destinations import VISIBLE_DIGITS


def line(row: BillLine, splits: Iterable[LineSplit], currency: str) -> BillLineShape:
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


def file(row: BillFile) -> BillFileShape:
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
