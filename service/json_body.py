"""How bodies are read: JSON whose numbers become Decimals, with everything a database or a double could not hold refused."""

import json
import re
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from ninja.parser import Parser

from service import errors
from service.inputs import json_number

MOST_NESTED = 32
UNSTORABLE = re.compile(r"[\0\ud800-\udfff]")


class ExactParser(Parser):
    """The parser of the ninja APIs."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The body as Python values: a number with a point is a Decimal, never a float. 400 malformed_request."""
        return body_of(request)

    def parse_querydict(
        self, data: MultiValueDict[str, Any], list_fields: list[str], request: HttpRequest
    ) -> dict[str, Any]:
        """The query as a dictionary; 400 for characters that no text column takes."""
        values = super().parse_querydict(data, list_fields, request)
        for name, value in values.items():
            if "\0" in name or (isinstance(value, str) and "\0" in value):
                raise errors.invalid_parameters(name.replace("\0", ""), "The NUL character is not taken.", "nul")
        return values


def body_of(request: HttpRequest) -> Any:
    """As `read`, of a request's body: once, however many ask. Nobody changes what it gives."""
    known = getattr(request, "body_values", None)
    if known is None:
        known = (read(request.body),)
        request.body_values = known  # type: ignore[attr-defined]
    return known[0]


def read(body: bytes) -> Any:
    """Python values of a JSON body; 400 malformed_request where it is none, or holds what `load_json` refuses."""
    try:
        return load_json(body)
    except NoText as refused:
        raise errors.malformed_request(str(refused)) from None
    except ValueError:
        raise errors.malformed_request() from None


class NoText(ValueError):
    """JSON that holds NUL or half a surrogate pair, which neither PostgreSQL nor UTF-8 has."""


def load_json(source: bytes) -> Any:
    """The one reader of JSON that somebody sent, in a body or a cursor: numbers with a point are Decimals. ValueError for what
    is none, is no UTF-8, or is nested deeper than MOST_NESTED; NoText, which is one."""
    try:
        data = json.loads(source.decode(), parse_float=json_number, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    # What nests has brackets: of a small body nothing has to be walked through.
    if b"\\u" in source or source.count(b"[") + source.count(b"{") > MOST_NESTED:
        _check_parts(data)
    return data


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _check_parts(data: object) -> None:
    level, depth = [data], 0
    while level:
        depth += 1
        if depth > MOST_NESTED:
            raise ValueError("it is nested too deep")
        if any(UNSTORABLE.search(value) for value in level if isinstance(value, str)):
            raise NoText("The body holds a character that is not text (NUL or a lone surrogate).")
        level = [part for value in level for part in _parts(value)]


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return (*value, *value.values())
    return value if isinstance(value, list) else ()
