"""CSV, by a mapping of its columns that a person has said once for each header."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256

from dashboard.bank_statements.statement import (
    MOST_LINES,
    ParsedStatement,
    StatementLine,
    joined_statements,
    minor_of,
    read_parts,
    refuse,
    single_line,
)
from dashboard.sheets import SheetError, read_text

NAME = "CSV"
DAY_FORMATS = {
    "%Y-%m-%d": "2026-03-31", "%d/%m/%Y": "31/03/2026", "%m/%d/%Y": "03/31/2026", "%d.%m.%Y": "31.03.2026",
}  # fmt: skip
MARKS = {".": "1,250.50", ",": "1.250,50"}


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """The columns by their names in the header, "" for one that the file does not have: one amount, or debit and credit."""

    day: str
    day_format: str
    mark: str
    amount: str = ""
    debit: str = ""
    credit: str = ""
    description: str = ""
    reference: str = ""


def table_of(content: bytes) -> list[tuple[int, list[str]]]:
    """The filled rows of a file, its header first, each with its number among all rows of the file, blank ones counted, as a
    spreadsheet counts them; StatementError for what is no table."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    if "\x00" in text:
        raise refuse("The file is not a text.")
    try:
        numbered = enumerate(read_text(text.replace("\r\n", "\n")), start=1)
        rows = [(number, row) for number, row in numbered if any(cell.strip() for cell in row)]
    except SheetError as wrong:
        raise refuse(str(wrong)) from None
    if len(rows) < 2 or len(rows[0][1]) < 2:
        raise refuse("The file is no table with a header and rows.")
    if len(rows) > MOST_LINES + 1:
        raise refuse(f"The statement has more than {MOST_LINES:,} lines: split it.")
    return rows


def header_of(content: bytes) -> list[str]:
    """The names of the columns: the first row of the table, at most 60 characters each."""
    return [single_line(cell, 60) for cell in table_of(content)[0][1]]


def header_key(header: Sequence[str]) -> str:
    """What a header is known again by."""
    return sha256("\x1f".join(name.casefold() for name in header).encode()).hexdigest()


def parse(
    content: bytes, mapping: ColumnMapping, currency: str, opening_minor: int, closing_minor: int
) -> ParsedStatement:
    """The statement of a file, with the balances that a person has said; StatementError names every wrong row."""
    (_, header), *rows = table_of(content)
    names = [single_line(cell, 60) for cell in header]
    numbered = ((number, dict(zip(names, row, strict=False))) for number, row in rows)
    lines = read_parts(numbered, lambda row: _line(*row, mapping, currency))
    days = [line.day for line in lines]
    return joined_statements(
        [ParsedStatement(NAME, "", currency, min(days), max(days), opening_minor, closing_minor, lines)]
    )


def _line(number: int, cells: dict[str, str], mapping: ColumnMapping, currency: str) -> StatementLine:
    if mapping.amount:
        minor = _minor(cells.get(mapping.amount, ""), mapping.mark, currency, number)
    else:
        credit, debit = (cells.get(name, "").strip() for name in (mapping.credit, mapping.debit))
        minor = abs(_minor(credit or "0", mapping.mark, currency, number))
        minor -= abs(_minor(debit or "0", mapping.mark, currency, number))
    if minor == 0:
        raise refuse("The amount is nothing.", number)
    description, reference = (single_line(cells.get(name, ""), most) for name, most in (
        (mapping.description, 300), (mapping.reference, 100),
    ))  # fmt: skip
    return StatementLine(number, _day(cells.get(mapping.day, ""), mapping, number), minor, description, reference)


def _day(text: str, mapping: ColumnMapping, row: int) -> date:
    try:
        return datetime.strptime(text.strip(), mapping.day_format).date()  # noqa: DTZ007  a day, no moment
    except ValueError:
        raise refuse(f"The date is not written as {DAY_FORMATS[mapping.day_format]}.", row) from None


def _minor(text: str, decimal_mark: str, currency: str, row: int) -> int:
    bare = "".join(text.split()).replace("." if decimal_mark == "," else ",", "")
    return minor_of(bare.replace(",", ".") if decimal_mark == "," else bare, currency, row)
