"""Withholding taxes: their dated rates, what was deducted, and what was paid over to the authority. Rates are basis points."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal, NotRequired, TypedDict

from dashboard.schemas.base import Amount, Currency, Id, RequestSchema, ResponseSchema, Text


class Rate(ResponseSchema):
    """A tax as it is between two days, both inclusive; no end: until further notice."""

    base: Text = ""
    resident_rate_bps: int = 0
    non_resident_rate_bps: int = 0
    threshold_amount: Amount = Decimal(0)
    final: bool = False
    effective_from: date | None = None
    effective_to: date | None = None
    note: Text = ""


class Tax(Rate):
    """A withholding tax with the rate of today, and all of its versions, the newest first."""

    id: Id
    code: Text = ""
    name: Text = ""
    currency: Currency
    status: Text = ""
    versions: list[Rate] = []


class TaxTransaction(ResponseSchema):
    """A tax that was deducted from the payment of a bill."""

    id: Id
    tax_id: Text = ""
    tax_code: Text = ""
    bill_payment_ref: Text = ""
    vendor_id: Text = ""
    vendor_name: Text = ""
    vendor_tax_pin: Text = ""
    base_amount_minor: int
    rate_bps: int = 0
    tax_amount_minor: int
    currency: Currency
    deducted_at: datetime | None = None
    due_at: date | None = None
    status: Text = ""
    certificate_no: Text = ""


class Remittance(ResponseSchema):
    """A payment of deducted taxes to the authority."""

    id: Id
    reference: Text = ""
    remitted_on: date | None = None
    currency: Currency
    amount_minor: int
    count: int = 0


class TaxTerms(RequestSchema):
    """The terms that hold from a day on: of a new tax, or of its next version."""

    name: str
    base: Literal["GROSS", "NET_OF_VAT"]
    resident_rate_bps: int
    non_resident_rate_bps: int
    threshold_amount: Decimal
    final: bool
    effective_from: date | None = None
    note: str = ""


class NewTax(TaxTerms):
    """A withholding tax with its first terms."""

    code: str
    currency: str | None = None


class TaxChange(RequestSchema):
    """Another name, or the terms of the version that begins on `effective_from`; what is not named is carried over."""

    name: str | None = None
    base: Literal["GROSS", "NET_OF_VAT"] | None = None
    resident_rate_bps: int | None = None
    non_resident_rate_bps: int | None = None
    threshold_amount: Decimal | None = None
    final: bool | None = None
    effective_from: date | None = None
    note: str | None = None


class RemittedTax(RequestSchema):
    """A deducted tax that was paid over, and the number of the vendor's certificate."""

    tax_transaction_id: str
    certificate_no: str


class NewRemittance(RequestSchema):
    """A payment to the authority: taxes of one currency that were not paid over before."""

    remitted_on: date
    reference: str | None = None
    transactions: list[RemittedTax]


class TermsBody(TypedDict):
    """What a tax is from a day on, as its operations take it; rates are basis points."""

    base: str
    resident_rate_bps: int
    non_resident_rate_bps: int
    threshold_amount: Decimal
    final: bool
    note: str
    effective_from: NotRequired[date]


class TaxNameBody(TypedDict):
    """The body of EDIT_TAX that gives it another name and leaves its terms."""

    name: str


class NewTaxBody(TermsBody):
    """A new tax: its terms with its code and the currency of its threshold."""

    name: str
    code: str
    currency: NotRequired[str]


class RemittedBody(TypedDict):
    """A deducted tax of a remittance."""

    tax_transaction_id: str
    certificate_no: str


class RemittanceBody(TypedDict):
    """The body of CREATE_REMITTANCE."""

    remitted_on: date
    transactions: list[RemittedBody]
    reference: NotRequired[str]
