"""Vendors as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from service.vendors.models import PaymentInstruction, Vendor, VendorContact, VendorDocument
from service.vendors.schemas import VISIBLE_STATUSES


class CallBackShape(TypedDict):
    """A call-back as it was recorded."""

    number: str
    spoke_to: str
    called_at: datetime


class InstructionShape(TypedDict):
    """An account as the interface shows it."""

    _id: str
    channel: str
    account: str
    bank_code: str
    branch_code: str
    account_name: str
    account_reference: str
    is_default: bool
    verified: bool
    status: str
    replaces: str | None
    changed_by: str
    proposal_reason: str
    changed_at: datetime
    cool_off_ends_at: datetime | None
    decided_by: str | None
    decided_at: datetime | None
    call_back: CallBackShape | None


class DocumentShape(TypedDict):
    """A document as the interface shows it."""

    _id: str
    kind: str
    title: str
    ends_on: date | None
    file_name: str
    mime: str
    size: int
    sha256: str
    uploaded_by: str
    createdAt: datetime


class ContactShape(TypedDict):
    """Somebody to speak to at a vendor as the interface shows them."""

    _id: str
    name: str
    role: str
    email: str
    phone: str


class VendorShape(TypedDict):
    """A vendor as the interface shows it."""

    _id: str
    name: str
    email: str
    phone: str
    taxPin: str
    type: str
    country: str
    currency: str
    discount_percent: Decimal
    discount_days: int
    payment_instructions: list[InstructionShape]
    documents: list[DocumentShape]
    contacts: list[ContactShape]
    also_known_as: list[str]
    merged_into: str | None
    status: str
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


def instruction(row: PaymentInstruction) -> InstructionShape:
    """An account as the interface shows it."""
    return {
        "_id": row.id,
        "channel": row.channel,
        "account": row.account,
        "bank_code": row.bank_code,
        "branch_code": row.branch_code,
        "account_name": row.account_name,
        "account_reference": row.account_reference,
        "is_default": row.is_default,
        "verified": row.verified,
        "status": row.status,
        "replaces": row.replaces_id,
        "changed_by": row.editor_label,
        "proposal_reason": row.proposal_reason,
        "changed_at": row.changed_at,
        "cool_off_ends_at": row.cool_off_ends_at,
        "decided_by": row.decided_by or None,
        "decided_at": row.decided_at,
        "call_back": None
        if row.called_back_at is None
        else {"number": row.call_back_number, "spoke_to": row.call_back_name, "called_at": row.called_back_at},
    }


def document(row: VendorDocument) -> DocumentShape:
    """A document as the interface shows it."""
    return {
        "_id": row.id,
        "kind": row.kind,
        "title": row.title,
        "ends_on": row.ends_on,
        "file_name": row.file_name,
        "mime": row.mime,
        "size": row.size,
        "sha256": row.sha256,
        "uploaded_by": row.uploaded_by,
        "createdAt": row.created_at,
    }


def contact(row: VendorContact) -> ContactShape:
    """Somebody to speak to at a vendor as the interface shows them."""
    return {"_id": row.id, "name": row.name, "role": row.role, "email": row.email, "phone": row.phone}


def vendor(row: Vendor) -> VendorShape:
    """A vendor as the interface shows it; its instructions, documents and contacts should be prefetched."""
    return {
        "_id": row.id,
        "name": row.name,
        "email": row.email,
        "phone": row.phone,
        "taxPin": row.tax_pin,
        "type": row.type,
        "country": row.country,
        "currency": row.currency,
        "discount_percent": Decimal(row.discount_bps) / 100,
        "discount_days": row.discount_days,
        "payment_instructions": [
            instruction(row_instruction)
            for row_instruction in row.instructions.all()
            if row_instruction.status in VISIBLE_STATUSES
        ],
        "documents": [
            document(row_document) for row_document in row.documents.all() if row_document.removed_at is None
        ],
        "contacts": [contact(row_contact) for row_contact in row.contacts.all()],
        "also_known_as": row.also_known_as,
        "merged_into": row.merged_into_id,
        "status": row.status,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }
