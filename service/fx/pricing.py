"""What an exchange costs: pure arithmetic, always rounded in favour of the pool, so that no round trip gains.

The rate is the mid rate less the markup. Of SELL the source amount is given and the target is cut off; of BUY the
target is given and the source is rounded up. The spread is what the mid rate would have given more (decisions B.14).
"""

from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_UP, Decimal

from service import money

MARKUP_BPS = 100
RATE_PLACES = Decimal("0.00000001")
TEN_THOUSAND = Decimal(10_000)


class NothingLeftError(ValueError):
    """The amount is so small that nothing of the other currency is left, or so large that none could hold it."""


@dataclass(frozen=True, slots=True)
class Amounts:
    """Minor units: what is paid, what is received, and the spread, which is in the target currency."""

    source_minor: int
    target_minor: int
    fee_minor: int


def sell_rate(mid: Decimal, markup_bps: int = MARKUP_BPS) -> Decimal:
    """What a unit of the source gives when it is sold to the pool."""
    return (mid * (TEN_THOUSAND - markup_bps) / TEN_THOUSAND).quantize(RATE_PLACES, ROUND_DOWN)


def buy_rate(mid: Decimal, markup_bps: int = MARKUP_BPS) -> Decimal:
    """What a unit of the source costs when it is bought from the pool."""
    return (mid * (TEN_THOUSAND + markup_bps) / TEN_THOUSAND).quantize(RATE_PLACES, ROUND_UP)


def amounts(source: str, target: str, *, minor: int, fixed_source: bool, mid: Decimal, sell: Decimal) -> Amounts:
    """The whole exchange for a given amount of one side; NothingLeftError where there is none."""
    shift = Decimal(10) ** (money.exponent(target) - money.exponent(source))
    if sell <= 0:
        raise NothingLeftError("This rate is too small to convert at.")
    if fixed_source:
        source_minor = minor
        target_minor = int((minor * sell * shift).to_integral_value(ROUND_DOWN))
    else:
        target_minor = minor
        source_minor = int((minor / (sell * shift)).to_integral_value(ROUND_UP))
        if source_minor * sell * shift < minor:  # a quotient that the 28 digits of Decimal cut
            source_minor += 1
    at_mid = int((source_minor * mid * shift).to_integral_value(ROUND_DOWN))
    if not (0 < source_minor <= money.LARGEST_MINOR and 0 < target_minor <= money.LARGEST_MINOR):
        raise NothingLeftError("The amount is too small or too large to convert.")
    return Amounts(source_minor, target_minor, max(0, at_mid - target_minor))
