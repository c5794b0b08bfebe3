"""Exchange on the wire (decisions B.14). Rates are decimal texts: they have more digits than a double keeps."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.text import CurrencyCode, ObjectId, Text, WalletRef

Day = date  # where a field is called date
NAMES = {
    "AED": "UAE dirham", "AUD": "Australian dollar", "CAD": "Canadian dollar", "CHF": "Swiss franc",
    "CNY": "Chinese yuan", "EUR": "Euro", "GBP": "Pound sterling", "GHS": "Ghanaian cedi", "INR": "Indian rupee",
    "JPY": "Japanese yen", "KES": "Kenyan shilling", "KWD": "Kuwaiti dinar", "NGN": "Nigerian naira",
    "RWF": "Rwandan franc", "SEK": "Swedish krona", "TZS": "Tanzanian shilling", "UGX": "Ugandan shilling",
    "USD": "US dollar", "ZAR": "South African rand",
}  # fmt: skip
LEAST_DOLLARS, MOST_DOLLARS = 1, 1_000_000


class RateBody(Schema):
    """SELL: the amount is what is paid, in `from`. BUY: it is what is received, in `to`."""

    model_config = ConfigDict(
        extra="forbid",
        populate_by_name=True,
        json_schema_extra={"examples": [{"from": "USD", "to": "KES", "amount": 100, "side": "SELL"}]},
    )

    from_: CurrencyCode = Field(alias="from")
    to: CurrencyCode
    amount: inputs.Number | None = Field(None, gt=0, max_digits=18)
    side: Literal["SELL", "BUY"] = "SELL"


class HistoricBody(Schema):
    """Of which day the mid rate between two currencies is asked for."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"from": "USD", "to": "KES", "date": "2026-03-02"}]}
    )

    from_: CurrencyCode = Field(alias="from")
    to: CurrencyCode
    date: inputs.Day


class FxTransferBody(Schema):
    """Between two currencies by a quote; `amount` where the quote was made without one, the same side as the quote's.

    Between two wallets of one currency an internal transfer of `amount`: at rate 1, without a quote and without a fee.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"quote_id": "0192f0c0ffee000012345678", "from_org_wallet_ref": "2", "to_org_wallet_ref": "1"},
                {"amount": 25000, "from_org_wallet_ref": "1", "to_org_wallet_ref": "3", "note": "Payroll"},
            ]
        },
    )

    quote_id: ObjectId | None = None
    from_org_wallet_ref: WalletRef
    to_org_wallet_ref: WalletRef
    amount: inputs.Number | None = Field(None, gt=0, max_digits=18)
    note: Text = Field("", max_length=200)


class FxQuote(Schema):
    """A quote. `fee` is the spread, in the currency of `to`; amounts are null for a quote without one."""

    quote_id: str
    from_: str = Field(alias="from")
    to: str
    side: Literal["SELL", "BUY"]
    mid: str
    buy: str
    sell: str
    markup_bps: int
    rate_applied: str
    source_amount: Decimal | None
    source_amount_minor: int | None
    target_amount: Decimal | None
    target_amount_minor: int | None
    fee: Decimal | None
    fee_minor: int | None
    source: str
    as_of: datetime
    expires_at: datetime


class HistoricOut(Schema):
    """The mid rate of a day; `effective_date` is the day that the rate is of."""

    from_: str = Field(alias="from")
    to: str
    date: Day
    effective_date: Day
    mid: str
    source: str


class FxCurrency(Schema):
    """A currency for exchange; `min` and `max` bound what a transfer may pay in it."""

    code: str
    name: str
    exponent: int
    min: Decimal
    max: Decimal
    pairs: list[str]


class FxCurrencyList(Schema):
    """The currencies that can be converted."""

    docs: list[FxCurrency]
    total: int


class FxTransferOut(Schema):
    """Money moved between two wallets. `fee` is the spread, in the target's currency.

    Between two wallets of one currency `quote_id` is null, the rate 1 and the fee nothing.
    """

    id: str = Field(alias="_id")
    quote_id: str | None
    status: Literal["PENDING_APPROVAL", "COMPLETED", "REJECTED", "FAILED"]
    from_org_wallet_ref: str
    to_org_wallet_ref: str
    source_currency: str
    target_currency: str
    source_amount: Decimal
    source_amount_minor: int
    target_amount: Decimal
    target_amount_minor: int
    fee: Decimal
    fee_minor: int
    rate_applied: str
    note: str
    failure_code: str | None
    requested_by: str
    ledger_transaction_id: int | None
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815
