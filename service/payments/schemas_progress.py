"""What the ledger holds of a payout, and how far it is, as they are published."""

from datetime import date, datetime
from decimal import Decimal

from ninja import Schema
from pydantic import Field

from service import inputs


class LedgerPostingOut(Schema):
    """A posting and what it took out of the wallet, in minor units; below zero where it gave back."""

    id: int
    ref: str = Field(examples=["payout:PB-20260105-00001:1:0192f0c0ffee000012345678"])
    effective_on: date
    out_minor: int


class LedgerRowOut(Schema):
    """What the ledger holds of one payment, in minor units."""

    item_id: str
    out_minor: int
    fee_minor: int


class PayoutLedgerOut(Schema):
    """What the ledger holds of a payout: the sums of its postings, in minor units of its currency."""

    batch_no: str
    currency: str
    postings: list[LedgerPostingOut]
    reversals: list[LedgerPostingOut]
    rows: list[LedgerRowOut]
    out_minor: int
    fees_minor: int
    reversed_minor: int
    other_minor: int


class ProgressQuery(Schema):
    """Which rows of a payout are looked at, and how they are shown."""

    positions: inputs.Line = Field(
        "", max_length=600, pattern=r"^([0-9]{1,4}(-[0-9]{1,4})?(,[0-9]{1,4}(-[0-9]{1,4})?)*)?$", examples=["1-40,57"],
        description="Rows of the payout by their positions, from 0: at most 100.",
    )  # fmt: skip
    states: inputs.Line = Field(
        "", max_length=100, pattern=r"^[A-Z-]*$", examples=["QQSP"],
        description="A letter for each of them, in the same order: Q queued, S sent, P succeeded, F failed, R returned.",
    )  # fmt: skip


class ProgressRowOut(Schema):
    """A payment that stands otherwise than it is shown."""

    position: int
    status: str
    failure_code: str


class PayoutProgressOut(Schema):
    """How far a payout is, and which of the rows that were named stand otherwise than they are shown."""

    batch_no: str
    status: str
    hold_reason: str
    item_count: int
    succeeded_count: int
    failed_count: int
    total_fees: Decimal
    total_fees_minor: int
    version: int
    updatedAt: datetime  # noqa: N815  the published spelling
    rows: list[ProgressRowOut]
    more: bool
