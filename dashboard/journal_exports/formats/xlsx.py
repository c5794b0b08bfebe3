"""An Excel workbook: amounts are numbers with the digits of their currency, and no cell is a formula."""

import io
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal

from dashboard.journal_exports.formats.file import ExportFile
from dashboard.journal_exports.formats.table import HEADINGS, cells, summary
from dashboard.journal_exports.mapped_lines import MappedLine
from dashboard.spreadsheet import write_text, write_texts

NUMBERS = {0: "#,##0", 2: "#,##0.00", 3: "#,##0.000", 4: "#,##0.0000"}
MOST_DIGITS = 15


def write(rows: Sequence[MappedLine], stem: str, company: str) -> list[ExportFile]:
    """One sheet with every line, and the sums of each currency below."""
    file = io.BytesIO()
    import xlsxwriter

    book = xlsxwriter.Workbook(file, {"strings_to_formulas": False, "strings_to_urls": False, "in_memory": True})
    sheet, bold = book.add_worksheet("Journal"), book.add_format({"bold": True})
    formats = {places: book.add_format({"num_format": number}) for places, number in NUMBERS.items()}
    day, moment = (book.add_format({"num_format": shape}) for shape in ("yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"))
    sheet.freeze_panes(1, 0)
    write_texts(sheet, 0, HEADINGS, bold)
    for at, row in enumerate(rows, start=1):
        for place, value in enumerate(cells(row)):
            if isinstance(value, Decimal):
                if len(value.as_tuple().digits) > MOST_DIGITS:
                    # A spreadsheet computes with 15 digits: more of them are text, and stay what they are.
                    write_text(sheet, at, place, format(value, "f"))
                else:
                    places = -int(value.as_tuple().exponent)
                    sheet.write(at, place, value, formats.get(places, formats[2]))
            elif isinstance(value, datetime):
                sheet.write_datetime(at, place, value.astimezone(UTC).replace(tzinfo=None), moment)
            elif isinstance(value, date):
                sheet.write_datetime(at, place, datetime(value.year, value.month, value.day), day)  # noqa: DTZ001
            elif isinstance(value, int):
                sheet.write_number(at, place, value)
            elif value:
                write_text(sheet, at, place, value)
    for offset, line in enumerate(summary(rows), start=2):
        write_texts(sheet, len(rows) + offset, line, bold)
    book.close()
    return [ExportFile(f"{stem}.xlsx", file.getvalue(), len(rows))]
