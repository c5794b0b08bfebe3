"""Comparing payments with those that payouts made already, on the wire."""

from datetime import datetime

from ninja import Schema
from pydantic import ConfigDict, Field, model_validator

from service import inputs
from service.payments.schemas import LARGEST_BATCH, Account, Amount
from service.text import ObjectId


class ComparedPayment(Schema):
    """A payment that may have been made already: the account that it goes to, or the vendor whose accounts are all meant."""

    model_config = ConfigDict(extra="forbid")

    channel: inputs.Line = Field("", max_length=20, examples=["MPESA_TILL"])
    account: Account | None = Field(None, examples=["512345"])
    account_reference: inputs.Line = Field("", max_length=40)
    vendor_id: ObjectId | None = None
    amount: Amount

    @model_validator(mode="after")
    def names_somebody(self) -> "ComparedPayment":
        """Refuses what goes to nobody."""
        if not self.vendor_id and not (self.account and self.channel):
            raise ValueError("It needs a channel and an account, or a vendor.")
        return self


class Comparison(Schema):
    """Payments that are compared with those of payouts; `payouts` are compared whatever they are and whenever they were made."""

    model_config = ConfigDict(extra="forbid")

    currency: str = Field(pattern="^[A-Z]{3}$", examples=["KES"])
    payments: list[ComparedPayment] = Field(max_length=LARGEST_BATCH)
    payouts: list[ObjectId] = Field(
        [],
        max_length=LARGEST_BATCH,
        description="Payouts that are compared with whatever they are, and whenever they were made.",
    )
    besides: ObjectId | None = Field(None, description="A payout that is not compared with.")


class DuplicatePaymentOut(Schema):
    """A payment of a payout that one of those compared is the same as; `place` says which one, from 0."""

    place: int = Field(description="Which of the payments that were asked for it is the same as, from 0.", examples=[0])
    payout_id: str = Field(description="The payout that it is of.", examples=["0192f0c0ffee000012345678"])
    batch_no: str
    name: str
    status: str
    createdAt: datetime  # noqa: N815  the published spelling
    position: int = Field(description="Its place in the payout, from 0.", examples=[2])
    item_status: str = Field(description="How the payment itself stands.", examples=["PAID"])
    receiver_name: str
    channel: str
    account_ends: str = Field(description="The last characters of the account that it goes to.", examples=["5678"])
    amount_minor: int


class DuplicatePaymentList(Schema):
    """What was found, the newest first."""

    docs: list[DuplicatePaymentOut]
