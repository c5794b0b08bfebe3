"""Texts that people type into the interface: trimmed, one line, never empty; and codes made from names."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints


def _printable(value: str) -> str:
    if any(ord(character) < 32 or ord(character) == 127 for character in value):
        raise ValueError("It holds a control character.")
    return value


Words = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100), AfterValidator(_printable)
]
Code = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9_\-]{0,39}$")]
Phone = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^\+?[0-9]{7,15}$")]
Email = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, max_length=254, pattern=r"^[^@\s<>\x00-\x1f]+@[^@\s<>\x00-\x1f]+\.[A-Za-z0-9\-]{2,}$"
    ),
    Field(examples=["carla@example.com"]),
]
ObjectId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{24}$"), Field(examples=["0192f0c0ffee000012345678"])]


def code_from(name: str) -> str:
    """A code from a name: Office supplies → OFFICE_SUPPLIES."""
    return re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_")[:40] or "CODE"
