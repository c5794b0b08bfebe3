"""Expenses as the service tells them (decisions B.15), and the bodies that decide on them."""

from datetime import datetime
from typing import Any, NotRequired, TypedDict

from pydantic import Field, model_validator

from dashboard.money import Money
from dashboard.schemas.base import Amount, Currency, Id, RequestSchema, ResponseSchema, Text, money_of


class CategoryRef(ResponseSchema):
    """The category a subcategory belongs to."""

    id: Text = Field("", alias="_id")
    name: Text = ""


class SubcategoryRef(ResponseSchema):
    """The subcategory an expense is filed under."""

    id: Text = Field("", alias="_id")
    code: Text = ""
    name: Text = ""
    category: CategoryRef | None = None


class TeamRef(ResponseSchema):
    """The team an expense belongs to, as stored on the expense."""

    id: Text = Field("", alias="_id")
    name: Text = ""
    code: Text = ""


class Receipt(ResponseSchema):
    """A receipt of an expense: its file by id, name, media type and size in bytes."""

    id: Text = Field("", alias="_id")
    file_name: Text = ""
    mime: Text = ""
    size: int = 0
    url: Text = ""


class Expense(ResponseSchema):
    """One expense. `status` is PENDING, APPROVED, REJECTED, DETAILS_REQUESTED, REFUNDED, or a word we do not know."""

    id: Id
    status: Text = ""
    amount: Amount
    amount_minor: int | None = None
    currency: Currency
    employee_id: Text = ""
    person: Text = ""
    team: TeamRef | None = None
    subcategory: SubcategoryRef | None = None
    org_wallet_ref: Text = ""
    transaction_ref: Text = ""
    transaction_date: datetime
    receiver: Text = ""
    notes: Text = ""
    receipts: list[Receipt] = []
    receipt_required: bool = False
    reviewed_by: Text = ""
    reviewed_at: datetime | None = None
    review_reason: Text = ""
    version: int | None = None
    updated_at: datetime | None = Field(None, alias="updatedAt")

    @model_validator(mode="after")
    def amounts_agree(self) -> "Expense":
        """Refuses an expense whose two amounts differ: no money is better than wrong money."""
        money_of(self.amount, self.amount_minor, self.currency)
        return self

    @property
    def money(self) -> Money:
        """What the expense cost, in minor units with its currency."""
        return money_of(self.amount, self.amount_minor, self.currency)


class ReviewBody(RequestSchema):
    """Approve one: the reason is optional."""

    reason: str | None = None


class ReasonBody(RequestSchema):
    """Reject one, or ask for details: the reason is what the person will read."""

    reason: str = Field(min_length=1, max_length=2000)


class BulkReviewBody(RequestSchema):
    """Approve or reject several, one reason for all."""

    ids: list[str] = Field(min_length=1, max_length=500)
    reason: str | None = None


class BulkRow(ResponseSchema):
    """What became of one of several expenses or card orders: `code` is an error's where `ok` is false."""

    id: Id
    ok: bool
    code: Text = ""
    detail: Text = ""
    expense: dict[str, Any] | None = None
    order: dict[str, Any] | None = None


class BulkReview(ResponseSchema):
    """What became of several, row by row."""

    results: list[BulkRow]


class NotesBody(RequestSchema):
    """The body that writes the notes of an expense anew: all of them, at most 2000 characters."""

    notes: str = Field(max_length=2000)


class SubcategoryBody(RequestSchema):
    """Another subcategory, and the one that was seen ("" for none): another by now is not overwritten."""

    subcategory_id: str
    seen_subcategory_id: str | None = None


class ReceiptsExportBody(RequestSchema):
    """Which receipts to export (decisions B.16)."""

    from_: str = Field(alias="from")
    to: str
    accountref: str | None = None
    team_ids: list[str] | None = None
    employee_ids: list[str] | None = None
    subcategory_ids: list[str] | None = None
    statuses: list[str] | None = None
    format: str = "ZIP"
    include_manifest: bool = True


class ReceiptsExport(ResponseSchema):
    """An export on its way: `progress` 0 to 100."""

    id: Text = Field("", alias="jobId")
    status: Text = ""
    progress: int = 0
    total: int = 0
    processed: int = 0
    missing: int = 0
    file_size: int = 0
    download_url: Text = ""
    error: Text = ""


# The body of START_RECEIPTS_EXPORT: the days as YYYY-MM-DD, `format` ZIP or PDF; teams and states where one is chosen.
ReceiptsExportTerms = TypedDict(
    "ReceiptsExportTerms",
    {
        "from": str,
        "to": str,
        "format": str,
        "team_ids": NotRequired[list[str]],
        "statuses": NotRequired[list[str]],
    },
)
