"""Credit notes of vendors as the service tells them, and the bodies that record and apply one."""

from datetime import date
from decimal import Decimal
from typing import TypedDict

from dashboard.schemas.base import Currency, Id, RequestSchema, ResponseSchema, Text


class CreditApplication(ResponseSchema):
    """A part of a credit note that lowers a bill."""

    bill_id: Text = ""
    bill_no: Text = ""
    amount_minor: int = 0


class CreditNote(ResponseSchema):
    """A credit note; amounts in minor units of its currency, `remaining_minor` what no bill has taken yet."""

    id: Id
    credit_no: Text = ""
    vendor_id: Text = ""
    vendor_name: Text = ""
    bill_id: Text = ""
    currency: Currency
    amount_minor: int = 0
    applied_minor: int = 0
    remaining_minor: int = 0
    issued_at: date | None = None
    reason: Text = ""
    applications: list[CreditApplication] = []


class NewCreditNote(RequestSchema):
    """A credit note to record for a bill: what of it fits lowers the bill at once."""

    credit_no: str
    bill_id: str
    amount: Decimal
    issued_at: str
    reason: str


class ApplyBody(RequestSchema):
    """The bill that a credit note lowers by all that fits."""

    bill_id: str


class CreditNoteBody(TypedDict):
    """A credit note as its form says it (NewCreditNote without the bill); the day as 2026-11-25."""

    credit_no: str
    amount: Decimal
    issued_at: str
    reason: str
