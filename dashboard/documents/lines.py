"""The text of a PDF's pages as lines, each with where it stands. Runs in the program alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboard.documents import limits
from dashboard.documents.readings import Box

if TYPE_CHECKING:
    import pypdfium2


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """A line of text, on which page (from 1), and where; `tall` is the height of its letters in points."""

    text: str
    page: int
    box: Box | None = None
    tall: float = 0.0


@dataclass(slots=True)
class _Piece:
    text: str
    left: float
    bottom: float
    right: float
    top: float

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def pdf_lines(document: pypdfium2.PdfDocument) -> list[DocumentLine]:
    """The lines of the first pages and of the last one, from top to bottom; columns of one height are one line."""
    lines: list[DocumentLine] = []
    pages = list(range(min(len(document), limits.MOST_PAGES_READ)))
    if len(document) > len(pages):
        pages.append(len(document) - 1)
    for number in pages:
        try:
            lines += _lines_of(document, number)
        except pypdfium2.PdfiumError:
            continue
        if sum(len(line.text) for line in lines) > limits.MOST_TEXT:
            break
    return lines


def _lines_of(document: pypdfium2.PdfDocument, number: int) -> list[DocumentLine]:
    page = document[number]
    width, height = page.get_size()
    text = page.get_textpage()
    pieces = []
    for place in range(min(text.count_rects(), limits.MOST_PIECES_PER_PAGE)):
        left, bottom, right, top = text.get_rect(place)
        words = " ".join(text.get_text_bounded(left, bottom, right, top).split())
        if words:
            pieces.append(_Piece(words, left, bottom, right, top))
    return [_line(row, number + 1, width, height) for row in _rows(pieces)]


def _rows(pieces: Iterable[_Piece]) -> list[list[_Piece]]:
    rows: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.middle):
        row = rows[-1] if rows else []
        near = row and abs(row[0].middle - piece.middle) < 0.6 * min(
            max(row[0].top - row[0].bottom, 1), max(piece.top - piece.bottom, 1)
        )
        if near:
            row.append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def _line(row: list[_Piece], page: int, width: float, height: float) -> DocumentLine:
    left, right = min(piece.left for piece in row), max(piece.right for piece in row)
    bottom, top = min(piece.bottom for piece in row), max(piece.top for piece in row)

    def part(length: float, whole: float) -> int:
        return max(0, min(1000, round(1000 * length / whole))) if whole > 0 else 0

    box = Box(part(left, width), part(height - top, height), part(right - left, width), part(top - bottom, height))
    return DocumentLine(
        "  ".join(piece.text for piece in row)[: limits.LONGEST_LINE],
        page,
        box,
        max(piece.top - piece.bottom for piece in row),
    )


def plain_lines(text: str) -> list[DocumentLine]:
    """The lines of a text that stands on one page, somewhere."""
    return [
        DocumentLine(" ".join(line.split())[: limits.LONGEST_LINE], 1)
        for line in text[: limits.MOST_TEXT].splitlines()
        if line.strip()
    ]
