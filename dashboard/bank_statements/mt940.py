"""MT940, the customer statement of SWIFT; each block that begins with :20: is read by the library mt-940."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from itertools import count

from dashboard.bank_statements.statement import (
    ParsedStatement,
    StatementLine,
    joined_statements,
    minor_of,
    read_parts,
    refuse,
    single_line,
)

NAME = "MT940"
NOT_READ = "The MT940 cannot be read: a balance or another field of it is not written as the format says."
LINE_NOT_READ = (
    "The line (:61:) cannot be read: its date, its mark (C or D) or its amount is not written as the format says."
)
# What a line is made of: its own field, up to the next one.
LINE_FIELD = re.compile(r"^:61:.*?(?=^:|\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^(?=:20:)", re.MULTILINE)
# Debits, and credits that were taken back.
OUT = {"D", "RC"}
NO_REFERENCE = {"", "NONREF"}


def parse(content: bytes) -> ParsedStatement:
    """The statement of a file; StatementError where a block has no balances or cannot be read, and for each line that cannot."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    blocks = [block for block in BLOCK.split(text.replace("\r\n", "\n")) if block.startswith(":20:")]
    places = count(1)
    return joined_statements(read_parts(blocks, lambda block: _statement(block, places)))


def _statement(block: str, places: Iterator[int]) -> ParsedStatement:
    from mt940.models import Transactions

    read = Transactions()
    try:
        rows = list(read.parse(block))
    # The library raises whatever its patterns run into, and does not say at which line.
    except Exception:
        fields = zip(LINE_FIELD.findall(block), places, strict=False)
        read_parts(fields, lambda field: _prove_line(*field))
        raise refuse(NOT_READ) from None
    opening = read.data.get("final_opening_balance") or read.data.get("intermediate_opening_balance")
    closing = read.data.get("final_closing_balance") or read.data.get("intermediate_closing_balance")
    if opening is None or closing is None or closing.amount is None or opening.amount is None:
        raise refuse("The statement has no opening or no closing balance.")
    currency = single_line(closing.amount.currency, 3)
    numbered = [(row.data, place) for row, place in zip(rows, places, strict=False)]
    lines = read_parts([row for row in numbered if row[0].get("amount") is not None], lambda row: _line(*row, currency))
    days = [line.day for line in lines]
    last = max([_plain_day(closing.date), *days])
    # The opening balance is that of the evening before; where there are lines of before that, of their first day.
    first = min([*days, last, _plain_day(opening.date) + timedelta(days=1)])
    return ParsedStatement(
        NAME, single_line(read.data.get("account_identification"), 40), currency, first, last,
        minor_of(opening.amount.amount, currency), minor_of(closing.amount.amount, currency), lines,
    )  # fmt: skip


def _prove_line(field: str, place: int) -> None:
    """Reads a line by itself; StatementError at its place where that cannot be done."""
    from mt940.models import Transactions

    try:
        Transactions().parse(f":20:LINE\n{field}")
    except Exception:
        raise refuse(LINE_NOT_READ, place) from None


def _plain_day(day: date) -> date:
    return date(day.year, day.month, day.day)


def _line(data: dict[str, object], row: int, currency: str) -> StatementLine:
    amount: Decimal = data["amount"].amount  # type: ignore[attr-defined]
    minor = abs(minor_of(amount, currency, row))
    # Of the day of booking where the line says one, as its balance is: "date" is the day of its value.
    day = data.get("entry_date") or data.get("date")
    if not isinstance(day, date):
        raise refuse("The line has no date.", row)
    texts = " ".join(
        single_line(data.get(name), 300)
        for name in ("transaction_details", "purpose", "applicant_name", "extra_details")
    )
    reference = single_line(data.get("customer_reference"), 100)
    return StatementLine(
        row, _plain_day(day), -minor if single_line(data.get("status"), 2) in OUT else minor, single_line(texts, 300),
        "" if reference in NO_REFERENCE else reference, single_line(data.get("bank_reference"), 100),
    )  # fmt: skip
