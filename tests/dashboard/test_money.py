"""Money: exact on the way in and out, written as its readers write it."""

from decimal import Decimal

import pytest
from babel.numbers import format_decimal, get_minus_sign_symbol
from hypothesis import given
from hypothesis import strategies as st

from dashboard.bank_statements.statement import StatementError, minor_of
from dashboard.client.page import parsed
from dashboard.errors import BadAnswer
from dashboard.inputs import InputError, typed_minor
from dashboard.money import EXPONENTS, Money, UnknownCurrencyError, digits_class, exponent, number, text, to_minor
from dashboard.schemas.accounts import BalanceNow, BusinessCurrency
from service import money as of_service

LOCALES = ["en_KE", "en_US", "de_DE", "fr_FR", "en_IN", "sw_KE", "ja_JP", "sv_SE", "de_CH"]


@pytest.mark.parametrize(
    ("currency", "digits"), [("JPY", 0), ("KES", 2), ("KWD", 3), ("IQD", 3), ("UGX", 0), ("CLF", 4)]
)
def test_digits_of_a_currency(currency: str, digits: int) -> None:
    assert exponent(currency) == digits
    assert Money(1, currency).amount == Decimal(1).scaleb(-digits)


def test_what_our_service_knows_is_known_with_the_same_digits() -> None:
    assert {code: of_service.exponent(code) for code in of_service.CURRENCIES} == EXPONENTS


@pytest.mark.parametrize("currency", ["XYZ", "ZZZ", "kes", "KE", "", "XXX", "KES "])
def test_what_is_no_currency_has_no_digits(currency: str) -> None:
    for reckon in (
        lambda: exponent(currency),
        lambda: to_minor("1", currency),
        lambda: number(1, currency),
        lambda: Money(1, currency).amount,
    ):
        with pytest.raises(UnknownCurrencyError):
            reckon()
    with pytest.raises(of_service.MoneyError):
        of_service.exponent(currency)


def test_where_it_is_read_it_is_a_refusal_that_names_it() -> None:
    with pytest.raises(InputError, match="XYZ is not a known currency"):
        typed_minor(Decimal(1), "XYZ")
    with pytest.raises(StatementError, match="XYZ is not a known currency"):
        minor_of("1", "XYZ")
    with pytest.raises(BadAnswer, match="XYZ is not a known currency"):
        parsed({"currency": "XYZ", "balances": {"available": Decimal(1)}}, BalanceNow)


def test_a_list_of_currencies_names_even_an_unknown_one_and_invents_no_digits() -> None:
    assert parsed({"code": "XYZ"}, BusinessCurrency).exponent is None


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
