"""How rows become a file: CSV or XLSX, safe from being read as formulas, with what was asked and its totals below."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from dashboard.spreadsheet import rows_writer, safe_row, write_text, write_texts

MOST_XLSX_ROWS = 1_000_000  # what one sheet holds, less its heading and its totals
FIRST_YEAR = 1900  # before it a sheet has no days
Rows = Iterable[Sequence[tuple[Any, ...]]]
Summary = Sequence[tuple[str, Any]]
FORMATS = {0: "#,##0", 2: "#,##0.00", 3: "#,##0.000", 4: "#,##0.0000"}


def write(
    form: str, path: Path, headings: Sequence[str], batches: Rows, summary: Summary, progress: Callable[[int], None]
) -> None:
    """Writes the batches of rows to the path; `progress` is told after each how many rows there are by now."""
    (_csv if form == "csv" else _xlsx)(path, headings, batches, summary, progress)


def _csv(path: Path, headings: Sequence[str], batches: Rows, summary: Summary, progress: Callable[[int], None]) -> None:
    # The mark at the beginning tells spreadsheets that this is UTF-8.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = rows_writer(file)
        writer.writerow(safe_row(headings))
        rows_written = 0
        for batch in batches:
            writer.writerows(safe_row(row) for row in batch)
            rows_written += len(batch)
            progress(rows_written)
        writer.writerow(())
        writer.writerows(safe_row(line) for line in summary)


def _xlsx(
    path: Path, headings: Sequence[str], batches: Rows, summary: Summary, progress: Callable[[int], None]
) -> None:
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "in_memory": False}
    import xlsxwriter

    book = xlsxwriter.Workbook(str(path), {**options, "tmpdir": str(path.parent)})
    sheet, bold = book.add_worksheet(), book.add_format({"bold": True})
    numbers = {places: book.add_format({"num_format": form}) for places, form in FORMATS.items()}
    day, moment = (book.add_format({"num_format": form}) for form in ("yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"))
    sheet.freeze_panes(1, 0)
    write_texts(sheet, 0, headings, bold)
    at = 0
    for batch in batches:
        for row in batch:
            at += 1
            for place, value in enumerate(row):
                if isinstance(value, Decimal):
                    exponent = value.as_tuple().exponent
                    places = -exponent if isinstance(exponent, int) else 2
                    # XlsxWriter writes the digits of a Decimal as they are.
                    sheet.write(at, place, value, numbers.get(places, numbers[2]))
                elif isinstance(value, int):
                    sheet.write_number(at, place, value)
                elif isinstance(value, datetime) and value.year >= FIRST_YEAR:
                    # A sheet knows no zones: a moment stands there in UTC, as its column says.
                    local = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
                    sheet.write_datetime(at, place, local, moment)
                elif isinstance(value, date) and value.year >= FIRST_YEAR:
                    sheet.write(at, place, value, day)
                elif value is not None:
                    write_text(sheet, at, place, str(value))
        progress(at)
    for offset, line in enumerate(summary, 2):
        write_texts(sheet, at + offset, line, bold)
    book.close()
