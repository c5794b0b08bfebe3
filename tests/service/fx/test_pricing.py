"""The arithmetic of exchange: rounding favours the pool, and no round trip gains."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from service import money
from service.fx.pricing import NothingLeftError, amounts, buy_rate, sell_rate
from service.rails.fx_feed import AROUND, SimulatedFeed

CODES = st.sampled_from(sorted(AROUND))
PLACES = Decimal("0.0000000001")


def mid_of(source: str, target: str) -> Decimal:
    return (Decimal(AROUND[target]) / Decimal(AROUND[source])).quantize(PLACES)


def exact(rate: Decimal, source: str, target: str) -> Fraction:
    """The rate between minor units."""
    return Fraction(rate) * Fraction(10) ** (money.exponent(target) - money.exponent(source))


@given(source=CODES, target=CODES, minor=st.integers(1, 10**13), fixed_source=st.booleans())
def test_rounding_is_in_favour_of_the_pool(source: str, target: str, minor: int, fixed_source: bool) -> None:
    assume(source != target)
    mid = mid_of(source, target)
    sell = sell_rate(mid)
    try:
        found = amounts(source, target, minor=minor, fixed_source=fixed_source, mid=mid, sell=sell)
    except NothingLeftError:
        return
    rate = exact(sell, source, target)
    assert found.target_minor <= found.source_minor * rate
    if fixed_source:
        assert found.source_minor == minor
        assert found.target_minor + 1 > minor * rate
    else:
        assert found.target_minor == minor
        assert (found.source_minor - 1) * rate < minor
    worth = found.source_minor * exact(mid, source, target)
    assert found.target_minor + found.fee_minor <= worth
    assert found.fee_minor >= 0


@given(source=CODES, target=CODES, minor=st.integers(1, 10**12), way=st.booleans(), back=st.booleans())
def test_a_round_trip_never_gains(source: str, target: str, minor: int, way: bool, back: bool) -> None:
    assume(source != target)
    there, here = mid_of(source, target), mid_of(target, source)
    try:
        out = amounts(source, target, minor=minor, fixed_source=way, mid=there, sell=sell_rate(there))
        if back:  # all of it is sold again
            again = amounts(target, source, minor=out.target_minor, fixed_source=True, mid=here, sell=sell_rate(here))
            assert again.target_minor <= out.source_minor
        else:  # what was paid is bought back: it costs at least what was received
            again = amounts(target, source, minor=out.source_minor, fixed_source=False, mid=here, sell=sell_rate(here))
            assert again.source_minor >= out.target_minor
    except NothingLeftError:
        return


@pytest.mark.parametrize(
    ("source", "target", "mid", "minor", "fixed_source", "expected"),
    [
        # 100.00 USD at 129.50 less 1 %: 12,820.50 KES; the mid would have given 12,950.00.
        ("USD", "KES", "129.5", 100_00, True, (100_00, 12_820_50, 129_50)),
        # 1,000.00 KES wanted: 7.800007… USD rounds up to 7.81.
        ("USD", "KES", "129.5", 1_000_00, False, (7_81, 1_000_00, 11_39)),
        # The yen has no decimals, the dinar three.
        ("EUR", "JPY", "164.1304347826", 10_05, True, (10_05, 1_633, 16)),
        ("KWD", "JPY", "491.5364583333", 1_234, True, (1_234, 600, 6)),
    ],
)
def test_amounts_in_the_exponents_of_their_currencies(
    source: str, target: str, mid: str, minor: int, fixed_source: bool, expected: tuple[int, int, int]
) -> None:
    rate = Decimal(mid)
    found = amounts(source, target, minor=minor, fixed_source=fixed_source, mid=rate, sell=sell_rate(rate))
    assert (found.source_minor, found.target_minor, found.fee_minor) == expected


def test_the_rates_lie_on_either_side_of_the_mid() -> None:
    mid = Decimal("0.0077220077")
    assert (sell_rate(mid), buy_rate(mid)) == (Decimal("0.00764478"), Decimal("0.00779923"))


def test_nothing_is_given_for_an_amount_too_small() -> None:
    with pytest.raises(NothingLeftError):
        amounts("JPY", "KWD", minor=0, fixed_source=True, mid=Decimal("0.002"), sell=Decimal("0.0019"))
    with pytest.raises(NothingLeftError):
        amounts("IDR", "KWD", minor=1, fixed_source=True, mid=Decimal("0.00002"), sell=Decimal("0"))


def test_the_simulated_feed_says_the_same_again_and_nothing_on_sundays() -> None:
    from datetime import UTC, date, datetime

    moment = datetime(2026, 3, 4, 9, 30, 15, tzinfo=UTC)
    assert SimulatedFeed().now(moment) == SimulatedFeed().now(moment.replace(second=59))
    assert SimulatedFeed().now(moment) != SimulatedFeed("another").now(moment)
    assert SimulatedFeed().fixing(date(2026, 3, 8)) is None
    fixed = SimulatedFeed().fixing(date(2026, 3, 9))
    assert fixed is not None
    assert all(abs(rate / Decimal(AROUND[code]) - 1) < Decimal("0.04") for code, rate in fixed.per_dollar.items())
