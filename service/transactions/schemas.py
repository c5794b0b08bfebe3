"""Transactions on the wire (decisions B.17, B.20)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints, model_validator

from service import inputs
from service.expenses.schemas import ExpenseOut
from service.pagination import Envelope, PageQuery
from service.text import CurrencyCode, ObjectId, Reason, Text, WalletRef, Words

TypeName = Literal["EXPENSE", "TOPUP", "IFT", "REFUND"]
StatusName = Literal["PENDING", "APPROVED", "REJECTED", "POSTED", "REVERSED"]
Reference = Annotated[inputs.Line, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ./:_\-]{0,79}$")]


class TransactionQuery(PageQuery):
    """GET /transactions: every filter narrows the list."""

    type: TypeName | None = None
    status: StatusName | None = None
    direction: Literal["IN", "OUT"] | None = None
    currency: CurrencyCode | None = None
    accountref: WalletRef | None = Field(None, description="One wallet; all of the business when missing.")
    from_: inputs.Day | None = Field(
        None, alias="from", description="First day, inclusive, in the business's time zone."
    )
    to: inputs.Day | None = Field(None, description="Last day, inclusive.")


class RecentQuery(Schema):
    """How many of the latest transactions are asked for."""

    limit: inputs.Whole = Field(10, ge=1, le=50)


class PeriodQuery(Schema):
    """Inclusive days of the ledger; without them the current month and the two before it."""

    from_: inputs.Day | None = Field(None, alias="from")
    to: inputs.Day | None = None


class MovementQuery(PeriodQuery):
    """Over which days money in and out is added up; with `convert_to` in that currency as well."""

    convert_to: CurrencyCode | None = Field(None, description="Adds each currency's figures in this one.")


class NewTransaction(Schema):
    """A movement that happened outside, to be approved. An IFT names the other wallet, any other type a counterparty."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"type": "TOPUP", "org_wallet_ref": "1", "amount": 2500, "counterparty": "Acme Ltd"}]
        },
    )

    type: TypeName
    org_wallet_ref: WalletRef
    to_org_wallet_ref: WalletRef | None = None
    amount: inputs.Number = Field(gt=0, max_digits=18)
    currency: CurrencyCode | None = Field(None, description="Checked against the wallet's where it is given.")
    counterparty: Words | None = None
    ref: Reference | None = None
    description: Text = ""
    channel: Literal["BANK", "MPESA"] = "BANK"
    subcategory_id: ObjectId | None = None
    employee_id: ObjectId | None = None
    value_date: inputs.Day | None = Field(None, description="Posted on that day; today when missing.")

    @model_validator(mode="after")
    def other_side(self) -> "NewTransaction":
        """Exactly one kind of other side."""
        if (self.type == "IFT") != (self.to_org_wallet_ref is not None):
            raise ValueError("to_org_wallet_ref belongs to an IFT, and to nothing else.")
        if self.type != "IFT" and self.counterparty is None:
            raise ValueError("Name the counterparty.")
        return self


class Rejection(Schema):
    """Why a transaction that was written by hand is rejected."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason


class Tagging(Schema):
    """What a transaction is filed as; with `seen_subcategory_id` only where it still is what the caller saw."""

    model_config = ConfigDict(extra="forbid")

    subcategory_id: ObjectId
    seen_subcategory_id: inputs.Line | None = Field(None, max_length=24)


class DocumentRef(Schema):
    """The uploaded document that is attached."""

    model_config = ConfigDict(extra="forbid")

    document_id: ObjectId


class TransactionSubcategory(Schema):
    """What a transaction is filed as."""

    id: str = Field(alias="_id")
    code: str
    name: str


class PartOut(Schema):
    """A part of a split transaction; `amount_minor` is `amount` as an integer."""

    subcategory: TransactionSubcategory
    amount: Decimal
    amount_minor: int
    description: str


class DocumentOut(Schema):
    """A supporting document; `url` is relative to the service."""

    id: str = Field(alias="_id")
    file_name: str
    kind: Literal["PDF", "XLS", "XLSX", "DOCX", "CSV", "PNG", "JPEG"]
    mime: str
    size: int
    sha256: str
    url: str
    uploaded_by: str
    createdAt: datetime  # noqa: N815  the published spelling


class AttachedOut(DocumentOut):
    """The document as it is kept; `expense` the expense that it proves, as it is now, null for any other movement."""

    expense: ExpenseOut | None


class TransactionOut(Schema):
    """A movement on a wallet. `amount_minor` is `amount` as an integer; fees come on top of it."""

    id: str = Field(alias="_id")
    type: TypeName
    status: StatusName
    org_wallet_ref: str
    to_org_wallet_ref: str | None
    amount: Decimal
    amount_minor: int
    fees: Decimal
    fees_minor: int
    currency: str
    direction: Literal["IN", "OUT"]
    counterparty: str
    ref: str
    channel: str
    description: str
    subcategory: TransactionSubcategory | None
    parts: list[PartOut]
    documents: list[DocumentOut]
    expense_id: str | None
    employee_id: str | None
    team_id: str | None
    ledger_transaction_id: int | None
    effective_on: date | None
    value_date: date | None
    transaction_date: datetime
    created_by: str | None
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    failure_code: str | None
    version: int
    createdAt: datetime  # noqa: N815
    updatedAt: datetime  # noqa: N815


class TransactionPage(Envelope):
    """A page of the transactions."""

    docs: list[TransactionOut]


class TransactionList(Schema):
    """The latest transactions, at most as many as were asked for."""

    docs: list[TransactionOut]
    total: int


class MovementPeriod(Schema):
    """The days that a report of movements is over, both included."""

    from_: date = Field(alias="from")
    to: date


class MovementByType(Schema):
    """FEE is all that was paid in fees, less what was given back: the sum of GET /transactions/fees. IFT is what left
    wallets for others of the business, its people or its funds, on neither side."""

    EXPENSE: Decimal
    TOPUP: Decimal
    IFT: Decimal
    REFUND: Decimal
    FEE: Decimal


class TopSource(Schema):
    """Who paid most in, and which share of all money in that was."""

    name: str
    amount: Decimal
    count: int
    share: Decimal = Field(description="Of all money that came in, 0 to 1.")


class TopSpend(Schema):
    """What was spent under a subcategory; with a vendor where nothing was filed."""

    name: str
    subcategory_id: str | None
    vendor: str | None
    amount: Decimal
    count: int
    share: Decimal = Field(description="Of all that was spent before refunds, 0 to 1.")


class MonthOfMovement(Schema):
    """Money in, money out, and their difference in one month."""

    month: str = Field(examples=["2026-03"])
    money_in: Decimal
    money_out: Decimal
    net: Decimal


class MovementConverted(Schema):
    """The figures in another currency, at the mid rate of a day."""

    currency: str
    rate: Decimal
    rate_date: date
    money_in: Decimal
    money_out: Decimal
    net: Decimal


class Movement(Schema):
    """Money in and out of all wallets of a currency: top-ups, and expenses with fees less refunds; net = in - out.

    What moves between wallets of the business, its people and its funds is on neither side. `exchange_spread` is what
    exchanges into this currency cost against the mid rate; it is within their rate, and neither a fee nor money out.
    """

    currency: str
    period: MovementPeriod
    money_in: Decimal
    money_out: Decimal
    net: Decimal
    by_type: MovementByType
    top_sources: list[TopSource]
    top_spends: list[TopSpend]
    trend: list[MonthOfMovement]
    exchange_spread: Decimal
    converted: MovementConverted | None = None


class MovementList(Schema):
    """Money in and out, a report per currency."""

    docs: list[Movement]
    total: int


class FeeOut(Schema):
    """The fees of one type, channel and currency: their sum and how many there were."""

    type: TypeName
    channel: str
    currency: str
    amount: Decimal
    count: int


class FeeList(Schema):
    """What was paid in fees, by type, channel and currency."""

    docs: list[FeeOut]
    total: int
