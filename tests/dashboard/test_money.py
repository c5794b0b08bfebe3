"""Money: exact on the way in and out, written as its readers write it."""

from decimal import Decimal

import pytest
from babel.numbers import format_decimal, get_minus_sign_symbol
from hypothesis import given
from hypothesis import strategies as st

from dashboard.money import Money, digits_class, exponent, number, text, to_minor

LOCALES = ["en_KE", "en_US", "de_DE", "fr_FR", "en_IN", "sw_KE", "ja_JP", "sv_SE", "de_CH"]


@pytest.mark.parametrize(
    ("currency", "digits"), [("JPY", 0), ("KES", 2), ("KWD", 3), ("IQD", 3), ("UGX", 0), ("CLF", 4)]
)
def test_digits_of_a_currency(currency: str, digits: int) -> None:
    assert exponent(currency) == digits
    assert Money(1, currency).amount == Decimal(1).scaleb(-digits)


@pytest.mark.parametrize(
    ("amount", "currency", "minor"),
    [("1250.50", "KES", 125050), ("0.001", "KWD", 1), (7, "JPY", 7), ("-0.01", "KES", -1), ("1E+2", "KES", 10000)],
)
def test_minor_units_are_exact(amount: str | int, currency: str, minor: int) -> None:
    assert to_minor(amount, currency) == minor


@pytest.mark.parametrize(
    ("amount", "currency"), [("0.001", "KES"), ("0.5", "JPY"), ("NaN", "KES"), ("Infinity", "KES")]
)
def test_what_is_no_amount_is_refused(amount: str, currency: str) -> None:
    with pytest.raises(ValueError):
        to_minor(amount, currency)


def test_a_float_is_never_money() -> None:
    with pytest.raises(TypeError):
        to_minor(0.1, "KES")  # type: ignore[arg-type]


def test_the_code_stands_where_the_locale_puts_it() -> None:
    assert text(-123456789, "KES") == "KES\xa0-1,234,567.89"
    assert text(5, "KWD", "fr_FR") == "0,005\xa0KWD"
    assert text(1234567890, "INR", "en_IN") == "INR\xa01,23,45,678.90"


@given(st.integers(-(10**15), 10**15), st.sampled_from(["KES", "JPY", "KWD"]), st.sampled_from(LOCALES))
def test_a_number_is_written_as_babel_writes_it(minor: int, currency: str, locale: str) -> None:
    digits = exponent(currency)
    pattern = {"en_IN": "#,##,##0"}.get(locale, "#,##0") + ("." + "0" * digits if digits else "")
    theirs = format_decimal(Money(minor, currency).amount, pattern, locale=locale)
    # Babel writes a hyphen where the pattern is given; the locale's own sign is what it documents.
    assert number(minor, currency, locale) == theirs.replace("-", get_minus_sign_symbol(locale))


@pytest.mark.parametrize(
    ("written", "marked"),
    [
        ("KES\xa01.00", ""), ("JPY\xa01,200", " d0"), ("KWD\xa00.005", " d3"), ("CLF\xa01.0000", " d4"), ("JPY", " d0"),
        ("–", ""), ("not known", ""), ("", ""), ("1 200\xa0JPY", ""),
    ],
)  # fmt: skip
def test_a_cell_is_marked_where_its_currency_has_other_digits_than_two(written: str, marked: str) -> None:
    assert digits_class(written) == marked
