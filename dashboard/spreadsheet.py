"""Text for the cells of a CSV file that no spreadsheet runs, in whatever language and with whatever separator it reads it."""

import csv
import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dashboard.bidi import PAIRED, isolated

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

# What a spreadsheet skips before it looks whether a cell is a formula: spaces, and characters that are not seen;
# and quotes, which in the middle of a file's line open a cell of their own: of x;""=1 another locale reads =1.
UNSEEN = r"[\s\"\x00-\x1f\x7f-\xa0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffc]*"
NO_WIDTH = "\u200b"
# Where a cell begins: at its own beginning, and after what another locale takes for the end of a cell or of a line. What has
# a quote there already gets another one, so that a mark can be told from what was written (`unmarked`).
# Nothing of it is given back once it is read: a cell of two thousand empty lines takes no longer than one of letters.
BEGINS = r"(^|(?<![;\t\r\n|])[;\t\r\n|]++)"
RUNS_NEXT = rf"(?=(?:'|{UNSEEN[:-1]})*+[=+\-@\u2212])"
RUNS, MARKED = re.compile(BEGINS + RUNS_NEXT), re.compile(f"{BEGINS}'{RUNS_NEXT}")
# The signs that are found there, one after the other.
SIGNS = re.compile(rf"{BEGINS}(?:{UNSEEN}+[=+\-@\u2212])++")


def text_cell(text: str) -> str:
    """The text, with a quote in front of whatever could be run as a formula; full-width signs count as what they are.

    >>> text_cell("=1+1"), text_cell("a;=1+1"), text_cell("2 - 1")
    ("'=1+1", "a;'=1+1", '2 - 1')
    """
    for match in reversed(list(RUNS.finditer(_comparable(text)))):
        text = f"{text[: match.end(1)]}'{text[match.end(1) :]}"
    return text


def unmarked(cell: str) -> str:
    """The text of a cell that `text_cell` has written, here or in the service: without the quotes that were put in front.

    >>> unmarked("'=1+1"), unmarked("a;'=1+1"), unmarked("''=1"), unmarked("'tis")
    ('=1+1', 'a;=1+1', "'=1", "'tis")
    """
    for match in reversed(list(MARKED.finditer(_comparable(cell)))):
        cell = cell[: match.end(1)] + cell[match.end(1) + 1 :]
    return cell


def without_formulas(text: str) -> str:
    """The text without the signs that begin a formula wherever a cell may begin, for a file that a program reads: it would take
    the quote of `text_cell` for a part of the text.

    >>> without_formulas("=1+1"), without_formulas("Taxi;=HYPERLINK(1)"), without_formulas("2 - 1")
    ('1+1', 'Taxi;HYPERLINK(1)', '2 - 1')
    """
    for match in reversed(list(SIGNS.finditer(_comparable(text)))):
        text = text[: match.end(1)] + text[match.end() :]
    return text


def _comparable(text: str) -> str:
    # Compatibility forms are compared, never written: a name keeps the characters that it has.
    return text if text.isascii() else "".join(_compared(character) for character in text)


def _compared(character: str) -> str:
    # One for one, so that places stay what they are: only a form that is one other character counts. What no table of
    # characters knows is not seen either.
    normal = unicodedata.normalize("NFKC", character)
    same = normal if len(normal) == 1 else character
    return same if same.isprintable() or same.isspace() else NO_WIDTH


def isolated_cell(text: str) -> str:
    """The text of a cell of any file: an Arabic name as it is, to be looked up by; what was put in to turn text around is
    kept to its cell."""
    return isolated(text) if PAIRED.search(text) else text


def write_text(sheet: Any, row: int, column: int, text: str, style: Any = None) -> None:
    """Writes a cell of a workbook: a string, which is never read as a formula and needs no quote."""
    sheet.write_string(row, column, isolated_cell(text), style)


def write_texts(sheet: Any, row: int, texts: Iterable[Any], style: Any = None) -> None:
    """Writes a row of such cells, from the first column on."""
    for column, text in enumerate(texts):
        write_text(sheet, row, column, str(text), style)


def rows_writer(file: "SupportsWrite[str]") -> Any:
    """A csv.writer that quotes every text cell: a separator of another locale inside it parts nothing."""
    return csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)


def safe_row(values: Iterable[Any]) -> list[Any]:
    """A row as it is written: texts that nothing runs, numbers and days as they are, nothing as an empty text."""
    return [
        text_cell(isolated_cell(value)) if isinstance(value, str) else "" if value is None else value
        for value in values
    ]
