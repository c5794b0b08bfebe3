"""Payouts, intents and pushes on the wire (decisions B.8)."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints, model_validator

from service import inputs
from service.business_policies.schemas_evaluation import PolicyEvaluationOut
from service.pagination import Envelope, PageQuery
from service.payments.models import Status
from service.text import ObjectId, Words

# Accounts of any rail: digits and letters, never a card number's sixteen digits.
Account = Annotated[inputs.Line, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9\-]{2,33}$")]
Amount = Annotated[inputs.Number, Field(gt=0, le=Decimal(10) ** 13, examples=[1500.5])]
BatchNo = Annotated[str, StringConstraints(pattern=r"^PB-[0-9]{8}-[0-9]{5,9}$"), Field(examples=["PB-20260105-00001"])]
Phone = Annotated[inputs.Line, StringConstraints(pattern=r"^254[17][0-9]{8}$"), Field(examples=["254712345678"])]
LARGEST_BATCH = 5000


class ChannelName(Schema):
    """A way to pay: its currencies, what it needs, and its fee."""

    code: str
    name: str
    country: str
    currencies: list[str]
    needs: list[str]
    fee: Decimal = Field(description="What a payment costs beside its amount, in whole units of its currency.")


class ChannelList(Schema):
    """The ways in which the business can pay."""

    docs: list[ChannelName]
    total: int


class BankName(Schema):
    """A bank that can be paid to: its code, name and country."""

    code: str
    name: str
    country: str


class BankList(Schema):
    """The banks that can be paid to, with their codes."""

    docs: list[BankName]
    total: int


class CountryQuery(Schema):
    """The business's own country where none is named."""

    country: str | None = Field(None, pattern="^[A-Z]{2}$")


class ItemOut(Schema):
    """One payment of a payout: to whom, by which channel, and what became of it."""

    id: str = Field(alias="_id")
    vendor_id: str | None
    receiver_name: str
    channel: str
    account: str
    bank_code: str
    account_reference: str
    amount: Decimal
    amount_minor: int
    fee: Decimal
    fee_minor: int
    subcategory_id: str | None
    note: str
    status: str
    provider_ref: str
    failure_code: str


class Payee(Schema):
    """Whom a payout pays, in short: the first receiver and how many more."""

    name: str
    channel: str
    others: int


class PayoutOut(Schema):
    """A payout; its items are there in the answer of a single one."""

    id: str = Field(alias="_id")
    batch_no: str
    kind: str
    name: str
    template: str
    org_wallet_ref: str
    currency: str
    total_amount: Decimal
    total_amount_minor: int
    total_fees: Decimal
    total_fees_minor: int
    item_count: int
    succeeded_count: int
    failed_count: int
    status: str
    hold_reason: str
    team: str | None
    note: str
    scheduled_for: datetime | None
    created_by: str
    initiated_by: str | None
    policy: PolicyEvaluationOut | None = None
    approvals: list[str]
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815
    items: list[ItemOut] | None = None


class PayoutPage(Envelope):
    """A page of the payouts of the business."""

    docs: list[PayoutOut]


class PayoutQuery(PageQuery):
    """Filters of the list. With `batch_no` the one payout comes with its items."""

    status: Status | None = None
    kind: Literal["BULK_PAYOUT", "BANK_TRANSFER"] | None = None
    batch_no: inputs.Line | None = Field(None, max_length=24)
    org_wallet_ref: inputs.Line | None = Field(None, max_length=40)


class NewItem(Schema):
    """A payment to make. `needs` of the channel says which of the optional fields it takes."""

    model_config = ConfigDict(extra="forbid")

    receiver_name: Words
    channel: inputs.Line = Field(max_length=20, examples=["MPESA_SEND_MONEY"])
    account: Account = Field(examples=["254712345678"])
    bank_code: str = Field("", max_length=11, pattern="^[A-Za-z0-9]*$")
    account_reference: inputs.Line = Field("", max_length=40)
    amount: Amount
    subcategory_id: ObjectId | None = None
    vendor_id: ObjectId | None = None
    note: inputs.Lines = Field("", max_length=200)


class NewPayout(Schema):
    """A batch of 1 to 5,000 payments from one wallet; or `reuse`, which copies the payments of an earlier one."""

    model_config = ConfigDict(extra="forbid")

    name: Words
    org_wallet_ref: inputs.Line = Field("1", min_length=1, max_length=40)
    currency: str | None = Field(None, pattern="^[A-Z]{3}$", description="Must be the wallet's, where given.")
    items: list[NewItem] = Field(default_factory=list, max_length=LARGEST_BATCH)
    reuse: BatchNo | None = None
    template: inputs.Line = Field("", max_length=40)
    team_id: ObjectId | None = None
    note: inputs.Lines | None = Field(None, max_length=500)
    scheduled_for: inputs.Moment | None = None

    @model_validator(mode="after")
    def check_items_or_reuse(self) -> "NewPayout":
        """Either items or a payout to reuse."""
        if bool(self.items) == bool(self.reuse):
            raise ValueError("Give either items or reuse.")
        return self


class SinglePayment(NewItem):
    """A single transfer: one payment and the wallet it comes from."""

    org_wallet_ref: inputs.Line = Field("1", min_length=1, max_length=40)
    name: Words | None = None


class NewIntent(Schema):
    """What shall be confirmed: a payout that waits for its code, or a single payment that is made herewith."""

    model_config = ConfigDict(extra="forbid")

    batch_no: BatchNo | None = None
    payment: SinglePayment | None = None
    channel: Literal["SMS", "EMAIL"] = "SMS"

    @model_validator(mode="after")
    def check_payout_or_payment(self) -> "NewIntent":
        """Either a payout or a payment."""
        if (self.batch_no is None) == (self.payment is None):
            raise ValueError("Give either batch_no or payment.")
        return self


class IntentOut(Schema):
    """An intent. REQUIRES_APPROVAL: votes come first; ask for another intent of the payout then."""

    intent_id: str
    batch_no: str
    status: str
    otp_channel: str
    expires_at: datetime
    attempts_left: int
    payout_status: str


class Confirmation(Schema):
    """An intent to pay, and the one-time code that was sent for it."""

    model_config = ConfigDict(extra="forbid")

    intent_id: ObjectId
    otp: str = Field(pattern=r"^[0-9]{6}$", examples=["123456"])


class CancelPayout(Schema):
    """Which payout is cancelled."""

    model_config = ConfigDict(extra="forbid")

    batch_no: BatchNo
    reason: inputs.Lines | None = Field(None, max_length=500)


class NewPush(Schema):
    """A push that asks a phone for money."""

    model_config = ConfigDict(extra="forbid")

    phone: Phone
    amount: Amount
    org_wallet_ref: inputs.Line = Field("1", min_length=1, max_length=40)
    account_reference: inputs.Line = Field(min_length=1, max_length=40, examples=["INV-7"])


class PushDetailOut(Schema):
    """What became of a push. TIMED_OUT: nobody has answered within 90 s; for 24 hours a late success still counts."""

    id: str = Field(alias="_id")
    checkout_request_id: str
    phone: str
    amount: Decimal
    amount_minor: int
    currency: str
    org_wallet_ref: str
    account_reference: str
    status: str
    result_text: str
    receipt: str
    requested_by: str
    asked_until: datetime
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class PushPage(Envelope):
    """A page of the pushes to phones."""

    docs: list[PushDetailOut]


class PushOut(Schema):
    """A push to a phone that is on its way."""

    checkout_request_id: str
    merchant_request_id: str
    status: str
