"""Telephone numbers in the one form in which they are kept, sent and compared: E.164 (ITU-T), its digits alone.

The finance service keeps a number as it is given, with a + or without; its own examples have none.
"""

import re
from contextlib import suppress

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberFormat

# As people write a number: anything else is no number, whatever a lenient reader makes of it.
ALLOWED = frozenset("0123456789 \xa0()-./+")
# Fewer digits are the beginning of half the numbers that there are.
MIN_DIGITS = 4
HINT = "Enter the phone number with its country code, such as +254 712 345 678, or as dialled nationally."


class PhoneError(ValueError):
    """No telephone number; the text is a sentence for whoever typed it."""


def e164(text: str, locale: str) -> str:
    """254712345678 of 0712 345 678 (in the country of the locale en_KE), of +254 712…, 00254… and 254712345678.

    PhoneError for what is no possible number of any country.
    """
    typed = text.strip()
    if not typed or set(typed) - ALLOWED:
        raise PhoneError(HINT)
    country = locale.rpartition("_")[2].upper()
    at_home = _possible(typed, country)
    # Without a + a number may carry its country all the same; where it is one of home's, that is what is meant.
    number = at_home if at_home and phonenumbers.is_valid_number(at_home) else _abroad(typed) or at_home
    if number is None:
        raise PhoneError(HINT)
    return phonenumbers.format_number(number, PhoneNumberFormat.E164).lstrip("+")


def _possible(text: str, country: str | None) -> phonenumbers.PhoneNumber | None:
    try:
        number = phonenumbers.parse(text, country)
    except NumberParseException:
        return None
    possible = phonenumbers.is_possible_number_with_reason(number) == phonenumbers.ValidationResult.IS_POSSIBLE
    return number if possible else None


def _abroad(text: str) -> phonenumbers.PhoneNumber | None:
    digits = "".join(character for character in text if character.isdecimal())
    if text.startswith("+") or not digits:
        return None
    # 00 is dialled before a country's code in most of the world, and understood where it is not.
    number = _possible(f"+{digits.removeprefix('00')}", None)
    return number if number and phonenumbers.is_valid_number(number) else None


def beginning(text: str, locale: str) -> str:
    """What a number begins with of which this much is typed: 2547123 of 0712 3; "" where that is no number's beginning."""
    typed = text.strip()
    digits = re.sub(r"[^0-9]", "", typed)
    if len(digits) < MIN_DIGITS or set(typed) - ALLOWED:
        return ""
    with suppress(PhoneError):
        return e164(typed, locale)
    if typed.startswith("+") or digits.startswith("00"):
        return digits.removeprefix("00")
    country = phonenumbers.country_code_for_region(locale.rpartition("_")[2].upper())
    return f"{country}{digits.removeprefix('0')}" if country and digits.startswith("0") else ""


def same_number(text: str, locale: str) -> frozenset[str]:
    """How a service may have stored the number that was typed: with and without the +, and as it stands."""
    spellings = {text.lstrip("+"), text}
    with suppress(PhoneError):
        spellings.add(e164(text, locale))
    return frozenset(
        {*spellings, *(f"+{spelling}" for spelling in spellings if not spelling.startswith("+"))} - {"", "+"}
    )
