"""Business wallets and their balances (decisions B.10)."""

from datetime import datetime

from pydantic import AliasChoices, Field

from dashboard.client.models.base import Amount, Answered, Currency, Id, Sent, Text
from dashboard.client.money import Money, to_minor


class Balances(Answered):
    """A wallet's money: available = posted - pending_out."""

    posted: Amount | None = None
    pending_in: Amount | None = None
    pending_out: Amount | None = None
    available: Amount


class Account(Answered):
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
        """What can be spent now, where the service told it."""
        return Money(to_minor(self.balances.available, self.currency), self.currency) if self.balances else None


class AccountBody(Sent):
    """A new wallet; unique per currency and type."""

    currency: Currency
    wallet_type: str = Field(alias="walletType")
    name: str | None = None
