"""Wallets on the wire (decisions B.10)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from django.utils import timezone
from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints, model_validator

from service import money
from service.accounts.models import Currency, Wallet
from service.ledger.balances import Balance
from service.ledger.statements import Line, Statement
from service.pagination import Envelope
from service.text import Words

CurrencyCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$"), Field(examples=["KES"])]
# Business wallets only: employee and card wallets are made with their holders.
WalletType = Annotated[
    str,
    StringConstraints(pattern=r"^(MAIN|INVESTMENT|BANK_LINKED|SUB:[a-z0-9][a-z0-9_\-]{0,31})$"),
    Field(examples=["SUB:payroll"]),
]


class Balances(Schema):
    """Numbers in the currency's units, and the same in minor units. available = posted - pending_out."""

    posted: Decimal
    pending_in: Decimal
    pending_out: Decimal
    available: Decimal
    posted_minor: int
    pending_in_minor: int
    pending_out_minor: int
    available_minor: int


class WalletOut(Schema):
    """A wallet; its balances are null for who may see the wallet but not what it has."""

    id: str = Field(alias="_id")
    org_wallet_ref: str
    currency: str
    walletType: str  # noqa: N815  the published spelling
    name: str
    accno: str
    status: str
    balances: Balances | None
    as_of: datetime
    ledger_account_id: int
    version: int
    createdAt: datetime  # noqa: N815
    updatedAt: datetime  # noqa: N815


class WalletPage(Envelope):
    docs: list[WalletOut]


class MonthOfCash(Schema):
    """One month of one currency: closing = opening + in - out + transfers, and the next month opens with it.

    In and out are those of GET /transactions/money-movement; transfers are what the wallets gained otherwise (below zero:
    gave) from own wallets, employees, funds and exchange.
    """

    month: str = Field(examples=["2026-03"])
    opening: Decimal
    money_in: Decimal
    money_out: Decimal
    transfers: Decimal
    closing: Decimal


class Cashflow(Schema):
    """The months of a currency, over all wallets of the business or one."""

    currency: str
    opening: Decimal
    money_in: Decimal
    money_out: Decimal
    transfers: Decimal
    closing: Decimal
    months: list[MonthOfCash]


class CashflowList(Schema):
    docs: list[Cashflow]
    total: int
    from_: date = Field(alias="from")
    to: date


class BalanceOut(Schema):
    """What a wallet has now."""

    account_id: str
    org_wallet_ref: str
    currency: str
    balances: Balances
    as_of: datetime


class StatementEntry(Schema):
    """One entry of a wallet's statement: credit or debit, and the balance after it, by effective day."""

    id: str = Field(alias="_id")
    currency: str
    org_wallet_ref: str
    account: str
    credit: Decimal
    debit: Decimal
    amount_minor: int
    counter: int
    description: str
    ref: str
    transaction_type: str
    running_balance: Decimal
    running_balance_minor: int
    effective_on: date
    posted_at: datetime
    ledger_transaction_id: int
    createdAt: datetime  # noqa: N815


class StatementPage(Envelope):
    """Entries by effective day, the newest first, ties by the order of posting. opening + all entries = closing."""

    docs: list[StatementEntry]
    opening: Decimal
    opening_minor: int
    closing: Decimal
    closing_minor: int


class CurrencyOut(Schema):
    """A currency of the business."""

    id: str = Field(alias="_id")
    code: str
    exponent: int
    createdAt: datetime  # noqa: N815


class CurrencyList(Schema):
    docs: list[CurrencyOut]
    total: int


class NewCurrency(Schema):
    """A currency to add."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"currency": "USD"}]})

    currency: CurrencyCode


class NewAccount(Schema):
    """A wallet to open."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"currency": "KES", "walletType": "SUB:payroll", "name": "Payroll"}]},
    )

    currency: CurrencyCode
    walletType: WalletType = "MAIN"  # noqa: N815
    name: Words | None = None


class AccountChange(Schema):
    """What can be changed of a wallet: its name, and that it is over."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Operations"}]})

    name: Words | None = None
    status: Literal["CLOSED"] | None = None

    @model_validator(mode="after")
    def changes_a_field(self) -> "AccountChange":
        """At least one of them."""
        if self.name is None and self.status is None:
            raise ValueError("Name what to change.")
        return self


def balances(found: Balance, currency: str) -> dict[str, Any]:
    """A balance in both spellings."""
    minor = {
        "posted": found.posted,
        "pending_in": found.pending_in,
        "pending_out": found.pending_out,
        "available": found.available,
    }
    numbers = {name: money.to_number(value, currency) for name, value in minor.items()}
    return {**numbers, **{f"{name}_minor": value for name, value in minor.items()}}


def wallet(row: Wallet) -> dict[str, Any]:
    """A wallet as the interface shows it; the ledger account and its balance should be joined."""
    hot = row.ledger_account.balance
    return {
        "_id": row.id,
        "org_wallet_ref": row.org_wallet_ref,
        "currency": row.currency,
        "walletType": row.wallet_type,
        "name": row.name,
        "accno": row.accno,
        "status": row.status,
        "balances": balances(Balance(hot.posted, hot.pending_in, hot.pending_out), row.currency),
        "as_of": timezone.now(),
        "ledger_account_id": row.ledger_account_id,
        # A change of what it has is a change of the wallet.
        "version": row.version + hot.seq + hot.holds,
        "createdAt": row.created_at,
        "updatedAt": max(row.updated_at, hot.changed_at),
    }


def balance(row: Wallet) -> dict[str, Any]:
    """The balance alone."""
    shown = wallet(row)
    return {
        "account_id": row.id,
        **{name: shown[name] for name in ("org_wallet_ref", "currency", "balances", "as_of")},
    }


def statement(found: Statement, of: Wallet, *, page: int, limit: int) -> dict[str, Any]:
    """A page of a wallet's statement with its envelope, as StatementPage says."""
    pages = max(1, -(-found.total // limit))
    more = page < pages
    return {
        "docs": [entry(line, of) for line in found.lines],
        "total": found.total,
        "limit": limit,
        "page": page,
        "pages": pages,
        "hasNextPage": more,
        "nextPage": page + 1 if more else None,
        "opening": money.to_number(found.opening, of.currency),
        "opening_minor": found.opening,
        "closing": money.to_number(found.closing, of.currency),
        "closing_minor": found.closing,
    }


def entry(line: Line, of: Wallet) -> dict[str, Any]:
    """One entry of the statement."""
    row = line.entry
    number = money.to_number(abs(row.amount), of.currency)
    nothing = money.to_number(0, of.currency)
    return {
        "_id": f"{row.account_id}-{row.seq}",
        "currency": of.currency,
        "org_wallet_ref": of.org_wallet_ref,
        "account": of.accno,
        "credit": number if row.amount > 0 else nothing,
        "debit": number if row.amount < 0 else nothing,
        "amount_minor": row.amount,
        "counter": row.seq,
        "description": row.note or row.transaction.description,
        "ref": row.transaction.external_ref,
        "transaction_type": row.transaction.kind,
        "running_balance": money.to_number(line.balance, of.currency),
        "running_balance_minor": line.balance,
        "effective_on": row.transaction.effective_on,
        "posted_at": row.posted_at,
        "ledger_transaction_id": row.transaction_id,
        "createdAt": row.posted_at,
    }


def currency(row: Currency) -> dict[str, Any]:
    """A currency of the business."""
    return {"_id": row.id, "code": row.code, "exponent": money.exponent(row.code), "createdAt": row.created_at}
