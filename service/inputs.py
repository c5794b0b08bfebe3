"""What comes in: the types of every number, text and day that a request may hold, in v2 and v1 (decisions F.7).

A schema of a request takes its fields from here; tests/service/http/test_inputs.py walks all operations and finds a
field that does not. Refused at the field: 422 in a body, 400 in a query.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

# As a JSON number or as a text; \d would take the digits of every script.
NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]+)?")
WHOLE = re.compile(r"-?[0-9]{1,15}(\.0+)?")
LARGEST = 10**15 - 1
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
MOMENT = re.compile(DAY.pattern + r"T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})")
# What a moment may be: one before year 1 or after 9999, in whatever zone, could be stored and never read again.
FIRST_MOMENT, LAST_MOMENT = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)
# Controls, the two separators that break a line, and surrogates without their other half.
CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Letters and symbols that show nothing.
BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A JSON number in a spelling that is none here, such as 1e3: no type takes it, and it is named where it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """Marks a type of this module in a field's annotations; `least` is how many characters it needs at least, `many_lines`
    whether tabs and newlines may stand in it."""

    kind: str
    least: int = 0
    many_lines: bool = False

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """What the type says of itself, and what only its check knows."""
        least: JsonSchemaValue = {"minLength": self.least} if self.least else {}
        lines: JsonSchemaValue = {"x-many-lines": True} if self.many_lines else {}
        return {**handler(schema), **least, **lines}


def json_number(text: str) -> Decimal | Unreadable:
    """What a JSON number with a point or an exponent is read as: exactly, or not at all."""
    return Decimal(text) if NUMBER.fullmatch(text) else Unreadable(text)


def _spelled(value: Any) -> str | None:
    """How a number was written; None for what is no number and no text, booleans among it."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) <= LARGEST else ""
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    return None


def whole_number(text: str, most: int) -> int | None:
    """The number from 0 to `most` that ASCII digits write; None for any other text, of whatever length.

    What stands in digits outside a schema (a header, a part of a path) is read here: `int` takes the digits of every script,
    and raises for more than 4,300 of them.
    """
    digits = text.lstrip("0") or text[:1]
    if not (text.isascii() and digits.isdigit()) or len(digits) > len(str(most)):
        return None
    number = int(digits)
    return number if number <= most else None


def _number(value: Any) -> Decimal:
    text = _spelled(value)
    if text is None or not NUMBER.fullmatch(text):
        raise PydanticCustomError("number", "Write it as digits with a point, such as 1250.50, at most 15 before it.")
    return Decimal(text)


def _whole(value: Any) -> int:
    text = _spelled(value)
    if text is None or not WHOLE.fullmatch(text):
        raise PydanticCustomError("whole_number", "Write it as a whole number of at most 15 digits.")
    return int(text.partition(".")[0])


def _day(value: Any) -> Any:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not DAY.fullmatch(value):
        raise PydanticCustomError("day", "Write a day as 2026-03-31.")
    return value


def _moment(value: Any) -> Any:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not MOMENT.fullmatch(value):
        raise PydanticCustomError("moment", "Write a moment as 2026-03-31T09:00:00Z, with its zone.")
    return value


def _stored(value: datetime) -> datetime:
    if not FIRST_MOMENT <= value < LAST_MOMENT:
        raise PydanticCustomError("moment", "Write a moment from 1970 on, and before the last day of 9999.")
    return value


def plain(text: str, *, many_lines: bool = False) -> str:
    """The text in NFC; PydanticCustomError where it holds a control character (but tab and newline in `many_lines`)."""
    if text.isascii() and text.isprintable():  # in NFC, whatever it is, and without a control
        return text
    if many_lines:
        text = text.replace("\r\n", "\n")
    allowed = "\t\n" if many_lines else ""
    if any(unicodedata.category(character) in CONTROLS and character not in allowed for character in text):
        raise PydanticCustomError("control_character", "It holds a control character.")
    return unicodedata.normalize("NFC", text)


def is_visible(text: str) -> bool:
    """Whether there is anything to be seen: a letter, a digit, a sign, not only blanks and marks without a base."""
    return any(unicodedata.category(character)[0] in "LNPS" and character not in BLANKS for character in text)


def _line(value: Any) -> Any:
    return plain(value).strip() if isinstance(value, str) else value


def _lines(value: Any) -> Any:
    return plain(value, many_lines=True).strip() if isinstance(value, str) else value


def _seen(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        text = read(value)
        if isinstance(text, str) and not is_visible(text):
            raise PydanticCustomError("invisible", "It holds nothing that can be seen.")
        return text

    return check


# Numbers: -?\d{1,15}(\.\d+)? in ASCII. How many decimals an amount may have is its currency's to say (service/money.py).
Number = Annotated[Decimal, BeforeValidator(_number), Checked("number")]
Whole = Annotated[int, BeforeValidator(_whole), Checked("number")]
# Days: YYYY-MM-DD alone. Moments: RFC 3339, with their zone, from 1970 on.
Day = Annotated[date, BeforeValidator(_day), Checked("day")]
Moment = Annotated[AwareDatetime, BeforeValidator(_moment), AfterValidator(_stored), Checked("moment")]
# Texts: trimmed, in NFC, without control characters. Lines may hold tabs and newlines.
Line = Annotated[str, BeforeValidator(_line), Checked("text")]
Lines = Annotated[str, BeforeValidator(_lines), Checked("text", many_lines=True)]
# The same where something must be said: at least one visible character.
Name = Annotated[str, BeforeValidator(_seen(_line)), Checked("text", least=1)]
Sentences = Annotated[str, BeforeValidator(_seen(_lines)), Checked("text", least=1, many_lines=True)]
