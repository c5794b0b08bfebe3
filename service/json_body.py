"""How bodies are read: JSON whose numbers become Decimals, with everything a database or a double could not hold refused."""

import json
from typing import Any

from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from ninja.parser import Parser

from service import errors
from service.inputs import json_number


class ExactParser(Parser):
    """The parser of the ninja APIs."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The body as Python values: a number with a point is a Decimal, never a float. 400 malformed_request."""
        return read(request.body)

    def parse_querydict(
        self, data: MultiValueDict[str, Any], list_fields: list[str], request: HttpRequest
    ) -> dict[str, Any]:
        """The query as a dictionary; 400 for characters that no text column takes."""
        values = super().parse_querydict(data, list_fields, request)
        for name, value in values.items():
            if "\0" in name or (isinstance(value, str) and "\0" in value):
                raise errors.invalid_parameters(name.replace("\0", ""), "The NUL character is not taken.", "nul")
        return values


def read(body: bytes) -> Any:
    """Python values of a JSON body; 400 malformed_request where it is none, is no Unicode, or holds NUL."""
    try:
        data = json.loads(body.decode(), parse_float=json_number, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise errors.malformed_request() from None
    if b"\\u" in body:
        _only_storable_text(data)
    return data


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _only_storable_text(data: object) -> None:
    """Escapes can smuggle in NUL and lone surrogates, which PostgreSQL and UTF-8 cannot hold."""
    if isinstance(data, str):
        if "\0" in data or any("\ud800" <= character <= "\udfff" for character in data):
            raise errors.malformed_request("The body holds a character that is not text (NUL or a lone surrogate).")
    elif isinstance(data, dict):
        for key, value in data.items():
            _only_storable_text(key)
            _only_storable_text(value)
    elif isinstance(data, list):
        for value in data:
            _only_storable_text(value)
