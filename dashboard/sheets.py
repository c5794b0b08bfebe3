"""Tables that people bring: pasted text, CSV and Excel files, read into rows of cells as they are written there.

What a cell says is not judged here. What cannot be read in one way alone (a formula, merged or hidden cells, several
sheets) is refused with a sentence.
"""

import csv
import io
import re
import zipfile
from collections.abc import Mapping
from decimal import Decimal
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from dashboard.spreadsheet import unmarked

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

SEPARATORS = "\t;,"
# What a workbook may come to when it is unpacked: a small file can hold gigabytes.
MAX_UNPACKED = 40 * 1024 * 1024
SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
PIECE = 256 * 1024
MAX_ROW = 4 * 1024 * 1024
# A spreadsheet computes with 15 digits, and shows no more of a number.
DIGITS = ".15g"


class SheetError(ValueError):
    """No table that can be read; the text is a sentence for whoever brought it."""


class TooManyRows(SheetError):
    """More filled rows than may be brought at once: what is after them was not read."""


def read_text(text: str, most: int = 0) -> list[list[str]]:
    """The rows of pasted or CSV text, separated by tab, semicolon or comma, whichever its first line has most of; without the
    quotes that our own files have before what a spreadsheet would run, so that what is exported is imported as it was.

    Raises SheetError for a quote that is never closed, and with `most` TooManyRows for more filled rows than that.
    """
    first = text.split("\n", 1)[0]
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        rows = list(islice(reader, most + 1)) if most else list(reader)
        # No more rows than that: so many are filled at most.
        filled = sum(map(any, rows)) if most and len(rows) > most else 0
        for row in reader:
            rows.append(row)
            filled += any(row)
            if filled > most:
                break
    except csv.Error as error:
        raise SheetError(f"This cannot be read as a table: {error}.") from None
    if filled > most:
        raise TooManyRows("It has too many rows.")
    # Most tables have no such quote anywhere.
    return [[unmarked(cell) if "'" in cell else cell for cell in row] for row in rows] if "'" in text else rows


def read_workbook(file: IO[bytes], most: int = 0) -> list[list[str]]:
    """The rows of an Excel file with one sheet. Raises SheetError for what is none, or hides something, and with `most`
    TooManyRows for more filled rows than that, before any of them is read."""
    # Loaded by the first file that is brought: half as much as all else that a web process starts with.
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with zipfile.ZipFile(file) as packed:
            if sum(part.file_size for part in packed.infolist()) > MAX_UNPACKED:
                raise SheetError("The workbook is too large when it is unpacked: split it.")
            if most and any(_rows_in(packed, name) > most for name in packed.namelist() if SHEET.fullmatch(name)):
                raise TooManyRows("It has too many rows.")
        file.seek(0)
        book = load_workbook(file)
    except (zipfile.BadZipFile, InvalidFileException, KeyError, ValueError, EOFError) as wrong:
        if isinstance(wrong, SheetError):
            raise
        raise SheetError("The file cannot be read as an Excel workbook (.xlsx).") from None
    filled = [sheet for sheet in book.worksheets if sheet.max_row > 1 or sheet["A1"].value is not None]
    if len(filled) != 1:
        count = f"{len(filled)} sheets with data" if filled else "no sheet with data"
        raise SheetError(f"The workbook has {count}: keep one.")
    return _cells(filled[0])


def _rows_in(packed: zipfile.ZipFile, name: str) -> int:
    """How many rows of a sheet have cells that hold something, counted piece by piece as they are unpacked."""
    count, before = 0, b""
    with packed.open(name) as sheet:
        while piece := sheet.read(PIECE):
            *rows, before = (before + piece).split(b"</row>")
            count += sum(b"<v>" in row or b"<is>" in row for row in rows)
            if len(before) > MAX_ROW:
                raise SheetError("The workbook has a row that is too long.")
    return count


def _cells(sheet: "Worksheet") -> list[list[str]]:
    if merged := sorted(str(area) for area in sheet.merged_cells.ranges):
        raise SheetError(f"Cells are merged ({', '.join(merged[:3])}): each row needs its own.")
    hidden = sorted(number for number, row in sheet.row_dimensions.items() if row.hidden)
    columns = _hidden_columns(sheet)
    if hidden or columns or sheet.sheet_state != "visible":
        where = f"rows {', '.join(map(str, hidden[:5]))}" if hidden else "the sheet"
        where = f"columns {', '.join(columns[:5])}" if columns and not hidden else where
        raise SheetError(f"Something is hidden ({where}): show it or delete it.")
    return [[_cell(cell) for cell in row] for row in sheet.iter_rows()]


def _hidden_columns(sheet: "Worksheet") -> list[str]:
    """The letters of the hidden columns among those that hold something; a group of them has one entry for all."""
    from openpyxl.utils import column_index_from_string, get_column_letter

    hidden: set[int] = set()
    for letter, column in sheet.column_dimensions.items():
        if column.hidden:
            first = column.min or column_index_from_string(letter)
            hidden |= set(range(first, min(column.max or first, sheet.max_column) + 1))
    return [
        get_column_letter(number)
        for number in sorted(hidden)
        if any(cells[0] is not None for cells in sheet.iter_rows(min_col=number, max_col=number, values_only=True))
    ]


def _cell(cell: Any) -> str:
    kind, value = cell.data_type, cell.value
    # Most cells of a long table are texts, or empty.
    if kind == "s":
        return str(value)
    if value is None:
        return ""
    if kind == "f":
        raise SheetError(f"{cell.coordinate} holds a formula: paste its value.")
    if isinstance(value, float):
        return format(Decimal(format(value, DIGITS)), "f")
    return str(value)


def match_columns(heading: list[str], names: Mapping[str, str], required: tuple[str, ...]) -> list[str]:
    """Our name for each column of a heading, "" for one that we have none for; `names` has them by what people write.

    Raises SheetError where a required column is missing, or one is there twice.
    """
    matched = [names.get(" ".join(cell.strip().lower().replace("_", " ").split()), "") for cell in heading]
    labels = {name: name.replace("_", " ") for name in matched}
    if missing := [name.replace("_", " ") for name in required if name not in matched]:
        raise SheetError(f"The first line names the columns; missing: {', '.join(missing)}.")
    if repeated := next((name for name in matched if name and matched.count(name) > 1), ""):
        raise SheetError(f"Two columns of the first line both say “{labels[repeated]}”: keep one.")
    return matched
