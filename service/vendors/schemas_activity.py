"""Who was paid lately, what a vendor was paid, and what would become of one that is merged, as they are published."""

from datetime import datetime
from decimal import Decimal
from typing import Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.text import ObjectId, Reason


class RecentVendor(Schema):
    """Somebody who was paid on a channel. Without an _id it may be made a vendor."""

    id: str | None = Field(None, alias="_id")
    name: str
    channel: str
    account: str
    account_reference: str = Field(
        description="The account at a paybill; whatever was given as a reference elsewhere.", examples=["INV-7"]
    )
    currency: str
    last_paid_at: datetime
    last_amount: Decimal
    last_amount_minor: int
    count: int
    source: Literal["SUPPLIER", "EXPENSE"]


class RecentVendors(Schema):
    """The vendors that were paid last, the latest first."""

    docs: list[RecentVendor]
    total: int


class RecentVendorsQuery(Schema):
    """How many of the vendors that were paid last are asked for."""

    limit: inputs.Whole = Field(50, ge=1, le=200)


class DuplicateOut(Schema):
    """Two vendors that may be one, the earlier first, and why."""

    vendor_id: str
    vendor_name: str
    duplicate_id: str
    duplicate_name: str
    reasons: list[str]


class Duplicates(Schema):
    """The pairs of vendors that may be one."""

    docs: list[DuplicateOut]
    total: int


class MovedOut(Schema):
    """How many of a noun move to the vendor."""

    noun: str
    count: int


class DiscountOut(Schema):
    """Terms of an early-payment discount: per cent of what is open, within so many days of the issue."""

    percent: Decimal
    days: int


class MergePlanOut(Schema):
    """What a merge would do, before anybody does it. The terms of the vendor's discount stay; where it has none, those of
    the duplicate move."""

    vendor_id: str
    vendor_name: str
    duplicate_id: str
    duplicate_name: str
    moves: list[MovedOut]
    contact_fields: list[str]
    accounts_to_confirm: int
    vendor_discount: DiscountOut | None
    duplicate_discount: DiscountOut | None
    discount_moves: bool
    obstacles: list[str]


class NewMerge(Schema):
    """Which vendor is the same one, and how that is known."""

    model_config = ConfigDict(extra="forbid")

    duplicate_id: ObjectId
    reason: Reason = Field(examples=["The same company, entered twice."])


class SpendOfMonth(Schema):
    """What a vendor was paid in a month, in one currency."""

    month: str
    currency: str
    amount: Decimal
    amount_minor: int
    count: int


class PaidOut(Schema):
    """A payment to a vendor: BILL_PAYMENT or PAYOUT."""

    kind: str
    ref: str
    currency: str
    amount: Decimal
    amount_minor: int
    paid_at: datetime


class SharedOut(Schema):
    """What a vendor has in common with another vendor or an employee."""

    what: str
    ends: str
    owner: str
    name: str
    vendor_id: str | None


class ActivityOut(Schema):
    """What a vendor was paid in the last twelve months, its latest payments, and what it shares with others."""

    months: list[SpendOfMonth]
    payments: list[PaidOut]
    shared: list[SharedOut]
