"""The shapes of what stands in an address: the only converters that a urls.py of ours may use for a text or a number.

An address of another shape is nobody's: it is answered 404 before any view, and before the database, is asked.
"""

import re
from collections.abc import Mapping
from uuid import UUID

from django.urls import register_converter

# What stands in an address by its name, as the view gets it: texts and numbers of the converters below, and Django's uuid.
AddressParts = Mapping[str, str | int | UUID]
# A service that names its things otherwise cannot be linked to: its link leads to the 404, its list stands all the same.
NOWHERE = "not-addressable"


class Text:
    """A text of one shape; whatever else is put into an address becomes one that leads nowhere."""

    regex = ""

    def to_python(self, value: str) -> str:
        """As it stands in the address."""
        return value

    def to_url(self, value: object) -> str:
        """The text where it has the shape, else NOWHERE."""
        text = str(value)
        return text if re.fullmatch(self.regex, text) else NOWHERE


class RemoteId(Text):
    """An id or a reference of the finance service."""

    regex = r"[A-Za-z0-9][A-Za-z0-9._~:-]{0,63}"


class Word(Text):
    """A name of ours: a kind of item, a list."""

    regex = r"[A-Za-z][A-Za-z0-9_-]{0,63}"


class KeyText(Text):
    """The key of a form, or - for none."""

    regex = r"[A-Za-z0-9._~:-]{1,128}"


class Number:
    """The number of a row of our own; one that no table can hold is no number."""

    regex = "[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        """The digits of a URL as an int."""
        return int(value)

    def to_url(self, value: object) -> str:
        """The number in digits, as the address has it."""
        return str(value)


def register() -> None:
    """Registers the converters with Django as `remote`, `word`, `key` and `number`; called once at start-up."""
    register_converter(RemoteId, "remote")
    register_converter(Word, "word")
    register_converter(KeyText, "key")
    register_converter(Number, "number")
