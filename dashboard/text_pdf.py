"""A text as a PDF, written by PDFium: it can be searched and copied, and is set in one of the fonts every reader has."""

from __future__ import annotations

import ctypes
import io
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pypdfium2

A4 = (842, 595)
MARGIN, SIZE, LEADING = 36, 8, 11
# Courier's characters are six tenths of their size wide: what stands below another thing stands exactly below it.
WIDTH = int((A4[0] - 2 * MARGIN) / (SIZE * 0.6))
LINES = (A4[1] - 2 * MARGIN) // LEADING - 2
FONT = "Courier"
REPLACED = "?"
# What the footer leaves for ", page 1,234 of 1,234".
FOOTER = WIDTH - 24


def printable(line: str) -> str:
    """The line as the font can print it: what it lacks is a question mark."""
    spaced = line.replace("\u00a0", " ").replace("\u202f", " ").replace("\u00b7", ".").replace("\u2212", "-")
    spaced = spaced.replace("\u2013", "-").replace("\u201c", '"').replace("\u201d", '"').replace("\u2022", "*")
    return "".join(
        character if " " <= character <= "~" or "\u00a1" <= character <= "\u00ff" else REPLACED for character in spaced
    )


def text_pdf(lines: Sequence[str], footer: str) -> bytes:
    """The bytes of a PDF with these lines as pages of LINES; each page ends with `footer`, cut to its place, and its number.

    A line that is wider than a page goes on below, whatever it holds. Characters that the font lacks are printed as REPLACED.
    """
    # Its C interface alone is 3 MB in each process: loaded by the first document.
    import pypdfium2

    fitting = [piece for line in lines for piece in _fitted(line)]
    pages = [fitting[start : start + LINES] for start in range(0, len(fitting), LINES)] or [[]]
    footer = footer if len(footer) <= FOOTER else f"{footer[: FOOTER - 2]}.."
    document = pypdfium2.PdfDocument.new()
    try:
        for number, page_lines in enumerate(pages, 1):
            _page(document, [*map(printable, page_lines), "", printable(f"{footer}, page {number} of {len(pages)}")])
        file = io.BytesIO()
        document.save(file)
    finally:
        document.close()
    return file.getvalue()


def _fitted(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip()), WIDTH // 2)
    return textwrap.wrap(line, WIDTH, subsequent_indent=f"{indent}  ") or [""]


def _page(document: pypdfium2.PdfDocument, lines: Sequence[str]) -> None:
    page = document.new_page(*A4)
    try:
        for number, line in enumerate(lines):
            if line:
                _text(document, page, line, A4[1] - MARGIN - (number + 1) * LEADING)
        page.gen_content()
    finally:
        page.close()


def _text(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, line: str, height: float) -> None:
    from pypdfium2 import raw

    printed = raw.FPDFPageObj_NewTextObj(document, FONT.encode(), SIZE)
    spelt = (line + "\0").encode("utf-16-le")
    raw.FPDFText_SetText(printed, ctypes.cast(ctypes.create_string_buffer(spelt), raw.FPDF_WIDESTRING))
    raw.FPDFPageObj_Transform(printed, 1, 0, 0, 1, MARGIN, height)
    raw.FPDFPage_InsertObject(page, printed)
