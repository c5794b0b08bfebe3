"""Expenses on the wire: the bodies that are taken and the answers that are given (decisions A.2, B.15, B.16)."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, model_validator

from service import inputs
from service.pagination import Envelope, PageQuery
from service.text import ObjectId

Reason = Annotated[inputs.Sentences, Field(max_length=2000)]


class ExpenseQuery(PageQuery):
    """GET /expenses: the published parameters, and filters of ours."""

    accountref: inputs.Line | None = Field(
        None, max_length=40, description="One wallet; all of the business when missing."
    )
    from_: inputs.Day | None = Field(
        None, alias="from", description="First day, inclusive, in the business's time zone."
    )
    to: inputs.Day | None = Field(None, description="Last day, inclusive.")
    status: inputs.Line | None = Field(None, max_length=20, description="One state, such as PENDING.")
    tag: inputs.Line | None = Field(None, max_length=40, pattern=r"^[^\x00]*$", description="One tag.")


class CategoryRef(Schema):
    """The category that a subcategory belongs to."""

    id: str = Field(alias="_id")
    groupid: str
    name: str


class SubcategoryRef(Schema):
    """What an expense is filed as, with its category."""

    id: str = Field(alias="_id")
    code: str
    name: str
    category: CategoryRef


class TeamRef(Schema):
    """The team of whoever spent it."""

    id: str = Field(alias="_id")
    name: str
    code: str


class JudgedAnewOut(Schema):
    """A policy that judged an expense anew while it waited for review: by which version, and when."""

    policy_id: str
    version: int
    at: datetime


class ReceiptOut(Schema):
    """A receipt's file; `url` is relative to the service."""

    id: str = Field(alias="_id")
    file_name: str
    mime: str
    size: int
    url: str


class ExpensePart(Schema):
    """A part of an expense whose transaction is split: the parts come to its amount, without its fees."""

    subcategory_id: str
    name: str
    category_name: str
    amount_minor: int


class ExpenseOut(Schema):
    """An expense. Amounts are numbers with at most the currency's decimals; `amount_minor` is the same as an integer."""

    id: str = Field(alias="_id", examples=["0192f0c0ffee000012345678"])
    status: Literal["PENDING", "APPROVED", "REJECTED", "DETAILS_REQUESTED", "REFUNDED", "DELETED"]
    type: str
    amount: Decimal = Field(examples=[1250.5])
    amount_minor: int = Field(examples=[125050])
    fees: Decimal
    charge: Decimal
    currency: str = Field(examples=["KES"])
    original_amount: Decimal | None
    original_currency: str | None
    fx_rate: Decimal | None
    org_wallet_ref: str
    transaction_ref: str
    provider_ref: str
    transaction_date: datetime
    employee_id: str
    person: str
    team: TeamRef | None
    subcategory: SubcategoryRef | None
    parts: list[ExpensePart]
    MerchantCategoryCode: str
    MerchantIdentifier: str
    card_vcn: str
    receiver: str
    accno: str
    payment_type: str
    channel: str
    description: str
    tag: list[str]
    notes: str
    risk: int
    risk_notes: str
    policy_flags: list[str]
    judged_anew: list[JudgedAnewOut]
    receipt_required: bool
    receipts: list[ReceiptOut]
    reviewed_by: str | None
    reviewed_at: datetime | None
    review_reason: str
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class PaginatedExpenseResponseDto(Envelope):
    """A page of expenses, under the name that the interface publishes."""

    docs: list[ExpenseOut]


class Body(Schema):
    """A body takes its own fields and no others."""

    model_config = ConfigDict(extra="forbid")


class ApproveBody(Body):
    """Why an expense is approved, where there is something to say."""

    reason: Reason | None = None


class ReasonBody(Body):
    """What the person will read."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"reason": "The receipt is missing."}]})

    reason: Reason


class BulkApproveBody(Body):
    """The expenses to approve, at most 500, and why."""

    ids: list[ObjectId] = Field(min_length=1, max_length=500)
    reason: Reason | None = None


class BulkRejectBody(Body):
    """The expenses to reject, at most 500, and why."""

    ids: list[ObjectId] = Field(min_length=1, max_length=500)
    reason: Reason


class BulkRow(Schema):
    """What became of one: `code` and `detail` are a refusal's where `ok` is false."""

    id: str
    ok: bool
    code: str
    detail: str
    expense: ExpenseOut | None


class BulkOut(Schema):
    """What became of each expense of several; those that were refused do not hold up the others."""

    results: list[BulkRow]


class NotesBody(Body):
    """The notes of an expense, in place of those that it has."""

    notes: inputs.Lines = Field(max_length=2000)


class SubcategoryBody(Body):
    """What an expense is filed as; with `seen_subcategory_id` only where it still is what the caller saw."""

    subcategory_id: ObjectId
    seen_subcategory_id: inputs.Line | None = Field(None, max_length=24)


class ExportBody(Body):
    """Which receipts to export: at most 366 days."""

    model_config = ConfigDict(
        extra="forbid",
        populate_by_name=True,
        json_schema_extra={"examples": [{"from": "2026-01-01", "to": "2026-01-31", "format": "ZIP"}]},
    )

    from_: inputs.Day = Field(alias="from")
    to: inputs.Day
    accountref: inputs.Line | None = Field(None, max_length=40)
    team_ids: list[ObjectId] | None = Field(None, max_length=200)
    employee_ids: list[ObjectId] | None = Field(None, max_length=1000)
    subcategory_ids: list[ObjectId] | None = Field(None, max_length=500)
    statuses: list[Literal["PENDING", "APPROVED", "REJECTED", "DETAILS_REQUESTED", "REFUNDED"]] | None = None
    format: Literal["ZIP", "PDF"] = "ZIP"
    include_manifest: bool = True

    @model_validator(mode="after")
    def a_year_at_most(self) -> "ExportBody":
        """Refuses a range that is the wrong way round or too long."""
        if self.to < self.from_:
            raise ValueError("`from` lies after `to`.")
        if (self.to - self.from_).days > 365:
            raise ValueError("A range has at most 366 days.")
        return self


class ExportStarted(Schema):
    """The job that puts the receipts together, and its state."""

    jobId: str  # noqa: N815  the published spelling
    status: str


class ExportOut(ExportStarted):
    """How far an export is; `download_url` is signed and lives for 15 minutes."""

    progress: int
    total: int
    processed: int
    missing: int
    file_size: int
    download_url: str | None
    expires_at: datetime | None
    error: str | None
