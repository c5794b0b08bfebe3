"""Credit notes as dictionaries in the shapes of the schemas."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.credit_notes.models import CreditApplication, CreditNote


class CreditApplicationShape(TypedDict):
    """A part of a credit note that lowers a bill."""

    bill_id: str
    bill_no: str
    amount: Decimal
    amount_minor: int
    created_by: str
    createdAt: datetime


class CreditNoteShape(TypedDict):
    """A credit note of a vendor, and what of it was applied to which bills; amounts in units and minor units."""

    _id: str
    credit_no: str
    vendor_id: str
    vendor_name: str
    bill_id: str | None
    currency: str
    amount: Decimal
    amount_minor: int
    applied: Decimal
    applied_minor: int
    remaining: Decimal
    remaining_minor: int
    issued_at: date
    reason: str
    applications: list[CreditApplicationShape]
    created_by: str
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


def credit_application(row: CreditApplication, currency: str) -> CreditApplicationShape:
    """A part of a credit note that lowers a bill; its bill should be joined."""
    return {
        "bill_id": row.bill_id,
        "bill_no": row.bill.bill_no,
        "amount": money.to_number(row.amount_minor, currency),
        "amount_minor": row.amount_minor,
        "created_by": row.created_by,
        "createdAt": row.created_at,
    }


def credit_note(row: CreditNote) -> CreditNoteShape:
    """A credit note; its vendor should be joined, its applications prefetched with their bills."""
    remaining_minor = row.amount_minor - row.applied_minor
    return {
        "_id": row.id,
        "credit_no": row.credit_no,
        "vendor_id": row.vendor_id,
        "vendor_name": row.vendor.name,
        "bill_id": row.bill_id,
        "currency": row.currency,
        "amount": money.to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "applied": money.to_number(row.applied_minor, row.currency),
        "applied_minor": row.applied_minor,
        "remaining": money.to_number(remaining_minor, row.currency),
        "remaining_minor": remaining_minor,
        "issued_at": row.issued_on,
        "reason": row.reason,
        "applications": [credit_application(part, row.currency) for part in row.applications.all()],
        "created_by": row.created_by,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }
