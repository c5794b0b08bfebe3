"""OFX, as banks offer it for downloading: read by the library ofxtools. The opening balance is closing less the lines.

A day is the one that the file writes: of a moment that of its own zone, or as it stands where it names none, never of UTC.
"""

import io
import re
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import count
from typing import Any
from xml.etree.ElementTree import Element

from dashboard.bank_statements.statement import (
    ParsedStatement,
    StatementLine,
    joined_statements,
    minor_of,
    read_parts,
    refuse,
    single_line,
)

NAME = "OFX"
ROW_NOT_READ = (
    "The transaction cannot be read as OFX: its type, date (DTPOSTED), amount (TRNAMT) or number (FITID) is missing or not written as the"
    " format says."
)
FORBIDDEN = (b"<!DOCTYPE", b"<!ENTITY")
# A moment: its day as it is written, and the rest of it.
MOMENT = re.compile(r"\s*(\d{8})(?:\d{4}|\d{6})(?:\.\d{3})?(?:\[[^\]]*\])?\s*")


def parse(content: bytes) -> ParsedStatement:
    """The statement of a file; StatementError for what is none, for a document type, and for each transaction that is wrong."""
    if any(declaration in content.upper() for declaration in FORBIDDEN):
        raise refuse("The file declares a document type or entities: that is refused.")
    # Loaded by the first file that is brought: no process should carry its 800 models that reads none.
    from ofxtools.Parser import OFXTree

    tree = OFXTree()
    try:
        tree.parse(io.BytesIO(content))
        _keep_written_days(tree.iter())
        statements = list(tree.convert().statements)
    # The library raises whatever its parser and its models run into.
    except Exception as wrong:
        read_parts(enumerate(tree.iter("STMTTRN"), start=1), lambda row: _prove_row(*row))
        raise refuse(f"The OFX cannot be read: {single_line(wrong, 120)}.") from None
    places = count(1)
    return joined_statements(read_parts(statements, lambda statement: _statement(statement, places)))


def _prove_row(place: int, element: Element) -> None:
    """Reads a transaction by itself; StatementError at its place where that cannot be done: of a whole file the library does not
    say at which."""
    from ofxtools.models.base import Aggregate

    try:
        Aggregate.from_etree(element)
    except Exception:
        raise refuse(ROW_NOT_READ, place) from None


def _keep_written_days(elements: Iterable[Element]) -> None:
    """Leaves of each moment in a file the day alone: the library turns moments into those of UTC, which may be of another day."""
    for element in elements:
        moment = MOMENT.fullmatch(element.text or "") if element.tag.startswith("DT") else None
        if moment:
            element.text = moment[1]


def _statement(read: object, places: Iterator[int]) -> ParsedStatement:
    currency = str(getattr(read, "curdef", ""))
    balance, account = getattr(read, "ledgerbal", None), getattr(read, "account", None)
    if balance is None or account is None:
        raise refuse("The statement has no closing balance or no account.")
    listed = getattr(read, "banktranlist", None)
    rows = list(listed or ())
    lines = read_parts(zip(rows, places, strict=False), lambda row: _line(*row, currency))
    closing = minor_of(balance.balamt, currency)
    days = [line.day for line in lines]
    # The balance is often of the day of downloading, later than the last day that was asked for: the statement reaches so far.
    last = max([_day(balance.dtasof), *([_day(listed.dtend)] if listed is not None else []), *days])
    first = min([_day(listed.dtstart) if listed is not None else last, *days])
    opening = closing - sum(line.amount_minor for line in lines)
    until = max([_day(listed.dtend), *days]) if listed is not None else None
    return ParsedStatement(
        NAME, single_line(account.acctid, 40), currency, first, last, opening, closing, lines, has_opening=False,
        lines_until=until,
    )  # fmt: skip


def _day(moment: date) -> date:
    return date(moment.year, moment.month, moment.day)


def _line(row: Any, place: int, currency: str) -> StatementLine:
    texts = " ".join(single_line(getattr(row, name, ""), 300) for name in ("name", "memo"))
    reference = single_line(getattr(row, "refnum", "") or getattr(row, "checknum", ""), 100)
    return StatementLine(
        place, _day(row.dtposted), minor_of(row.trnamt, currency, place), single_line(texts, 300),
        reference, single_line(getattr(row, "fitid", ""), 100),
    )  # fmt: skip
