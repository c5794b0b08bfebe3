"""Withholding taxes on the wire (decisions B.18). Rates are basis points: 500 is 5 %."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.pagination import Envelope, PageQuery
from service.taxes.models import Base, TaxStatus, TaxTransaction
from service.text import Code, ObjectId, Words

Bps = Annotated[inputs.Whole, Field(ge=0, le=10_000, examples=[500])]
Threshold = Annotated[inputs.Number, Field(ge=0, le=Decimal(10) ** 12, examples=[24000])]
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2100, 1, 1)
TaxDay = Annotated[inputs.Day, Field(ge=FIRST_DAY, le=LAST_DAY, examples=["2026-07-01"])]


class RateOut(Schema):
    """The tax as it is between two days, both inclusive; no end: until further notice."""

    id: str = Field(alias="_id")
    base: str
    resident_rate_bps: int
    non_resident_rate_bps: int
    threshold_amount: Decimal
    threshold_amount_minor: int
    final: bool
    effective_from: date
    effective_to: date | None
    note: str


class TaxOut(Schema):
    """A tax with the rate of today (of its first day, where that is still to come) and all versions, newest first."""

    id: str = Field(alias="_id")
    code: str
    name: str
    currency: str
    rate_bps: int
    base: str
    resident_rate_bps: int
    non_resident_rate_bps: int
    threshold_amount: Decimal
    threshold_amount_minor: int
    threshold_period: Literal["MONTH"]
    final: bool
    liability_account: str
    effective_from: date
    effective_to: date | None
    note: str
    status: str
    versions: list[RateOut]
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class TaxPage(Envelope):
    """A page of the taxes of the business."""

    docs: list[TaxOut]


class TaxQuery(PageQuery):
    """Filters of the taxes of the business: their state."""

    status: TaxStatus | None = None


class NewTax(Schema):
    """A tax to make, with its first rates."""

    model_config = ConfigDict(extra="forbid")

    code: Code = Field(examples=["WHT_PROFESSIONAL"])
    name: Words = Field(examples=["Professional fees"])
    currency: str | None = Field(None, pattern="^[A-Z]{3}$", description="Of the threshold; the business's own.")
    base: Base = Base.NET_OF_VAT
    resident_rate_bps: Bps
    non_resident_rate_bps: Bps
    threshold_amount: Threshold = Decimal(0)
    threshold_period: Literal["MONTH"] = "MONTH"
    final: bool = False
    effective_from: TaxDay | None = Field(None, description="Today where it is missing.")
    note: inputs.Lines = Field("", max_length=500)


class EditedTax(Schema):
    """What changes. Rates are never edited in place: what is not named is taken over into a version from a day on."""

    model_config = ConfigDict(extra="forbid")

    name: Words | None = None
    base: Base | None = None
    resident_rate_bps: Bps | None = None
    non_resident_rate_bps: Bps | None = None
    threshold_amount: Threshold | None = None
    final: bool | None = None
    effective_from: TaxDay | None = Field(
        None, description="From when the new rates hold: after the day of the last ones."
    )
    note: inputs.Lines | None = Field(None, max_length=500)


class TaxTransactionOut(Schema):
    """A tax that was deducted from a bill payment."""

    id: str = Field(alias="_id")
    tax_id: str
    tax_code: str
    bill_payment_ref: str
    vendor_id: str
    vendor_name: str
    vendor_tax_pin: str
    base_amount: Decimal
    base_amount_minor: int
    rate_bps: int
    tax_amount: Decimal
    tax_amount_minor: int
    currency: str
    deducted_at: datetime
    due_at: date
    status: str
    certificate_no: str
    remittance_id: str | None
    ledger_transaction_id: int


class TaxTransactionPage(Envelope):
    """A page of the taxes that were withheld from payments."""

    docs: list[TaxTransactionOut]


class TaxTransactionQuery(PageQuery):
    """Filters of the list; days are the business's."""

    tax_id: ObjectId | None = None
    vendor_id: ObjectId | None = None
    bill_payment_ref: inputs.Line | None = Field(None, max_length=40)
    status: TaxTransaction.Standing | None = None
    from_: inputs.Day | None = Field(None, alias="from")
    to: inputs.Day | None = None
    ids: str | None = Field(
        None,
        max_length=2499,
        pattern="^[0-9a-f]{24}(,[0-9a-f]{24})*$",
        description="At most 100 ids, with commas between them.",
    )
