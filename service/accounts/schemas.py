"""Wallets on the wire (decisions B.10)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints, model_validator

from service.pagination import Envelope
from service.text import CurrencyCode, Words

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
    """A page of the wallets that the caller may see."""

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
    """The months between two days, a cash flow per currency."""

    docs: list[Cashflow]
    total: int
    from_: date = Field(alias="from")
    to: date


class BalanceOut(Schema):
    """What a wallet holds now, in units and in minor units."""

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
    """The currencies of the business."""

    docs: list[CurrencyOut]
    total: int


class NewCurrency(Schema):
    """A currency to add to those of the business."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"currency": "USD"}]})

    currency: CurrencyCode


class NewAccount(Schema):
    """A wallet to open: its type, currency and name."""

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
        """Refuses a body that changes nothing: at least one field is needed."""
        if self.name is None and self.status is None:
            raise ValueError("Name what to change.")
        return self
