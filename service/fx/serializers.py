"""Currencies, rates, quotes and transfers as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import date, datetime
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TypedDict

from service import money
from service.fx import pricing, schemas
from service.fx.models import FxTransfer, Quote
from service.fx.rates import Mid
from service.fx.schemas import LEAST_DOLLARS, MOST_DOLLARS, HistoricBody
from service.rails.fx_feed import AROUND


class CurrencyShape(TypedDict):
    """A currency with all others as its pairs."""

    code: str
    name: str
    exponent: int
    min: Decimal
    max: Decimal
    pairs: list[str]


QuoteDetailShape = TypedDict(
    "QuoteDetailShape",
    {
        "quote_id": str,
        "from": str,
        "to": str,
        "side": str,
        "mid": str,
        "buy": str,
        "sell": str,
        "markup_bps": int,
        "rate_applied": str,
        "source_amount": Decimal | None,
        "source_amount_minor": int | None,
        "target_amount": Decimal | None,
        "target_amount_minor": int | None,
        "fee": Decimal | None,
        "fee_minor": int | None,
        "source": str,
        "as_of": datetime,
        "expires_at": datetime,
    },
)
"""A quote with its amounts, where it has any."""


HistoricRateShape = TypedDict(
    "HistoricRateShape",
    {
        "from": str,
        "to": str,
        "date": date,
        "effective_date": date,
        "mid": str,
        "source": str,
    },
)
"""The rate of a day, and the day it was fixed on."""


class TransferShape(TypedDict):
    """A transfer between wallets of the business, an exchange or within one currency; amounts each in its own
    currency."""

    _id: str
    quote_id: str | None
    status: str
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
    createdAt: datetime
    updatedAt: datetime


def _text(number: Decimal) -> str:
    return format(number, "f")


def limits(code: str) -> tuple[int, int]:
    """What a transfer may pay in a currency, in minor units: about a dollar to about a million."""
    unit = Decimal(AROUND[code])
    least = (unit * LEAST_DOLLARS).to_integral_value(ROUND_CEILING)
    most = (unit * MOST_DOLLARS).to_integral_value(ROUND_FLOOR)
    return money.to_minor(least, code), money.to_minor(most, code)


def currency(code: str) -> CurrencyShape:
    """A currency with all others as its pairs."""
    least, most = limits(code)
    return {
        "code": code,
        "name": schemas.NAMES[code],
        "exponent": money.exponent(code),
        "min": money.to_number(least, code),
        "max": money.to_number(most, code),
        "pairs": sorted(set(AROUND) - {code}),
    }


def quote_detail(row: Quote, amounts: pricing.Amounts | None) -> QuoteDetailShape:
    """A quote with its amounts, where it has any."""

    def number(minor: int | None, code: str) -> Decimal | None:
        return None if minor is None else money.to_number(minor, code)

    source_minor = amounts.source_minor if amounts else None
    target_minor = amounts.target_minor if amounts else None
    fee_minor = amounts.fee_minor if amounts else None
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
        "source_amount": number(source_minor, row.source_currency),
        "source_amount_minor": source_minor,
        "target_amount": number(target_minor, row.target_currency),
        "target_amount_minor": target_minor,
        "fee": number(fee_minor, row.target_currency),
        "fee_minor": fee_minor,
        "source": row.source,
        "as_of": row.as_of,
        "expires_at": row.expires_at,
    }


def historic_rate(body: HistoricBody, mid: Mid) -> HistoricRateShape:
    """The rate of a day, and the day it was fixed on."""
    return {
        "from": body.from_,
        "to": body.to,
        "date": body.date,
        "effective_date": mid.effective_date,
        "mid": _text(mid.mid),
        "source": mid.source,
    }


def transfer(row: FxTransfer) -> TransferShape:
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
