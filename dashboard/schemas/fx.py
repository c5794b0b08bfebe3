"""Exchange between currencies (decisions B.14): rates are decimal texts, amounts come in units and in minor units."""

from datetime import date, datetime
from decimal import Decimal

from pydantic import Field

from dashboard.schemas.base import Amount, Currency, Id, RequestSchema, ResponseSchema, Text

Day = date  # where a field is called date


class RateBody(RequestSchema):
    """SELL: the amount is what is paid; BUY: what is received. Without an amount only the rate is asked."""

    source: str = Field(alias="from")
    target: str = Field(alias="to")
    amount: Decimal | None = None
    side: str = "SELL"


class HistoricBody(RequestSchema):
    """The body that asks for the rate of a pair on a past day."""

    source: str = Field(alias="from")
    target: str = Field(alias="to")
    date: Day


class TransferBody(RequestSchema):
    """An exchange by a quote that names its amount; without a quote so much from one wallet to another of its currency."""

    quote_id: str | None = None
    amount: Decimal | None = None
    from_org_wallet_ref: str
    to_org_wallet_ref: str
    note: str | None = None


class Quote(ResponseSchema):
    """A rate promised until `expires_at`; `fee` is the spread, in the currency of `to`."""

    quote_id: Text
    mid: Amount
    buy: Amount
    sell: Amount
    markup_bps: int = 0
    rate_applied: Amount
    source_amount: Amount | None = None
    target_amount: Amount | None = None
    fee: Amount | None = None
    as_of: datetime | None = None
    expires_at: datetime


class Historic(ResponseSchema):
    """The mid rate of the last fixing on or before a day."""

    date: Day
    effective_date: Day
    mid: Amount


class FxCurrency(ResponseSchema):
    """A currency that can be exchanged."""

    code: Currency
    name: Text = ""


class Transfer(ResponseSchema):
    """Money between two wallets: COMPLETED, or PENDING_APPROVAL with the money held."""

    id: Id
    status: Text = ""
    source_currency: Currency
    target_currency: Currency
    source_amount: Amount
    target_amount: Amount
