"""Units and money: pure arithmetic, rounded so that the fund never gives more than was paid for."""

from decimal import ROUND_DOWN, ROUND_UP, Decimal

from service import money

PLACES = Decimal("0.00000001")
YEAR = 365


def bought(amount_minor: int, price: Decimal, currency: str) -> Decimal:
    """The units that an amount buys, cut off at 8 decimals."""
    return (money.to_number(amount_minor, currency) / price).quantize(PLACES, ROUND_DOWN)


def needed(amount_minor: int, price: Decimal, currency: str) -> Decimal:
    """The units that must be redeemed for an amount, rounded up at 8 decimals."""
    return (money.to_number(amount_minor, currency) / price).quantize(PLACES, ROUND_UP)


def worth(units: Decimal, price: Decimal, currency: str) -> int:
    """Minor units that so many fund units are worth, cut off."""
    return int((units * price).scaleb(money.exponent(currency)).to_integral_value(ROUND_DOWN))


def book_part(book_minor: int, units: Decimal, of: Decimal) -> int:
    """The part of what was paid for `of` units that falls to `units` of them; all of it where all are redeemed."""
    if units >= of:
        return book_minor
    return int((book_minor * units / of).to_integral_value(ROUND_DOWN))


def interest(units: Decimal, price: Decimal, yield_bps: int, days: int = 1) -> Decimal:
    """Simple interest on what the units are worth, in the currency's units, cut off at 8 decimals."""
    return (units * price * yield_bps * days / (10_000 * YEAR)).quantize(PLACES, ROUND_DOWN)
