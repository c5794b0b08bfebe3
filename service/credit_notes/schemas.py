"""Credit notes on the wire."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.bills.schemas import BillDay
from service.pagination import Envelope, PageQuery
from service.text import ObjectId, Reason, Words

Amount = Annotated[inputs.Number, Field(gt=0, le=Decimal(10) ** 13, examples=[1160])]
CreditNo = Annotated[Words, Field(max_length=60, examples=["CN-2026-001"])]


class CreditApplicationOut(Schema):
    """A part of a credit note that lowers a bill."""

    bill_id: str
    bill_no: str
    amount: Decimal
    amount_minor: int
    created_by: str
    createdAt: datetime  # noqa: N815  the published spelling


class CreditNoteOut(Schema):
    """A credit note of a vendor; `remaining` is what no bill has taken yet."""

    id: str = Field(alias="_id")
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
    applications: list[CreditApplicationOut]
    created_by: str
    version: int
    createdAt: datetime  # noqa: N815
    updatedAt: datetime  # noqa: N815


class CreditNotePage(Envelope):
    """A page of the credit notes of vendors."""

    docs: list[CreditNoteOut]


class CreditNoteQuery(PageQuery):
    """Filters of the list; `bill_id` finds those that refer to a bill or lower it."""

    vendor_id: ObjectId | None = None
    bill_id: ObjectId | None = None
    currency: str | None = Field(None, pattern="^[A-Z]{3}$")
    open: bool = Field(False, description="Only those of which something remains.")


class NewCreditNote(Schema):
    """A credit note to record, for a bill: in its currency, of its vendor. What of it fits lowers the bill at once."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "credit_no": "CN-2026-001",
                    "bill_id": "0192f0c0ffee000012345678",
                    "amount": 1160,
                    "issued_at": "2026-01-20",
                    "reason": "Two boxes came back.",
                }
            ]
        },
    )

    credit_no: CreditNo
    bill_id: ObjectId
    amount: Amount
    issued_at: BillDay
    reason: Reason


class ApplyCredit(Schema):
    """How much of a credit note lowers which bill of the same vendor: all that fits, unless an amount is named."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"bill_id": "0192f0c0ffee000012345678"}]})

    bill_id: ObjectId
    amount: Amount | None = None
