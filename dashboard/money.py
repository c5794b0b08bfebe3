"""Money: an integer of minor units with its ISO 4217 currency, and how it is written for a reader."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from babel import Locale

# ISO 4217, by the digits after the point of its minor unit. Babel's own table is CLDR's, which differs (IQD, LAK, …), and
# takes any other three letters for a currency of two digits.
NO_DIGITS = frozenset(re.findall("[A-Z]{3}", "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"))
TWO_DIGITS = frozenset(
    re.findall(
        "[A-Z]{3}",
        "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW "
        "CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS "
        "INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN "
        "NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC "
        "SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
    )
)
THREE_DIGITS = frozenset(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"])
FOUR_DIGITS = frozenset(["CLF", "UYW"])
EXPONENTS = (
    dict.fromkeys(NO_DIGITS, 0)
    | dict.fromkeys(TWO_DIGITS, 2)
    | dict.fromkeys(THREE_DIGITS, 3)
    | dict.fromkeys(FOUR_DIGITS, 4)
)


class UnknownCurrencyError(ValueError):
    """A code that is no currency of ISO 4217 known here: nobody can say how many digits its amounts have. `code` is at most
    20 characters of it."""

    def __init__(self, currency: str) -> None:
        self.code = currency[:20]
        super().__init__(f"{self.code or 'An amount without a currency'} is not a known currency.")


def exponent(currency: str) -> int:
    """Digits after the point of a currency: JPY 0, KES 2, KWD 3; UnknownCurrencyError for any other code."""
    try:
        return EXPONENTS[currency]
    except KeyError:
        raise UnknownCurrencyError(currency) from None


def digits_class(written: object) -> str:
    """The class of an amount's cell, with a blank before it: " d0", " d3" or " d4" where its currency has other than two
    digits after the point, else "". The stylesheet makes room for the missing ones, so that the points of a column with
    several currencies stand below each other. For amounts with their code before them, as `text` writes most."""
    code = str(written)[:3]
    if code in NO_DIGITS:
        return " d0"
    if code in THREE_DIGITS:
        return " d3"
    return " d4" if code in FOUR_DIGITS else ""


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in minor units (cents) of a currency."""

    minor: int
    currency: str

    @property
    def amount(self) -> Decimal:
        """The amount in whole units, exact: Money(120050, "KES").amount == Decimal("1200.50")."""
        return Decimal(self.minor).scaleb(-exponent(self.currency))

    def text(self, locale: str = "en_KE") -> str:
        """As it is written for a reader of the locale."""
        return text(self.minor, self.currency, locale)


def to_minor(amount: Decimal | int | str, currency: str) -> int:
    """Minor units of an exact amount; ValueError where it has more digits than the currency, or is no number, and of these
    UnknownCurrencyError where there is no such currency."""
    if isinstance(amount, float):
        raise TypeError("an amount is never a float")
    value = Decimal(amount)
    if not value.is_finite():
        raise ValueError("an amount must be a finite number")
    scaled = value.scaleb(exponent(currency))
    if scaled != scaled.to_integral_value():
        raise ValueError(f"{currency} has {exponent(currency)} digits after the point")
    return int(scaled)


@dataclass(frozen=True, slots=True)
class _Shape:
    group: str
    point: str
    minus: str
    code_first: bool
    by_two: bool


@lru_cache(maxsize=256)
def _shape(locale: str) -> _Shape:
    parsed = Locale.parse(locale)
    symbols = parsed.number_symbols["latn"]
    pattern = parsed.currency_formats["standard"]
    return _Shape(
        group=symbols["group"],
        point=symbols["decimal"],
        minus=symbols["minusSign"],
        code_first=pattern.pattern.startswith("¤"),
        by_two=parsed.decimal_formats[None].grouping == (3, 2),
    )


def marks(locale: str) -> tuple[str, str]:
    """What a locale writes between thousands, and what before the digits that follow the whole units."""
    shape = _shape(locale)
    return shape.group, shape.point


def number(minor: int, currency: str, locale: str = "en_KE") -> str:
    """The amount without its currency: "1,200.50"; UnknownCurrencyError, since it goes into files and sums, too."""
    shape = _shape(locale)
    digits = exponent(currency)
    whole, rest = divmod(abs(minor), 10**digits)
    grouped = _by_two(whole) if shape.by_two else f"{whole:,}"
    if shape.group != ",":
        grouped = grouped.replace(",", shape.group)
    sign = shape.minus if minor < 0 else ""
    return f"{sign}{grouped}{shape.point}{rest:0{digits}d}" if digits else f"{sign}{grouped}"


def text(minor: int, currency: str, locale: str = "en_KE") -> str:
    """The amount with its currency code, where the locale puts it, joined so that no line breaks between. Of a code that is no
    currency it says so, without an amount: nobody can say where its point stands."""
    if currency not in EXPONENTS:
        return f"{currency}\xa0(unknown currency)" if currency else "unknown currency"
    written = number(minor, currency, locale)
    return f"{currency}\xa0{written}" if _shape(locale).code_first else f"{written}\xa0{currency}"


def _by_two(whole: int) -> str:
    # 12,34,567: the last three digits, then pairs.
    digits = str(whole)
    head, tail = digits[:-3], digits[-3:]
    pairs = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)]
    return ",".join([*reversed(pairs), tail])
