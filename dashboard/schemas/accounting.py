"""Accounting periods and the books of a month: trial balance, the entries of an account, one posting; lines of banks."""

from datetime import date, datetime

from pydantic import Field

from dashboard.schemas.base import Currency, Id, RequestSchema, ResponseSchema, Text


class UnmatchedOfWallet(ResponseSchema):
    """How many bank lines of a wallet are unmatched in a month."""

    org_wallet_ref: Text = ""
    count: int = 0


class AccountingPeriod(ResponseSchema):
    """A month. `changed_by` closed or reopened it last, "" where nobody ever did."""

    period: str
    first: date = Field(alias="from")
    last: date = Field(alias="to")
    status: Text = ""
    changed_by: Text = ""
    changed_at: datetime | None = None
    reason: Text = ""
    undecided_expenses: int = 0
    unmatched_lines: int = 0
    unmatched_by_wallet: list[UnmatchedOfWallet] = []


class PeriodWallet(ResponseSchema):
    """A wallet in a month: how many entries no bank line belongs to; the last statement of the month, of two the one
    that is not proven, "" where there is none, and whether these are proven."""

    org_wallet_ref: Text = ""
    unmatched_entries: int = 0
    statement_id: Text = ""
    proven: bool = False


class TrialAccount(ResponseSchema):
    """An account in a month: closing = opening + credit - debit. A credit is what its holder gained."""

    account_id: int
    kind: Text = ""
    name: Text = ""
    holder_type: Text = ""
    holder_id: Text = ""
    currency: Currency
    opening_minor: int
    debit_minor: int
    credit_minor: int
    closing_minor: int


class TrialBalance(ResponseSchema):
    """Every account that ever moved until the month's end, by currency."""

    period: str
    first: date = Field(alias="from")
    last: date = Field(alias="to")
    accounts: list[TrialAccount] = []


class AccountEntry(ResponseSchema):
    """An entry of an account; below zero where it lowers what the holder has."""

    ledger_transaction_id: int
    effective_on: date
    posted_at: datetime
    type: Text = ""
    ref: Text = ""
    description: Text = ""
    amount_minor: int
    balance_minor: int


class AccountLedger(ResponseSchema):
    """An account in a month with the month's state, and a page of its entries, the oldest first: `before` is how many stand before
    them, `next_after` where the next ones go on, "" at the end."""

    status: Text = ""
    account: TrialAccount
    docs: list[AccountEntry] = []
    total: int = 0
    before: int = 0
    next_after: Text = ""


class PostingEntry(ResponseSchema):
    """One entry of a posting: the ledger account that it is on, and the amount in minor units; `balance_minor` is what the account
    had after it, None where it keeps none, `org_wallet_ref` "" for an account that is no wallet of the business."""

    account_id: int
    kind: Text = ""
    name: Text = ""
    currency: Currency
    amount_minor: int
    note: Text = ""
    org_wallet_ref: Text = ""
    balance_minor: int | None = None


class PostingSpread(ResponseSchema):
    """What an exchange cost against the mid rate, in minor units: a posting of its own."""

    ledger_transaction_id: int
    currency: Currency
    amount_minor: int


class PostingTransaction(ResponseSchema):
    """A transaction of the business that a posting belongs to."""

    id: Id
    type: Text = ""
    expense_id: Text = ""


class Posting(ResponseSchema):
    """A posting of the ledger with its entries; `reverses` is the id of the posting that it takes back, None for any
    other."""

    ledger_transaction_id: int
    ref: Text = ""
    type: Text = ""
    description: Text = ""
    effective_on: date
    posted_at: datetime
    reverses: int | None = None
    entries: list[PostingEntry] = []
    spread: PostingSpread | None = None
    transactions: list[PostingTransaction] = []


class LateTransaction(ResponseSchema):
    """A transaction whose own day lies before the month that it was posted in."""

    id: Id
    type: Text = ""
    counterparty: Text = ""
    ref: Text = ""
    occurred_at: datetime
    effective_on: date | None = None
    direction: Text = ""
    currency: Currency
    amount_minor: int


class CloseBody(RequestSchema):
    """Whether the month is closed although expenses of it are undecided, or bank lines unmatched."""

    accept_open_items: bool


class ReopenBody(RequestSchema):
    """Why the month is opened again."""

    reason: str
