"""Bills and their files on the wire (decisions B.9)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, model_validator
from pydantic.config import JsonDict

from service import inputs
from service.bills.models import ApprovalAxis, BillStatus
from service.pagination import Envelope, PageQuery
from service.text import ObjectId, Reason, Words
from service.vendors.schemas import Discount

Amount = Annotated[inputs.Number, Field(ge=0, le=Decimal(10) ** 13, examples=[11600])]
Quantity = Annotated[inputs.Number, Field(gt=0, le=Decimal(10) ** 8, decimal_places=3, examples=[2])]
Percent = Annotated[inputs.Number, Field(ge=0, le=100, decimal_places=2, examples=[16])]
BillDay = Annotated[inputs.Day, Field(ge=date(1990, 1, 1), le=date(2100, 1, 1), examples=["2026-01-05"])]
BillNo = Annotated[Words, Field(max_length=60, examples=["INV-2026-001"])]
LARGEST_BILL = 200


class SplitOut(Schema):
    """A team's share of a line with its tax; `percent` is null where it was given as an amount."""

    team_id: str
    percent: Decimal | None
    amount: Decimal
    amount_minor: int


class LineOut(Schema):
    """One line; `amount` is without the tax, `tax_rate` in per cent."""

    description: str
    qty: Decimal
    unit_price: Decimal
    tax_rate: Decimal
    amount: Decimal
    amount_minor: int
    tax_amount: Decimal
    subcategory_id: str | None
    splits: list[SplitOut]


class FileOut(Schema):
    """A file of a bill, or one that is not attached yet."""

    id: str = Field(alias="_id")
    bill_id: str | None
    file_name: str
    mime: str
    size: int
    sha256: str
    uploaded_by: str
    createdAt: datetime  # noqa: N815  the published spelling


class WithholdingOut(Schema):
    """What would be withheld if all of the bill were paid today."""

    tax_id: str
    code: str
    name: str
    rate_bps: int
    base_amount: Decimal
    amount: Decimal


class BillOut(Schema):
    """A bill on its two axes: `status` is how far it is paid, `approval_status` what was decided on its payments."""

    id: str = Field(alias="_id")
    bill_no: str
    vendor_id: str
    vendor_name: str
    currency: str
    subtotal: Decimal
    subtotal_minor: int
    tax_amount: Decimal
    tax_amount_minor: int
    withholding: list[WithholdingOut]
    total: Decimal
    total_minor: int
    amount_paid: Decimal
    amount_paid_minor: int
    amount_credited: Decimal
    amount_credited_minor: int
    balance: Decimal
    balance_minor: int
    issued_at: date
    due_at: date
    budget_id: str | None
    team_id: str | None
    subcategory_id: str | None
    line_items: list[LineOut]
    attachments: list[FileOut]
    payments: list[str]
    memo: str
    purchase_order: str
    discount_percent: Decimal
    discount_until: date | None
    discount_from_vendor: bool
    discount: Decimal
    discount_minor: int
    discounted: Decimal
    discounted_minor: int
    status: str
    approval_status: str
    duplicate_of: str | None
    duplicate_reason: str | None
    created_by: str
    version: int
    createdAt: datetime  # noqa: N815
    updatedAt: datetime  # noqa: N815


class BillPage(Envelope):
    """A page of the bills that vendors sent."""

    docs: list[BillOut]


class BillQuery(PageQuery):
    """Filters of the list; days are those of issue and of falling due."""

    search: inputs.Line | None = Field(
        None, max_length=100, description="Part of the number, the memo, the purchase order or the vendor's name."
    )
    status: BillStatus | None = None
    approval_status: ApprovalAxis | None = None
    vendor_id: ObjectId | None = None
    purchase_order: inputs.Line | None = Field(None, max_length=60, description="Without regard to case.")
    budget_id: ObjectId | None = None
    currency: str | None = Field(None, pattern="^[A-Z]{3}$")
    duplicates: bool = Field(False, description="Only bills that look like another one.")
    from_: inputs.Day | None = Field(None, alias="from")
    to: inputs.Day | None = None
    due_before: inputs.Day | None = None


class NewLine(Schema):
    """One line: quantity by unit price is its amount, and the tax comes on top."""

    model_config = ConfigDict(extra="forbid")

    description: Words
    qty: Quantity = Decimal(1)
    unit_price: Amount
    tax_rate: Percent = Decimal(0)
    subcategory_id: ObjectId | None = None


class NewSplit(Schema):
    """A team's share of a line: an amount of the line with its tax, or per cent of it."""

    model_config = ConfigDict(extra="forbid")

    team_id: ObjectId
    amount: Annotated[inputs.Number, Field(gt=0, le=Decimal(10) ** 13, examples=[5800])] | None = None
    percent: Annotated[inputs.Number, Field(gt=0, le=100, decimal_places=2, examples=[100])] | None = None


LINE_EXAMPLE: JsonDict = {"description": "Paper", "qty": 10, "unit_price": 1000, "tax_rate": 16}


class SplitLine(NewLine):
    """A line that can be split over teams, which is an addition beside the interface: all of it, by amounts or in per cent."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [LINE_EXAMPLE]})

    splits: list[NewSplit] | None = Field(None, max_length=8, description="Each team once; empty for none.")

    @model_validator(mode="after")
    def check_splits(self) -> "SplitLine":
        """All shares are said in the same way, each team has one, and percentages come to all of it."""
        given = self.splits or []
        by_amount = [split for split in given if split.amount is not None]
        by_percent = [split for split in given if split.percent is not None]
        if len(by_amount) + len(by_percent) != len(given) or (by_amount and by_percent):
            raise ValueError("Give every share of a line an amount, or every one a percentage.")
        if len({split.team_id for split in given}) < len(given):
            raise ValueError("A team has one share of a line.")
        percent = sum((split.percent or Decimal(0) for split in by_percent), Decimal(0))
        if by_percent and percent != 100:
            raise ValueError(f"The percentages come to {percent:f} %, not to 100 %.")
        return self


class _Content(Schema):
    """What of a bill can be said when it is made and changed later; amounts come from lines, or as two sums."""

    model_config = ConfigDict(extra="forbid")

    due_at: BillDay | None = None
    issued_at: BillDay | None = None
    line_items: list[SplitLine] | None = Field(None, min_length=1, max_length=LARGEST_BILL)
    subtotal: Amount | None = None
    tax_amount: Amount | None = None
    total: Amount | None = Field(None, description="Checked against the rest, where it is given.")
    budget_id: ObjectId | None = None
    team_id: ObjectId | None = None
    subcategory_id: ObjectId | None = None
    withholding_tax_ids: list[ObjectId] | None = Field(None, max_length=5)
    memo: inputs.Lines | None = Field(None, max_length=1000)
    purchase_order: inputs.Line | None = Field(
        None, max_length=60, description="The purchase order that it is for; empty takes it off."
    )
    discount_percent: Discount | None = Field(None, description="Of what is open, for paying early; 0 takes it off.")
    discount_until: BillDay | None = Field(None, description="The last day on which the discount is given.")

    @model_validator(mode="after")
    def check_lines_or_sums(self) -> "_Content":
        """Lines and sums would have to agree: one of them says it."""
        if self.line_items is not None and (self.subtotal is not None or self.tax_amount is not None):
            raise ValueError("Give either line_items or subtotal with tax_amount.")
        if self.issued_at and self.due_at and self.due_at < self.issued_at:
            raise ValueError("It would be due before it was issued.")
        if bool(self.discount_percent) != (self.discount_until is not None):
            raise ValueError("A discount has a percentage and a last day.")
        return self


EXAMPLE: JsonDict = {
    "bill_no": "INV-2026-001",
    "vendor_id": "0192f0c0ffee000012345678",
    "issued_at": "2026-01-05",
    "due_at": "2026-02-04",
    "line_items": [{"description": "Paper", "qty": 10, "unit_price": 1000, "tax_rate": 16}],
}


class NewBill(_Content):
    """A bill to make. Currency and early-payment discount are the vendor's unless it says otherwise; due on the day of issue
    unless it does."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    bill_no: BillNo
    vendor_id: ObjectId
    currency: str | None = Field(None, pattern="^[A-Z]{3}$")
    issued_at: BillDay
    attachments: list[ObjectId] = Field(default_factory=list, max_length=20, description="Files sent in before.")
    status: Literal["DRAFT", "OPEN"] = "OPEN"


class ChangedBill(_Content):
    """What changes. Number, amounts and taxes can be changed until a payment of it is under way."""

    bill_no: BillNo | None = None
    status: Literal["OPEN"] | None = Field(None, description="Opens a draft.")


class Attached(Schema):
    """Which uploaded files are attached to a bill, by their ids."""

    model_config = ConfigDict(extra="forbid")

    file_ids: list[ObjectId] = Field(min_length=1, max_length=20)


class CancelBill(Schema):
    """Why a bill is cancelled; the audit keeps it."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason = Field(examples=["Sent twice."])
