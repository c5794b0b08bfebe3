"""Money is exact: minor units of an ISO 4217 currency, Decimal in and out, never a float."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.money import CURRENCIES, LARGEST_MINOR, Money, MoneyError, exponent, to_minor, to_number


@pytest.mark.parametrize(
    ("amount", "currency", "minor"),
    [("12.34", "KES", 1234), ("12", "JPY", 12), ("1.234", "KWD", 1234), ("-0.5", "USD", -50), ("1.50", "JPY", None)],
)
def test_the_currency_says_how_many_decimals(amount: str, currency: str, minor: int | None) -> None:
    if minor is None:
        with pytest.raises(MoneyError, match="at most 0 decimals"):
            to_minor(Decimal(amount), currency)
    else:
        assert to_minor(Decimal(amount), currency) == minor


@pytest.mark.parametrize("bad", ["", "abc", "NaN", "Infinity", "1e400", "1.2.3", "9999999999999.991", "1e16"])
def test_what_is_no_amount_is_refused(bad: str) -> None:
    with pytest.raises(MoneyError):
        to_minor(bad, "KES")


def test_a_float_is_refused() -> None:
    with pytest.raises(MoneyError, match="never a float"):
        to_minor(0.1, "KES")  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", ["", "kes", "XYZ", "KE"])
def test_an_unknown_currency_is_refused(bad: str) -> None:
    with pytest.raises(MoneyError):
        exponent(bad)


@given(st.integers(-LARGEST_MINOR, LARGEST_MINOR), st.sampled_from(sorted(CURRENCIES)))
def test_out_and_in_again_is_the_same_even_by_way_of_a_json_double(minor: int, currency: str) -> None:
    number = to_number(minor, currency)
    assert to_minor(number, currency) == minor
    assert to_minor(Decimal(repr(float(number))), currency) == minor


def test_currencies_are_not_mixed() -> None:
    assert Money.of("1.5", "KES") + Money(50, "KES") - Money(100, "KES") == Money(100, "KES")
    assert -Money(5, "KES") < Money(0, "KES") <= Money(0, "KES")
    assert str(Money(1234, "KES")) == "KES 12.34"
    for work in (lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a < b):
        with pytest.raises(MoneyError, match="put together"):
            work(Money(1, "KES"), Money(1, "USD"))
