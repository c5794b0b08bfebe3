"""The books as they are published: the trial balance, an account's entries, and a posting with what made it."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from ninja import Schema
from pydantic import Field

from service import inputs


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
    """An account in a month, with the month's state, and a page of its entries."""

    period: str
    from_: date = Field(alias="from")
    to: date
    status: Literal["OPEN", "CLOSED"]
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
