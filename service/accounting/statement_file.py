"""Reading a bank's CSV: its columns by their usual names, its days and amounts, every wrong line named."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

from service import errors, money
from service.documents import Document

MOST_LINES = 10_000
MOST_ERRORS = 20
NAMES = {
    "date": ("date", "value_date", "booking_date", "transaction_date"),
    "amount": ("amount",),
    "debit": ("debit", "money_out", "withdrawal"),
    "credit": ("credit", "money_in", "deposit"),
    "description": ("description", "details", "narrative", "particulars"),
    "reference": ("reference", "ref", "bank_ref", "transaction_id"),
}
DAY_FORMATS = ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y")


@dataclass(frozen=True, slots=True)
class StatementFileLine:
    """A line as the bank gave it: minor units, positive where money came in; `bank_id` where the bank numbers its lines."""

    number: int
    day: date
    amount_minor: int
    description: str
    reference: str
    bank_id: str = ""


def read_statement_file(document: Document, currency: str) -> list[StatementFileLine]:
    """The lines of a statement. 415 unless it is CSV, 422 naming the columns or lines that cannot be read."""
    if document.kind != "CSV":
        raise errors.unsupported_media_type("a CSV file")
    try:
        text = document.content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = document.content.decode("cp1252")
    first = text.split("\n", 1)[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as refusal:
        raise errors.validation_failed("file", f"This is not readable as CSV: {refusal}.") from None
    if len(rows) > MOST_LINES + 1:
        raise errors.limit_exceeded(f"A statement has at most {MOST_LINES} lines.")
    columns = _columns(rows[0])
    return _lines(rows, columns, currency)


def _columns(header: Sequence[str]) -> dict[str, int]:
    given = [name.strip().lower().replace(" ", "_") for name in header]
    positions = {
        column: next((given.index(name) for name in names if name in given), -1) for column, names in NAMES.items()
    }
    if positions["date"] < 0 or (positions["amount"] < 0 and (positions["debit"] < 0 or positions["credit"] < 0)):
        raise errors.validation_failed(
            "file", "The first line names the columns: a date, and an amount or a debit and a credit.", "columns"
        )
    return positions


def _lines(rows: Sequence[Sequence[str]], columns: dict[str, int], currency: str) -> list[StatementFileLine]:
    lines, field_errors = [], []
    for number, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        try:
            lines.append(_line(number, row, columns, currency))
        except ValueError as refusal:
            field_errors.append(errors.FieldError(field=f"file.{number}", code="invalid", message=str(refusal)))
            if len(field_errors) == MOST_ERRORS:
                break
    if field_errors:
        raise errors.many_validation_failed(field_errors)
    if not lines:
        raise errors.validation_failed("file", "The statement has no lines.", "empty")
    return lines


def _line(number: int, row: Sequence[str], columns: dict[str, int], currency: str) -> StatementFileLine:
    def cell(name: str) -> str:
        place = columns[name]
        return row[place].strip() if 0 <= place < len(row) else ""

    if columns["amount"] >= 0:
        minor = _minor(cell("amount"), currency)
    else:
        minor = abs(_minor(cell("credit") or "0", currency)) - abs(_minor(cell("debit") or "0", currency))
    if minor == 0:
        raise ValueError("The amount is nothing.")
    return StatementFileLine(number, _day(cell("date")), minor, cell("description")[:300], cell("reference")[:100])


def _day(text: str) -> date:
    for form in DAY_FORMATS:
        try:
            return datetime.strptime(text, form).date()  # noqa: DTZ007  a day, no moment
        except ValueError:
            continue
    raise ValueError("The date is not written as 2026-03-31, 31/03/2026 or 31.03.2026.")


def _minor(text: str, currency: str) -> int:
    """An amount with a point for decimals; commas and blanks between thousands are left out."""
    try:
        exact = Decimal(text.replace(",", "").replace(" ", "").replace("\u00a0", ""))
    except InvalidOperation:
        raise ValueError("The amount is not a number.") from None
    return money.to_minor(exact, currency)
