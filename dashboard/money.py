"""Money: an integer of minor units with its ISO 4217 currency, and how it is written for a reader."""

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from babel import Locale

# ISO 4217: two digits unless it says otherwise. Babel's own table is CLDR's, which differs (IQD, LAK, …).
NO_DIGITS = frozenset(
    [
        "BIF",
        "CLP",
        "DJF",
        "GNF",
        "ISK",
        "JPY",
        "KMF",
        "KRW",
        "PYG",
        "RWF",
        "UGX",
        "UYI",
        "VND",
        "VUV",
        "XAF",
        "XOF",
        "XPF",
    ]
)
THREE_DIGITS = frozenset(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"])
FOUR_DIGITS = frozenset(["CLF", "UYW"])


def exponent(currency: str) -> int:
    """Digits after the point of a currency: JPY 0, KES 2, KWD 3."""
    if currency in NO_DIGITS:
        return 0
    if currency in THREE_DIGITS:
        return 3
    return 4 if currency in FOUR_DIGITS else 2


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
    """Minor units of an exact amount; ValueError where it has more digits than the currency, or is no number."""
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
    """The amount without its currency: "1,200.50"."""
    shape = _shape(locale)
    digits = exponent(currency)
    whole, rest = divmod(abs(minor), 10**digits)
    grouped = _by_two(whole) if shape.by_two else f"{whole:,}"
    if shape.group != ",":
        grouped = grouped.replace(",", shape.group)
    sign = shape.minus if minor < 0 else ""
    return f"{sign}{grouped}{shape.point}{rest:0{digits}d}" if digits else f"{sign}{grouped}"


def text(minor: int, currency: str, locale: str = "en_KE") -> str:
    """The amount with its currency code, where the locale puts it, joined so that no line breaks between."""
    written = number(minor, currency, locale)
    return f"{currency}\xa0{written}" if _shape(locale).code_first else f"{written}\xa0{currency}"


def _by_two(whole: int) -> str:
    # 12,34,567: the last three digits, then pairs.
    digits = str(whole)
    head, tail = digits[:-3], digits[-3:]
    pairs = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)]
    return ",".join([*reversed(pairs), tail])
