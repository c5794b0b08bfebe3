"""A file of an export, and the text of tables that a program reads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from dashboard.spreadsheet import without_formulas


@dataclass(frozen=True, slots=True)
class ExportFile:
    """The name, the bytes and how many lines of the journal are in it."""

    name: str
    content: bytes
    row_count: int


def import_table(headings: Sequence[str], rows: Iterable[Sequence[str | Decimal | None]]) -> bytes:
    """A CSV as the importer of an accounting package reads it (UTF-8, RFC 4180): amounts as they are, every text quoted.

    No cell is marked for spreadsheets: the package would take the mark into its books, and an account that begins with
    one would be unknown to it. So what could be run is taken out of every text here, whoever wrote it, wherever another
    locale finds the beginning of a cell in it.
    """
    lines = [",".join(map(_cell, row)) for row in (headings, *rows)]
    return "".join(f"{line}\r\n" for line in lines).encode()


def _cell(value: str | Decimal | None) -> str:
    if isinstance(value, Decimal):
        return amount_text(value)
    text = without_formulas(value or "").replace('"', '""')
    return f'"{text}"' if text else ""


def export_text(text: str, longest: int) -> str:
    """What people wrote in one line, without what could be run as a formula, up to so many characters. The table for
    spreadsheets (csv_table) has it whole."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return without_formulas(line.lstrip(" '")).lstrip(" '")[:longest].rstrip()


def amount_text(amount: Decimal | None) -> str:
    """The amount with the digits of its currency and a point; "" for none."""
    return "" if amount is None else format(amount, "f")


def part_name(stem: str, number: int, count: int, ending: str) -> str:
    """The name of a file of one or several."""
    return f"{stem}.{ending}" if count == 1 else f"{stem}-{number}-of-{count}.{ending}"
