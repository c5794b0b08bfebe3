"""Remittances of withheld taxes on the wire: ours, for the interface has no way to say that a tax was paid over."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints

from service import inputs
from service.pagination import Envelope
from service.taxes.schemas import TaxDay
from service.text import ObjectId

# Numbers that an authority gives, such as KRAWHT2026001234 or PRN 2026/0017.
Number = Annotated[inputs.Line, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ./_\-]{0,38}[A-Za-z0-9]$")]
MOST_AT_ONCE = 500


class RemittedTax(Schema):
    """A deducted tax that is paid over, and the certificate that the vendor gets of it."""

    model_config = ConfigDict(extra="forbid")

    tax_transaction_id: ObjectId
    certificate_no: Number = Field(examples=["KRAWHT2026001234"])


class NewRemittance(Schema):
    """A payment to the tax authority: all of its taxes are of one currency, and none was paid over before."""

    model_config = ConfigDict(extra="forbid")

    remitted_on: TaxDay
    reference: Number | None = Field(
        None, description="The authority's number of the payment.", examples=["PRN-20260017"]
    )
    transactions: Annotated[list[RemittedTax], Field(min_length=1, max_length=MOST_AT_ONCE)]


class RemittanceOut(Schema):
    """A payment to the tax authority; `transactions` are the ids of the taxes that it pays over."""

    id: str = Field(alias="_id")
    reference: str | None
    remitted_on: date
    currency: str
    amount: Decimal
    amount_minor: int
    count: int
    transactions: list[str]
    ledger_transaction_id: int
    created_by: str
    createdAt: datetime  # noqa: N815  the published spelling


class RemittancePage(Envelope):
    """A page of what was paid to the tax authority."""

    docs: list[RemittanceOut]
