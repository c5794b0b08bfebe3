"""JSON as it travels: numbers are read as Decimal and written as numbers, so that no amount is ever a float."""

import json
import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any

MOST_NESTED = 32
MOST_DIGITS = 64
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def read_json(body: bytes) -> Any:
    """The document; ValueError where it is none. Numbers with a point are Decimal; NaN and Infinity are refused."""
    return json.loads(body, parse_float=Decimal, parse_constant=_refuse)


def read_untrusted_json(body: bytes | str) -> Any:
    """The document of whoever may have sent it, as `read_json` reads it. ValueError where it is none, is nested deeper than
    MOST_NESTED, has a number of more than MOST_DIGITS, or holds NUL or half a surrogate pair: neither PostgreSQL nor UTF-8
    has these."""
    try:
        document = json.loads(body, parse_float=_short_decimal, parse_int=_short_int, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    level, depth = [document], 0
    while level:
        depth += 1
        if depth > MOST_NESTED:
            raise ValueError("it is nested too deep")
        if any(UNSTORABLE.search(value) for value in level if isinstance(value, str)):
            raise ValueError("it holds a character that is not text")
        level = [part for value in level for part in _parts(value)]
    return document


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return (*value, *value.values())
    return value if isinstance(value, list) else ()


def _short_int(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError("a number has too many digits")
    return int(text)


def _short_decimal(text: str) -> Decimal:
    number = Decimal(text) if len(text) <= MOST_DIGITS else None
    # 1e99999999 is nine characters, and a hundred million once it is written in digits.
    if number is None or abs(number.adjusted()) > MOST_DIGITS:
        raise ValueError("a number has too many digits")
    return number


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def write_json(value: Any) -> bytes:
    """The document in one line; a Decimal is a number with all its digits, a time ISO 8601, a float refused."""
    return _encode(value).encode()


class ExactEncoder(json.JSONEncoder):
    """For a JSON column: writes as `write_json` does."""

    def encode(self, o: Any) -> str:
        """The document as JSON text, each Decimal with all of its digits."""
        return _encode(o)


class ExactDecoder(json.JSONDecoder):
    """For a JSON column: reads as `read_json` does."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "parse_float": Decimal, "parse_constant": _refuse})


def _encode(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(str(name))}:{_encode(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(_encode(item) for item in value) + "]"
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError("an amount must be a finite number")
        return f"{value:f}"
    if isinstance(value, float):
        raise TypeError("an amount is never a float")
    if isinstance(value, date):
        return json.dumps(value.isoformat())
    return json.dumps(value)
