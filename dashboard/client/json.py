"""JSON as it travels: numbers are read as Decimal and written as numbers, so that no amount is ever a float."""

import json
from datetime import date
from decimal import Decimal
from typing import Any


def read_json(body: bytes) -> Any:
    """The document; ValueError where it is none. Numbers with a point are Decimal; NaN and Infinity are refused."""
    return json.loads(body, parse_float=Decimal, parse_constant=_refuse)


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
