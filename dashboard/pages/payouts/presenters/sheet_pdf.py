"""The closing sheet as a PDF, written by PDFium: text that can be searched and copied, in one of the fonts every reader has."""

import ctypes
import io
import textwrap
from collections.abc import Iterator

import pypdfium2
from pypdfium2 import raw

from dashboard.pages.payouts.presenters.sheet import ClosingSheet, SheetRow

A4 = (842, 595)
MARGIN, SIZE, LEADING = 36, 8, 11
# Courier's characters are six tenths of their size wide: what stands below another thing stands exactly below it.
WIDTH = int((A4[0] - 2 * MARGIN) / (SIZE * 0.6))
LINES = (A4[1] - 2 * MARGIN) // LEADING - 2
FONT = "Courier"
REPLACED = "?"
COLUMNS = ((26, "Receiver"), (24, "Channel and account"), (10, "Status"), (18, "Failure"), (20, "Provider reference"))
AMOUNTS = ((14, "Amount"), (14, "Sent"), (11, "Fee"), (14, "Ledger"))


def closing_pdf(sheet: ClosingSheet) -> bytes:
    """The bytes of the sheet: its sums and what it is equal to first, then a line per payment, numbered by page."""
    lines = [_printable(line) for line in _lines(sheet)]
    if any(REPLACED in line for line in lines):
        lines.insert(2, "Characters that this file's font lacks are printed as ?: the CSV file has them.")
    pages = [lines[start : start + LINES] for start in range(0, len(lines), LINES)]
    document = pypdfium2.PdfDocument.new()
    try:
        for number, page_lines in enumerate(pages, 1):
            _page(document, [*page_lines, "", f"{sheet.number}, page {number} of {len(pages)}"])
        file = io.BytesIO()
        document.save(file)
    finally:
        document.close()
    return file.getvalue()


def _lines(sheet: ClosingSheet) -> Iterator[str]:
    yield f"Closing sheet of {sheet.title}, {sheet.number}"
    yield f"Seen {sheet.seen}"
    yield ""
    for word, amount in sheet.totals:
        yield f"{word:<12}{amount:>24}"
    yield ""
    for sentence in sheet.sentences:
        yield from textwrap.wrap(sentence, WIDTH)
    for name in sheet.postings:
        yield from textwrap.wrap(f"Posting {name}", WIDTH)
    yield ""
    heading = [word for _, word in COLUMNS]
    yield _line(heading, [word for _, word in AMOUNTS])
    yield "-" * WIDTH
    for row in sheet.rows:
        yield _row(sheet, row)


def _row(sheet: ClosingSheet, row: SheetRow) -> str:
    cells = [row.receiver, f"{row.channel} {row.account}", row.state, row.failure, row.provider_ref]
    ledger = sheet.money(sum(row.ledger)) if row.ledger else ""
    amounts = [sheet.money(minor) for minor in (row.amount, row.sums.sent, row.sums.fees)]
    return _line(cells, [*amounts, ledger])


def _line(cells: list[str], amounts: list[str]) -> str:
    left = [f"{_cut(cell, width - 1):<{width}}" for cell, (width, _) in zip(cells, COLUMNS, strict=True)]
    right = [f"{amount:>{width}}" for amount, (width, _) in zip(amounts, AMOUNTS, strict=True)]
    return "".join((*left, *right))


def _cut(cell: str, width: int) -> str:
    return cell if len(cell) <= width else f"{cell[: width - 2]}.."


def _printable(line: str) -> str:
    spaced = line.replace("\u00a0", " ").replace("\u202f", " ").replace("\u00b7", ".").replace("\u2212", "-")
    return "".join(
        character if " " <= character <= "~" or "\u00a1" <= character <= "\u00ff" else REPLACED for character in spaced
    )


def _page(document: pypdfium2.PdfDocument, lines: list[str]) -> None:
    page = document.new_page(*A4)
    try:
        for number, line in enumerate(lines):
            if line:
                _text(document, page, line, A4[1] - MARGIN - (number + 1) * LEADING)
        page.gen_content()
    finally:
        page.close()


def _text(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, line: str, height: float) -> None:
    printed = raw.FPDFPageObj_NewTextObj(document, FONT.encode(), SIZE)
    spelt = (line + "\0").encode("utf-16-le")
    raw.FPDFText_SetText(printed, ctypes.cast(ctypes.create_string_buffer(spelt), raw.FPDF_WIDESTRING))
    raw.FPDFPageObj_Transform(printed, 1, 0, 0, 1, MARGIN, height)
    raw.FPDFPage_InsertObject(page, printed)
