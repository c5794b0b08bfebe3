"""Text for the cells of a CSV file that no spreadsheet runs, in whatever language and with whatever separator it reads it."""

import csv
import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

NO_WIDTH = "\u200b"
# What a spreadsheet skips before it looks whether a cell is a formula: spaces, and characters that are not seen;
# and quotes, which in the middle of a file's line open a cell of their own: of x;""=1 another locale reads =1.
UNSEEN = r"[\s\"\x00-\x1f\x7f-\xa0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffc]*"
# Where a cell begins: at its own beginning, and after what another locale takes for the end of a cell or of a line. What has
# a quote there already gets another one, so that whoever reads the file can take exactly the marks away.
# Nothing of it is given back once it is read: a cell of two thousand empty lines takes no longer than one of letters.
RUNS = re.compile(rf"(^|(?<![;\t\r\n|])[;\t\r\n|]++)(?=(?:'|{UNSEEN[:-1]})*+[=+\-@\u2212])")


def text_cell(text: str) -> str:
    """The text, with a quote in front of whatever could be run as a formula; full-width signs count as what they are.

    >>> text_cell("=1+1"), text_cell("a;=1+1"), text_cell("2 - 1")
    ("'=1+1", "a;'=1+1", '2 - 1')
    """
    if text.isascii():
        return RUNS.sub(r"\1'", text)
    # Compatibility forms are compared, never written: a name keeps the characters that it has.
    compared = "".join(_compared(character) for character in text)
    marks = [match.end(1) for match in RUNS.finditer(compared)]
    for place in reversed(marks):
        text = f"{text[:place]}'{text[place:]}"
    return text


def _compared(character: str) -> str:
    # One for one, so that places stay what they are: only a form that is one other character counts. What no table of
    # characters knows is not seen either.
    normal = unicodedata.normalize("NFKC", character)
    same = normal if len(normal) == 1 else character
    return same if same.isprintable() or same.isspace() else NO_WIDTH


def rows_writer(file: "SupportsWrite[str]") -> Any:
    """A csv.writer that quotes every text cell: a separator of another locale inside it parts nothing."""
    return csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)


def safe_row(values: Iterable[Any]) -> list[Any]:
    """A row as it is written: texts that nothing runs, numbers and days as they are, nothing as an empty text."""
    return [text_cell(value) if isinstance(value, str) else "" if value is None else value for value in values]
