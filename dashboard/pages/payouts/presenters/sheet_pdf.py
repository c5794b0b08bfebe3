"""The closing sheet as a PDF."""

import textwrap
from collections.abc import Iterator

from dashboard.pages.payouts.presenters.sheet import NOTE, ClosingSheet, SheetRow
from dashboard.text_pdf import REPLACED, WIDTH, printable, text_pdf

COLUMNS = ((26, "Receiver"), (24, "Channel and account"), (10, "Status"), (18, "Failure"), (20, "Provider reference"))
# A note stands below its payment, whole: no column would hold it.
NOTE_INDENT = "  "
AMOUNTS = ((14, "Amount"), (14, "Sent"), (11, "Fee"), (14, "Ledger"))


def closing_pdf(sheet: ClosingSheet) -> bytes:
    """The bytes of the sheet: its sums and what it is equal to first, then a line per payment, numbered by page."""
    lines = [printable(line) for line in _lines(sheet)]
    if any(REPLACED in line for line in lines):
        lines.insert(2, "Characters that this file's font lacks are printed as ?: the CSV file has them.")
    return text_pdf(lines, sheet.number)


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
    if sheet.has_notes:
        yield f"{NOTE_INDENT}{NOTE}"
    yield "-" * WIDTH
    for row in sheet.rows:
        yield _row(sheet, row)
        yield from textwrap.wrap(row.note, WIDTH, initial_indent=NOTE_INDENT, subsequent_indent=NOTE_INDENT)


def _row(sheet: ClosingSheet, row: SheetRow) -> str:
    cells = [row.receiver, f"{row.channel} {row.account}", row.state, row.failure, row.provider_ref]
    ledger = sheet.money(sum(row.ledger)) if row.ledger else ""
    amounts = [sheet.money(minor) for minor in (row.amount, row.sums.sent, row.sums.fees)]
    return _line(cells, [*amounts, ledger])


def _line(cells: list[str], amounts: list[str]) -> str:
    left = [f"{_cut(cell, width - 1):<{width}}" for cell, (width, _) in zip(cells, COLUMNS, strict=True)]
    # A space before each, so that an amount that fills its column is not taken for a part of the one before.
    right = [f" {amount:>{width - 1}}" for amount, (width, _) in zip(amounts, AMOUNTS, strict=True)]
    return "".join((*left, *right))


def _cut(cell: str, width: int) -> str:
    return cell if len(cell) <= width else f"{cell[: width - 2]}.."
