"""Bills and their payments as the interface shows them: dictionaries in the shapes of the schemas."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from service import money
from service.bills.models import ApprovalAxis, Attempt, Bill, BillFile, BillLine, BillPayment
from service.business_policies.serializers import evaluation
from service.taxes.withholding import Withheld


def line(row: BillLine, currency: str) -> dict[str, Any]:
    """One line."""
    return {
        "description": row.description,
        "qty": row.quantity,
        "unit_price": money.to_number(row.unit_price_minor, currency),
        "tax_rate": Decimal(row.tax_rate_bps) / 100,
        "amount": money.to_number(row.amount_minor, currency),
        "amount_minor": row.amount_minor,
        "tax_amount": money.to_number(row.tax_minor, currency),
        "subcategory_id": row.subcategory_id or None,
    }


def file(row: BillFile) -> dict[str, Any]:
    """A file."""
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


def withheld(row: dict[str, Any], currency: str) -> dict[str, Any]:
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
    rows = sorted(payments, key=lambda each: each.id)
    waiting = [each for each in rows if each.approval_status == ApprovalAxis.PENDING]
    latest = (waiting or rows)[-1:]
    return latest[0].approval_status if latest else ApprovalAxis.INITIALIZED


def bill(row: Bill, taxes: Iterable[Withheld] = ()) -> dict[str, Any]:
    """A bill; its vendor should be joined, its lines, files and payments prefetched."""
    amounts = {
        "subtotal": row.subtotal_minor,
        "tax_amount": row.tax_minor,
        "total": row.total_minor,
        "amount_paid": row.paid_minor,
        "balance": row.total_minor - row.paid_minor,
    }
    payments = list(row.payments.all())
    return {
        "_id": row.id,
        "bill_no": row.bill_no,
        "vendor_id": row.vendor_id,
        "vendor_name": row.vendor.name,
        "currency": row.currency,
        **{name: money.to_number(minor, row.currency) for name, minor in amounts.items()},
        **{f"{name}_minor": minor for name, minor in amounts.items()},
        "withholding": [withheld(each.as_dict(), row.currency) for each in taxes],
        "issued_at": row.issued_on,
        "due_at": row.due_on,
        "budget_id": row.budget_id,
        "team_id": row.team_id,
        "subcategory_id": row.subcategory_id or None,
        "line_items": [line(each, row.currency) for each in row.lines.all()],
        "attachments": [file(each) for each in row.files.all()],
        "payments": [each.ref for each in payments],
        "memo": row.memo,
        "status": row.status,
        "approval_status": approval_status(payments),
        "duplicate_of": row.duplicate_of_id,
        "duplicate_reason": row.duplicate_reason or None,
        "created_by": row.created_by,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }


def attempt(row: Attempt) -> dict[str, Any]:
    """One time that the rail was given a payment."""
    return {
        "number": row.number,
        "status": row.status,
        "provider_ref": row.provider_ref,
        "failure_code": row.failure_code,
        "sent_at": row.sent_at,
        "settled_at": row.settled_at,
    }


def payment(row: BillPayment, approvals: Iterable[str] = ()) -> dict[str, Any]:
    """A payment with its attempts; its bill and wallet should be joined."""
    amounts = {
        "amount": row.amount_minor,
        "withheld_amount": row.withheld_minor,
        "net_amount": row.net_minor,
        "fee": row.fee_minor,
    }
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
        **{name: money.to_number(minor, row.currency) for name, minor in amounts.items()},
        **{f"{name}_minor": minor for name, minor in amounts.items()},
        "withholding": [withheld(each, row.currency) for each in row.withholding],
        "status": row.status,
        "approval_status": row.approval_status,
        "hold_reason": row.hold_reason,
        "failure_code": row.failure_code,
        "provider_ref": row.provider_ref,
        "scheduled_for": row.scheduled_for,
        "due_at": row.bill.due_on,
        "policy": evaluation(row.policies),
        "approvals": list(approvals),
        "attempts": [attempt(each) for each in row.attempts.order_by("number")],
        "created_by": row.created_by,
        "requested_by": row.requested_by or None,
        "settled_at": row.settled_at,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }
