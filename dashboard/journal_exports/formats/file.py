"""A file of an export, and the text of tables that a program reads."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

# What begins a formula where a spreadsheet opens the file.
FORMULA_SIGNS = "=+-@\u2212\uff1d\uff0b\uff0d\uff20 '"


@dataclass(frozen=True, slots=True)
class ExportFile:
    """The name, the bytes and how many lines of the journal are in it."""

    name: str
    content: bytes
    row_count: int


def import_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A CSV as the importer of an accounting package reads it (UTF-8, RFC 4180).

    No cell is marked for spreadsheets: the package would take the mark into its books, and an account that begins with
    one would be unknown to it. What people wrote goes through `export_text`, which leaves nothing to be run.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(headings)
    writer.writerows(rows)
    return text.getvalue().encode()


def export_text(text: str, longest: int) -> str:
    """What people wrote in one line, without the signs that begin a formula, up to so many characters. The table for
    spreadsheets (csv_table) has it whole."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line.lstrip(FORMULA_SIGNS)[:longest].rstrip()


def amount_text(amount: Decimal | None) -> str:
    """The amount with the digits of its currency and a point; "" for none."""
    return "" if amount is None else format(amount, "f")


def part_name(stem: str, number: int, count: int, ending: str) -> str:
    """The name of a file of one or several."""
    return f"{stem}.{ending}" if count == 1 else f"{stem}-{number}-of-{count}.{ending}"
