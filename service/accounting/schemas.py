"""Periods, books and bank lines on the wire."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.pagination import Envelope, PageQuery
from service.text import Reason, WalletRef


class CloseBody(Schema):
    """Whether a month is closed although expenses of it are undecided or bank lines unmatched."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"accept_open_items": True}]})

    accept_open_items: bool = False


class ReopenBody(Schema):
    """Why the month that was closed last is opened again."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"reason": "A late invoice"}]})

    reason: Reason


class MatchBody(Schema):
    """The posting that one line of a bank statement is matched with."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"ledger_transaction_id": 1}]})

    ledger_transaction_id: inputs.Whole = Field(ge=1, le=inputs.LARGEST)


class LineQuery(PageQuery):
    """Filters of the lines of bank statements: state, wallet, statement, days and text."""

    status: Literal["UNMATCHED", "MATCHED"] | None = None
    accountref: WalletRef | None = None
    statement_id: inputs.Line | None = Field(None, max_length=24)
    from_: inputs.Day | None = Field(None, alias="from", description="First day of the lines.")
    to: inputs.Day | None = None
    search: inputs.Line | None = Field(None, max_length=100, description="Part of the description or the reference.")
    amount_minor: inputs.Whole | None = Field(None, ge=0, le=inputs.LARGEST, description="In or out.")


class BankStatementQuery(PageQuery):
    """Filters of the bank statements: a wallet, and the days that they reach into."""

    accountref: WalletRef | None = None
    from_: inputs.Day | None = Field(None, alias="from", description="Those that end on this day or later.")
    to: inputs.Day | None = Field(None, description="Those that begin on this day or before.")


class EntryQuery(Schema):
    """Newest first; `before_seq` of the last row goes on from there."""

    accountref: WalletRef = "1"
    from_: inputs.Day | None = Field(None, alias="from", description="First day, by the ledger's days.")
    to: inputs.Day | None = None
    since_first_statement: bool = Field(False, description="None of a day before the wallet's first bank statement.")
    search: inputs.Line | None = Field(None, max_length=100, description="Part of the description, reference or type.")
    amount_minor: inputs.Whole | None = Field(None, ge=0, le=inputs.LARGEST, description="In or out.")
    before_seq: inputs.Whole | None = Field(None, ge=1, le=inputs.LARGEST)
    limit: inputs.Whole = Field(50, ge=1, le=1000)


class UnmatchedOfWallet(Schema):
    """How many lines of a wallet's bank are unmatched."""

    org_wallet_ref: str
    count: int


class AccountingPeriodOut(Schema):
    """A month. What is open in it is counted where one is read, or closed."""

    period: str = Field(examples=["2026-03"])
    from_: date = Field(alias="from")
    to: date
    status: Literal["OPEN", "CLOSED"]
    changed_by: str | None
    changed_at: datetime | None
    reason: str | None
    version: int
    undecided_expenses: int | None = None
    unmatched_lines: int | None = None
    unmatched_by_wallet: list[UnmatchedOfWallet] | None = None


class PeriodWallet(Schema):
    """A wallet in a month: what of it no bank line belongs to, and the statement that proves the month, or does not."""

    org_wallet_ref: str
    unmatched_entries: int
    statement_id: str | None
    proven: bool


class PeriodWalletList(Schema):
    """The wallets that a bank statement was imported for up to the end of a month."""

    docs: list[PeriodWallet]
    total: int


class AccountingPeriodList(Schema):
    """All months of the books, the closed ones among them."""

    docs: list[AccountingPeriodOut]
    total: int


class LateTransaction(Schema):
    """A transaction whose own day lies before the month that it was posted in."""

    id: str = Field(alias="_id")
    type: str
    counterparty: str
    ref: str
    occurred_at: datetime
    effective_on: date | None
    direction: str
    currency: str
    amount: Decimal
    amount_minor: int
    ledger_transaction_id: int | None


class LateTransactionPage(Envelope):
    """A page of transactions whose own day lies before the month that they were posted in."""

    docs: list[LateTransaction]


class BankStatementOut(Schema):
    """A bank's statement and how much of it is matched."""

    id: str = Field(alias="_id")
    org_wallet_ref: str
    file_name: str
    source_format: Literal["CSV", "CAMT053", "MT940", "OFX"]
    account: str
    currency: str
    opening: Decimal | None
    opening_minor: int | None
    closing: Decimal | None
    closing_minor: int | None
    from_: date = Field(alias="from")
    to: date
    line_count: int
    matched: int
    unmatched: int
    skipped: int
    imported_by: str
    createdAt: datetime  # noqa: N815  the published spelling


class BankStatementPage(Envelope):
    """A page of the bank statements that were imported."""

    docs: list[BankStatementOut]


class BankLineOut(Schema):
    """A line of a bank's statement; `rule` says how it found its entry."""

    id: str = Field(alias="_id")
    statement_id: str
    number: int
    org_wallet_ref: str
    day: date
    amount: Decimal
    amount_minor: int
    currency: str
    description: str
    reference: str
    status: Literal["UNMATCHED", "MATCHED"]
    match_id: str | None
    rule: Literal["REFERENCE", "DAY", "RULE", "SUM", "FEE", "BY_HAND"] | None
    reason: str | None
    ledger_transaction_id: int | None
    matched_by: str | None
    matched_at: datetime | None
    version: int


class BankLinePage(Envelope):
    """A page of the lines of bank statements."""

    docs: list[BankLineOut]


class UnmatchedEntry(Schema):
    """An entry of a wallet that no bank line belongs to."""

    seq: int
    ledger_transaction_id: int
    effective_on: date
    amount: Decimal
    amount_minor: int
    currency: str
    type: str
    ref: str
    description: str


class UnmatchedEntryList(Schema):
    """Entries of a wallet that no bank line is matched with; `next_before_seq` reads on, null at the end."""

    docs: list[UnmatchedEntry]
    next_before_seq: int | None
