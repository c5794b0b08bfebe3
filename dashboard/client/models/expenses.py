"""Expenses as the service tells them (decisions B.15), and the bodies that decide on them."""

from datetime import datetime
from typing import Any

from pydantic import Field, model_validator

from dashboard.client.models.base import Amount, Answered, Currency, Id, Sent, Text, money_of
from dashboard.client.money import Money


class CategoryRef(Answered):
    """The category a subcategory belongs to."""

    id: Text = Field("", alias="_id")
    name: Text = ""


class SubcategoryRef(Answered):
    """The subcategory an expense is filed under."""

    id: Text = Field("", alias="_id")
    code: Text = ""
    name: Text = ""
    category: CategoryRef | None = None


class TeamRef(Answered):
    """The team an expense belongs to, as stored on the expense."""

    id: Text = Field("", alias="_id")
    name: Text = ""
    code: Text = ""


class Receipt(Answered):
    """A receipt's file."""

    id: Text = Field("", alias="_id")
    file_name: Text = ""
    mime: Text = ""
    size: int = 0
    url: Text = ""


class Expense(Answered):
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
        """What it cost."""
        return money_of(self.amount, self.amount_minor, self.currency)


class ReviewBody(Sent):
    """Approve one: the reason is optional."""

    reason: str | None = None


class ReasonBody(Sent):
    """Reject one, or ask for details: the reason is what the person will read."""

    reason: str = Field(min_length=1, max_length=2000)


class BulkReviewBody(Sent):
    """Approve or reject several, one reason for all."""

    ids: list[str] = Field(min_length=1, max_length=500)
    reason: str | None = None


class BulkRow(Answered):
    """What became of one of several expenses or card orders: `code` is an error's where `ok` is false."""

    id: Id
    ok: bool
    code: Text = ""
    detail: Text = ""
    expense: dict[str, Any] | None = None
    order: dict[str, Any] | None = None


class BulkReview(Answered):
    """What became of several, row by row."""

    results: list[BulkRow]


class NotesBody(Sent):
    """New notes."""

    notes: str = Field(max_length=2000)


class SubcategoryBody(Sent):
    """Another subcategory."""

    subcategory_id: str


class ReceiptsExportBody(Sent):
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


class ReceiptsExport(Answered):
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
