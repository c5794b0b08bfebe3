"""Payout batches, payment intents, channels and banks (decisions B.8)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypedDict

from pydantic import Field

from dashboard.schemas.base import Amount, Currency, CurrencyCode, Id, RequestSchema, ResponseSchema, Text


class Channel(ResponseSchema):
    """A way to pay in a country."""

    code: Text = ""
    name: Text = ""
    country: Text = ""
    # Where there are none, it carries any currency; `needs` are the fields of a payment beside its account.
    currencies: list[str] = []
    needs: list[str] = []
    # What a payment costs beside its amount, in whole units of its currency; None where the service does not say.
    fee: Decimal | None = None


class Bank(ResponseSchema):
    """A bank that payments of a country can go to, by its code."""

    code: Text = ""
    name: Text = ""
    country: Text = ""


class PayoutItem(ResponseSchema):
    """One payment of a payout batch; amount and fee in units of the batch's currency, the fee None where it is not
    known."""

    id: Text = Field("", alias="_id")
    receiver_name: Text = ""
    channel: Text = ""
    account: Text = ""
    bank_code: Text = ""
    account_reference: Text = ""
    vendor_id: Text = ""
    subcategory_id: Text = ""
    note: Text = ""
    amount: Amount
    fee: Amount | None = None
    status: Text = ""
    provider_ref: Text = ""
    failure_code: Text = ""


class Payout(ResponseSchema):
    """A batch of payments. `status` is one of decisions B.8's, or a word we do not know."""

    batch_no: str
    name: Text = ""
    status: Text = ""
    currency: Currency
    total_amount: Amount
    total_fees: Amount | None = None
    item_count: int = 0
    succeeded_count: int = 0
    failed_count: int = 0
    org_wallet_ref: Text = ""
    initiated_by: Any = None
    # Only in the answer of a single one.
    items: list[PayoutItem] | None = None
    created_at: datetime | None = Field(None, alias="createdAt")


class ProgressRow(ResponseSchema):
    """A payment that stands otherwise than it was shown: where it stands in its batch, from 0, and what became of it."""

    position: int
    status: Text = ""
    failure_code: Text = ""


class PayoutProgress(ResponseSchema):
    """How far a batch is, and which of the rows that were named stand otherwise than they were shown."""

    batch_no: str
    status: Text = ""
    hold_reason: Text = ""
    item_count: int = 0
    succeeded_count: int = 0
    failed_count: int = 0
    total_fees: Amount | None = None
    rows: list[ProgressRow] = []


class LedgerPosting(ResponseSchema):
    """A posting of a payout by its reference, and what it took out of the wallet."""

    id: int
    ref: Text = ""
    effective_on: date | None = None
    out_minor: int


class LedgerRow(ResponseSchema):
    """What the ledger holds of one payment."""

    item_id: Text
    out_minor: int
    fee_minor: int


class PayoutLedger(ResponseSchema):
    """What the ledger holds of a payout, in minor units of its currency."""

    batch_no: str
    currency: Currency
    postings: list[LedgerPosting] = []
    reversals: list[LedgerPosting] = []
    rows: list[LedgerRow] = []
    out_minor: int
    fees_minor: int
    reversed_minor: int = 0
    other_minor: int = 0


class ComparedBody(RequestSchema):
    """A payment that may have been made already: to an account on a channel, or to a vendor on any of its accounts."""

    channel: str | None = None
    account: str | None = Field(None, repr=False)
    account_reference: str | None = None
    vendor_id: str | None = None
    amount: Decimal


class ComparisonBody(RequestSchema):
    """Payments that are compared with those of payouts; `payouts` are compared whenever they were made, `besides` is not."""

    currency: CurrencyCode
    payments: list[ComparedBody]
    payouts: list[str] = []
    besides: str | None = None


class DuplicatePayment(ResponseSchema):
    """A payment of a payout that one of those compared is the same as: `place` says which one, `position` its row, both from 0."""

    place: int
    payout_id: str
    batch_no: str
    name: Text = ""
    status: Text = ""
    created_at: datetime = Field(alias="createdAt")
    position: int
    item_status: Text = ""
    receiver_name: Text = ""
    channel: Text = ""
    account_ends: Text = ""
    amount_minor: int


class NewPayment(RequestSchema):
    """One payment of a new batch."""

    receiver_name: str
    channel: str
    account: str = Field(repr=False)
    bank_code: str | None = None
    account_reference: str | None = None
    amount: Decimal
    subcategory_id: str | None = None
    vendor_id: str | None = None
    note: str | None = None


class SinglePayment(NewPayment):
    """A single transfer: one payment, and the wallet that it comes from."""

    org_wallet_ref: str
    name: str | None = None


class PayoutBody(RequestSchema):
    """A new batch: its payments, or the batch whose payments it takes over."""

    name: str
    org_wallet_ref: str
    currency: CurrencyCode | None = None
    items: list[NewPayment] | None = None
    reuse: str | None = None
    template: str | None = None
    team_id: str | None = None
    note: str | None = None
    scheduled_for: datetime | None = None


class CancelPayoutBody(RequestSchema):
    """Which batch is cancelled, and why."""

    batch_no: str
    reason: str | None = None


class IntentBody(RequestSchema):
    """What a payment intent is for: a batch, or a single payment."""

    batch_no: str | None = None
    payment: SinglePayment | None = None
    channel: str | None = None


class Intent(ResponseSchema):
    """A payment that waits for its one-time code."""

    intent_id: str
    batch_no: Text = ""
    status: Text = ""
    otp_channel: Text = ""
    expires_at: datetime | None = None
    attempts_left: int | None = None


class ConfirmBody(RequestSchema):
    """The one-time code of an intent; never logged."""

    intent_id: str
    otp: str = Field(repr=False)


class MobileMoneyBody(RequestSchema):
    """A push that asks a phone for money."""

    phone: str
    amount: Amount
    org_wallet_ref: str
    account_reference: str


class MobileMoney(ResponseSchema):
    """A request to a phone that is on its way, by the ids that the network gave it."""

    checkout_request_id: str
    merchant_request_id: Text = ""
    status: Text = ""


class MobileMoneyRequest(ResponseSchema):
    """What became of a push; TIMED_OUT: nobody has answered yet, and a late success counts until `credited_until`."""

    id: Id
    phone: Text = Field("", repr=False)
    amount_minor: int = 0
    currency: Currency
    org_wallet_ref: Text = ""
    account_reference: Text = ""
    status: Text = ""
    result_text: Text = ""
    receipt: Text = ""
    requested_by: Text = ""
    credited_until: datetime | None = Field(None, alias="asked_until")
    created_at: datetime | None = Field(None, alias="createdAt")
    updated_at: datetime | None = Field(None, alias="updatedAt")


class PaymentBody(TypedDict, total=False):
    """A payment as CREATE_PAYOUT takes it (`NewPayment`); what is not given is left out."""

    receiver_name: str
    channel: str
    account: str
    bank_code: str | None
    account_reference: str | None
    amount: Decimal
    subcategory_id: str | None
    vendor_id: str | None
    note: str | None


class BatchBody(TypedDict, total=False):
    """A batch as CREATE_PAYOUT takes it (`PayoutBody`): `items`, or the number of the payout that is `reuse`d."""

    name: str
    org_wallet_ref: str
    note: str | None
    items: list[PaymentBody]
    reuse: str


class CollectionBody(TypedDict):
    """The body of REQUEST_MOBILE_MONEY."""

    phone: str
    amount: Decimal
    org_wallet_ref: str
    account_reference: str
