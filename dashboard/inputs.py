"""How a text, a number and a day are read that somebody typed: as strictly as the finance service reads them.

One rule for both (decisions F.7): what is refused here is what the service refuses (service/inputs.py), and the test puts
one table of values to both. Only one thing is done for a reader first: the marks between thousands of the reader's locale
are taken away from an amount, where that can be read in one way alone.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

from dashboard.money import UnknownCurrencyError, exponent, marks

# What a field offers: (value, label) each.
Choices = Sequence[tuple[str, str]]

# \d would take the digits of every script.
NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]+)?")
WHOLE = re.compile(r"-?[0-9]{1,15}(\.0+)?")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
MOMENT = re.compile(DAY.pattern + r"T[0-9]{2}:[0-9]{2}(:[0-9]{2})?")
HOUR = re.compile(r"[0-9]{2}:[0-9]{2}(:[0-9]{2})?")
# A number that any reader turns into a double and back without loss has at most 15 significant digits.
LARGEST_MINOR = 10**15 - 1
# Controls, the two separators that break a line, and surrogates without their other half.
CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Letters and symbols that show nothing.
BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
# What is written between thousands, by what a locale writes there: keyboards have neither a narrow space nor ’.
ALIKE = {" ": " \xa0\u202f", "’": "’'"}


class InputError(ValueError):
    """What was typed is not read; the text is a sentence for whoever typed it."""


def plain(text: str, *, many_lines: bool = False) -> str:
    """The text in NFC, trimmed; InputError for a control character (in `many_lines` tab and newline are none)."""
    if text.isascii() and text.isprintable():
        # What most of a table of thousands of rows is: of ASCII its control characters alone are not printed.
        return text.strip()
    if many_lines:
        text = text.replace("\r\n", "\n")
    allowed = "\t\n" if many_lines else ""
    if any(unicodedata.category(character) in CONTROLS and character not in allowed for character in text):
        raise InputError("This contains an invisible control character: type it again.")
    return unicodedata.normalize("NFC", text).strip()


def is_plain(text: str) -> bool:
    """Whether a line of text holds no control character."""
    return not any(unicodedata.category(character) in CONTROLS for character in text)


def is_visible(text: str) -> bool:
    """Whether there is anything to be seen: a letter, a digit, a sign, not only blanks and marks without a base."""
    return any(unicodedata.category(character)[0] in "LNPS" and character not in BLANKS for character in text)


def whole_number(text: str, most: int) -> int | None:
    """The number from 0 to `most` that ASCII digits write; None for any other text, of whatever length.

    Whatever a request holds in digits without a form's field (the number of a page, of a row, of a version) is read here:
    `int` takes the digits of every script, and raises for more than 4,300 of them.
    """
    digits = text.lstrip("0") or text[:1]
    if not (text.isascii() and digits.isdigit()) or len(digits) > len(str(most)):
        return None
    number = int(digits)
    return number if number <= most else None


def page_number(query: Mapping[str, str], most: int = 99_999, name: str = "page") -> int:
    """The page that the query of an address asks for under a name, from 1 to `most`: a greater number is the last one, so
    that nobody who turns pages begins anew without a word; 1 for what is none."""
    typed = query.get(name, "")
    number = whole_number(typed, most)
    if number is None:
        return most if typed.isascii() and typed.isdigit() else 1
    return number or 1


def amount(text: str, locale: str) -> Decimal:
    """A number as it is typed in a locale: 1250.50 everywhere, 1,250.50 in en_KE, 1.250,50 in de_DE.

    InputError for anything else, and for what can be read in two ways (1.250 in de_DE).
    """
    typed = text.strip(" ")
    group, point = marks(locale)
    if group == "." and re.fullmatch(r"-?[1-9][0-9]{0,2}\.[0-9]{3}", typed):
        whole, rest = typed.split(".")
        raise InputError(f"{typed} is ambiguous: enter {whole}{rest}, or {whole}{point}{rest}.")
    if NUMBER.fullmatch(typed):
        return Decimal(typed)
    match = _grouped(group, point).fullmatch(typed)
    digits = re.sub(r"[^0-9]", "", match["whole"]) if match else ""
    if match is None or len(digits) > 15:
        raise InputError(f"Enter digits, such as 1250{point}50, at most 15 before the {_name_of_point(point)}.")
    return (
        Decimal(f"{match['sign']}{digits}.{match['rest'] or 0}")
        if match["rest"]
        else Decimal(f"{match['sign']}{digits}")
    )


@lru_cache(maxsize=64)
def _grouped(group: str, point: str) -> re.Pattern[str]:
    between = f"[{re.escape(ALIKE.get(' ' if group.isspace() else group, group))}]"
    # By threes, or as in India by twos before the last three; one mark throughout.
    by_three = rf"[0-9]{{1,3}}(?P<mark>{between})[0-9]{{3}}(?:(?P=mark)[0-9]{{3}})*"
    by_two = rf"[0-9]{{1,2}}(?P<other>{between})(?:[0-9]{{2}}(?P=other))*[0-9]{{3}}"
    rest = rf"(?:{re.escape(point)}(?P<rest>[0-9]+))?"
    return re.compile(rf"(?P<sign>-?)(?P<whole>{by_three}|{by_two}|[0-9]{{1,15}}){rest}")


def _name_of_point(point: str) -> str:
    return "comma" if point == "," else "point"


def typed_minor(value: Decimal, currency: str) -> int:
    """Minor units of what was typed; InputError where the currency has fewer decimals or is not known, or it is more than money
    can be."""
    try:
        digits = exponent(currency)
    except UnknownCurrencyError as unknown:
        raise InputError(str(unknown)) from None
    scaled = value.scaleb(digits)
    if scaled != scaled.to_integral_value():
        raise InputError(f"{currency} has {digits or 'no'} digits after the point.")
    if abs(scaled) > LARGEST_MINOR:
        raise InputError("This amount is too large.")
    return int(scaled)
