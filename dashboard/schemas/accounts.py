"""Business wallets and their balances (decisions B.10)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal, NotRequired, TypedDict

from pydantic import AliasChoices, Field

from dashboard.money import Money, to_minor
from dashboard.schemas.base import Amount, Currency, CurrencyCode, Id, RequestSchema, ResponseSchema, Text


class Balances(ResponseSchema):
    """A wallet's money: available = posted - pending_out."""

    posted: Amount | None = None
    pending_in: Amount | None = None
    pending_out: Amount | None = None
    available: Amount


class BusinessCurrency(ResponseSchema):
    """A currency in which the business may have wallets; `exponent` is how many decimals its amounts have, None where the
    service does not say."""

    code: CurrencyCode
    exponent: int | None = None


class Account(ResponseSchema):
    """A business wallet. `status` is PENDING, ACTIVE, SUSPENDED, CLOSED, or a word we do not know."""

    id: Id
    org_wallet_ref: Text = ""
    currency: Currency
    wallet_type: Text = Field("", validation_alias=AliasChoices("walletType", "wallet_type"))
    name: Text = ""
    status: Text = ""
    balances: Balances | None = None
    as_of: datetime | None = None

    @property
    def available(self) -> Money | None:
        """What can be spent now; None where the service does not say."""
        return Money(to_minor(self.balances.available, self.currency), self.currency) if self.balances else None


class BalanceNow(ResponseSchema):
    """What one wallet has, as GET /accounts/{id}/balance tells it."""

    currency: Currency
    balances: Balances
    as_of: datetime | None = None


class Entry(ResponseSchema):
    """One line of a statement: credit or debit, and the balance after it."""

    id: Id
    currency: Currency
    credit: Amount = Decimal(0)
    debit: Amount = Decimal(0)
    description: Text = ""
    ref: Text = ""
    transaction_type: Text = ""
    running_balance: Amount
    effective_on: date | None = None
    ledger_transaction_id: int | None = None
    createdAt: datetime | None = None  # noqa: N815  the published spelling


class MonthOfCash(ResponseSchema):
    """One month: closing = opening + in - out + transfers; transfers in are above zero, transfers out below."""

    month: Text
    opening: Amount
    money_in: Amount
    money_out: Amount
    transfers: Amount = Decimal(0)
    closing: Amount


class Cashflow(ResponseSchema):
    """The months of one currency."""

    currency: Currency
    opening: Amount
    money_in: Amount
    money_out: Amount
    transfers: Amount = Decimal(0)
    closing: Amount
    months: list[MonthOfCash] = []


class AccountChange(RequestSchema):
    """Another name of a wallet, or that it is closed."""

    name: str | None = None
    status: Literal["CLOSED"] | None = None


class AccountBody(RequestSchema):
    """A new wallet; unique per currency and type."""

    currency: CurrencyCode
    wallet_type: str = Field(alias="walletType")
    name: str | None = None


class OpenWalletBody(TypedDict):
    """The body of OPEN_WALLET; `walletType` is "SUB:payroll" for a wallet of one purpose."""

    currency: str
    walletType: str
    name: NotRequired[str]


class TransferTerms(TypedDict):
    """The body of TRANSFER_FX but for its wallets: a quote, or else an amount in the currency of both wallets."""

    quote_id: NotRequired[str]
    amount: NotRequired[Decimal]
    note: str | None
