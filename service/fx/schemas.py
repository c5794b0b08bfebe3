"""Exchange on the wire (decisions B.14). Rates are decimal texts: they have more digits than a double keeps."""

from datetime import date, datetime
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs, money
from service.fx import pricing
from service.fx.models import FxTransfer, Quote
from service.fx.rates import Mid
from service.rails.fx_feed import AROUND
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


def _text(number: Decimal) -> str:
    return format(number, "f")


def limits(code: str) -> tuple[int, int]:
    """What a transfer may pay in a currency, in minor units: about a dollar to about a million."""
    unit = Decimal(AROUND[code])
    least = (unit * LEAST_DOLLARS).to_integral_value(ROUND_CEILING)
    most = (unit * MOST_DOLLARS).to_integral_value(ROUND_FLOOR)
    return money.to_minor(least, code), money.to_minor(most, code)


def currency(code: str) -> dict[str, Any]:
    """A currency with all others as its pairs."""
    least, most = limits(code)
    return {
        "code": code,
        "name": NAMES[code],
        "exponent": money.exponent(code),
        "min": money.to_number(least, code),
        "max": money.to_number(most, code),
        "pairs": sorted(set(AROUND) - {code}),
    }


def quote(row: Quote, found: pricing.Amounts | None) -> dict[str, Any]:
    """A quote with its amounts, where it has any."""

    def both(name: str, minor: int | None, code: str) -> dict[str, Any]:
        return {name: None if minor is None else money.to_number(minor, code), f"{name}_minor": minor}

    return {
        "quote_id": row.id,
        "from": row.source_currency,
        "to": row.target_currency,
        "side": row.side,
        "mid": _text(row.mid),
        "buy": _text(row.buy),
        "sell": _text(row.sell),
        "markup_bps": row.markup_bps,
        "rate_applied": _text(row.sell),
        **both("source_amount", found.source_minor if found else None, row.source_currency),
        **both("target_amount", found.target_minor if found else None, row.target_currency),
        **both("fee", found.fee_minor if found else None, row.target_currency),
        "source": row.source,
        "as_of": row.as_of,
        "expires_at": row.expires_at,
    }


def historic(body: HistoricBody, found: Mid) -> dict[str, Any]:
    """The rate of a day, and the day it was fixed on."""
    return {
        "from": body.from_,
        "to": body.to,
        "date": body.date,
        "effective_date": found.effective_date,
        "mid": _text(found.mid),
        "source": found.source,
    }


def transfer(row: FxTransfer) -> dict[str, Any]:
    """A transfer; its wallets should be joined."""
    source, target = row.source_wallet.currency, row.target_wallet.currency
    return {
        "_id": row.id,
        "quote_id": row.quote_id,
        "status": row.status,
        "from_org_wallet_ref": row.source_wallet.org_wallet_ref,
        "to_org_wallet_ref": row.target_wallet.org_wallet_ref,
        "source_currency": source,
        "target_currency": target,
        "source_amount": money.to_number(row.source_minor, source),
        "source_amount_minor": row.source_minor,
        "target_amount": money.to_number(row.target_minor, target),
        "target_amount_minor": row.target_minor,
        "fee": money.to_number(row.fee_minor, target),
        "fee_minor": row.fee_minor,
        "rate_applied": _text(row.rate),
        "note": row.note,
        "failure_code": row.failure_code or None,
        "requested_by": row.requested_by,
        "ledger_transaction_id": row.ledger_transaction_id,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }
