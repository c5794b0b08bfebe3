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


class TrialAccount(Schema):
    """An account: closing = opening + credit - debit. A credit is what its holder gained."""

    account_id: int
    kind: str
    name: str
    accno: str | None
    holder_type: str | None
    holder_id: str | None
    currency: str
    opening: Decimal
    debit: Decimal
    credit: Decimal
    closing: Decimal
    opening_minor: int
    debit_minor: int
    credit_minor: int
    closing_minor: int


class TrialTotal(Schema):
    """All accounts of a currency: debit equals credit, and closing is nothing."""

    currency: str
    opening: Decimal
    debit: Decimal
    credit: Decimal
    closing: Decimal


class TrialBalance(Schema):
    """What each account was debited and credited within a period, with the totals."""

    period: str
    from_: date = Field(alias="from")
    to: date
    accounts: list[TrialAccount]
    totals: list[TrialTotal]


class LedgerQuery(Schema):
    """In which order the entries of a period come, and whether with what they are filed under."""

    order: Literal["account", "posting"] = Field("account", description="By account and day, or by day and posting.")
    codes: bool = Field(
        False,
        description="Also `subcategory_id`, `team_id`, `parts` (subcategory:minor units:team:account:tags, joined by commas) "
        "and `taxes` (tax:minor units, joined by commas) of each entry.",
    )


class EntriesQuery(Schema):
    """Which of an account's entries."""

    after: str = Field(
        "", max_length=40, pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2}\.[0-9]{1,18})?$",
        description="`next_after` of the page before; empty from the first entry.",
    )  # fmt: skip
    limit: inputs.Whole = Field(100, ge=1, le=1000, description="Rows on a page.")


class AccountEntry(Schema):
    """An entry; below zero where it lowers what the account's holder has."""

    ledger_transaction_id: int
    effective_on: date
    posted_at: datetime
    type: str
    ref: str
    description: str
    amount: Decimal
    amount_minor: int
    balance: Decimal
    balance_minor: int


class AccountLedger(Schema):
    """An account in a month, and a page of its entries."""

    period: str
    account: TrialAccount
    docs: list[AccountEntry]
    total: int
    limit: int
    before: int
    next_after: str | None = Field(description="The place behind which the next entries are; null at the end.")


class PostingEntry(Schema):
    """One entry of a posting: an account, debited or credited."""

    account_id: int
    kind: str
    name: str
    currency: str
    amount: Decimal
    amount_minor: int
    note: str
    org_wallet_ref: str | None
    balance: Decimal | None
    balance_minor: int | None


class PostingSpread(Schema):
    """What an exchange cost against the mid rate: a posting of its own."""

    ledger_transaction_id: int
    currency: str
    amount: Decimal
    amount_minor: int


class PostingSum(Schema):
    """What the entries of a posting come to in a currency: nothing."""

    currency: str
    amount: Decimal
    amount_minor: int


class PostingTransaction(Schema):
    """A transaction of the business that a posting belongs to."""

    id: str = Field(alias="_id")
    type: str
    org_wallet_ref: str
    expense_id: str | None


class Posting(Schema):
    """A posting of the ledger with all of its entries."""

    ledger_transaction_id: int
    ref: str
    type: str
    description: str
    effective_on: date
    posted_at: datetime
    reverses: int | None
    entries: list[PostingEntry]
    sums: list[PostingSum]
    spread: PostingSpread | None
    transactions: list[PostingTransaction]


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
