"""Money: an integer of minor units with its ISO 4217 currency; Decimal on the way in and out, never float."""

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

# ISO 4217 active currencies whose minor unit is not 1/100; the others below have two digits.
_EXPONENTS = {
    **dict.fromkeys(re.findall("[A-Z]{3}", "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(("CLF", "UYW"), 4),
}
_TWO_DIGITS = frozenset(
    re.findall(
        "[A-Z]{3}",
        "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF "
        "CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF "
        "IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN "
        "MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS "
        "SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
    )
)
CURRENCIES = _TWO_DIGITS | _EXPONENTS.keys()

# A JSON number that any reader turns into a double and back without loss has at most 15 significant digits.
LARGEST_MINOR = 10**15 - 1


class MoneyError(ValueError):
    """An amount or a currency that cannot be money here; the text is a sentence for the caller."""


def exponent(currency: str) -> int:
    """How many decimals the currency has (JPY 0, KES 2, KWD 3); MoneyError where it is not one of ISO 4217's."""
    digits = _EXPONENTS.get(currency)
    if digits is not None:
        return digits
    if currency in _TWO_DIGITS:
        return 2
    raise MoneyError(f"{currency!r} is not an ISO 4217 currency.")


def to_minor(amount: Decimal | int | str, currency: str) -> int:
    """Minor units of an amount; refuses more decimals than the currency has, no-numbers, and more than 15 digits."""
    digits = exponent(currency)
    if isinstance(amount, float):
        raise MoneyError("An amount is a Decimal, an integer or a text, never a float.")
    try:
        exact = Decimal(amount)
    except (InvalidOperation, TypeError):
        raise MoneyError("This is not an amount.") from None
    if not exact.is_finite():
        raise MoneyError("This is not an amount.")
    if exact.adjusted() + digits > 15:
        raise MoneyError("This amount is too large.")
    scaled = exact.scaleb(digits)
    if scaled != scaled.to_integral_value():
        raise MoneyError(f"{currency} has at most {digits} decimals.")
    minor = int(scaled)
    if abs(minor) > LARGEST_MINOR:
        raise MoneyError("This amount is too large.")
    return minor


def to_number(minor: int, currency: str) -> Decimal:
    """The amount as a Decimal with exactly the currency's decimals, safe to print as a JSON number."""
    return Decimal(minor).scaleb(-exponent(currency))


@dataclass(frozen=True, slots=True)
class Money:
    """An amount: `minor` units of `currency`. Sums and comparisons across currencies are refused."""

    minor: int
    currency: str

    def __post_init__(self) -> None:
        exponent(self.currency)

    @classmethod
    def of(cls, amount: Decimal | int | str, currency: str) -> "Money":
        """Money from a number as people write it; MoneyError where it has too many decimals."""
        return cls(to_minor(amount, currency), currency)

    @property
    def number(self) -> Decimal:
        """The amount as a Decimal with the currency's decimals."""
        return to_number(self.minor, self.currency)

    def _same(self, other: "Money") -> int:
        if other.currency != self.currency:
            raise MoneyError(f"{self.currency} and {other.currency} cannot be put together.")
        return other.minor

    def __add__(self, other: "Money") -> "Money":
        return Money(self.minor + self._same(other), self.currency)

    def __sub__(self, other: "Money") -> "Money":
        return Money(self.minor - self._same(other), self.currency)

    def __neg__(self) -> "Money":
        return Money(-self.minor, self.currency)

    def __lt__(self, other: "Money") -> bool:
        return self.minor < self._same(other)

    def __le__(self, other: "Money") -> bool:
        return self.minor <= self._same(other)

    def __str__(self) -> str:
        return f"{self.currency} {self.number}"
