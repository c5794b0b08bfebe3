"""Bill payments on the wire (decisions B.9)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.business_policies.schemas_evaluation import PolicyEvaluationOut
from service.text import ObjectId, Reason

Amount = Annotated[inputs.Number, Field(gt=0, le=Decimal(10) ** 13, examples=[11600])]


class WithheldOut(Schema):
    """A tax that is withheld from the payment."""

    tax_id: str
    code: str
    name: str
    rate_bps: int
    base_amount: Decimal
    amount: Decimal


class AttemptOut(Schema):
    """One time that the rail was given the payment."""

    number: int
    status: str
    channel: str = Field(examples=["MPESA_TILL"])
    account_ends: str = Field(description="The last characters of the account that it went to.", examples=["5678"])
    provider_ref: str
    failure_code: str
    sent_at: datetime | None
    settled_at: datetime | None


class PaymentOut(Schema):
    """A bill payment on its two axes. `amount` lowers the bill's balance; the vendor gets `net_amount`."""

    id: str = Field(alias="_id")
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
    amount_minor: int
    withholding: list[WithheldOut]
    withheld_amount: Decimal
    withheld_amount_minor: int
    net_amount: Decimal
    net_amount_minor: int
    discount: Decimal
    discount_minor: int
    fee: Decimal
    fee_minor: int
    status: str
    approval_status: str
    hold_reason: str
    failure_code: str
    provider_ref: str
    scheduled_for: datetime | None
    due_at: date
    policy: PolicyEvaluationOut | None = None
    approvals: list[str]
    attempts: list[AttemptOut]
    created_by: str
    requested_by: str | None
    settled_at: datetime | None
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class NewPayment(Schema):
    """A payment to add, in DRAFT: all that is left of the balance, to the vendor's default account, unless it says so."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"amount": 11600}]})

    amount: Amount | None = None
    org_wallet_ref: inputs.Line = Field("1", min_length=1, max_length=40)
    payment_instruction_id: ObjectId | None = None
    scheduled_for: inputs.Moment | None = None
    take_discount: Annotated[
        bool,
        Field(
            description="Pays all that is open less the early-payment discount, which settles the rest if paid in time."
        ),
    ] = False


class ApprovePayment(Schema):
    """A word with the vote, if any."""

    model_config = ConfigDict(extra="forbid")

    reason: inputs.Lines | None = Field(None, max_length=500)


class RejectPayment(Schema):
    """Why a payment of a bill is rejected."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason = Field(examples=["Not our order."])
