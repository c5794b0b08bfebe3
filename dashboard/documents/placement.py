"""Where the values of an e-invoice stand on the page that it came with: only where the page says the same, in one place. And where
a text says the number of a bill and the day that it is due.

Runs in the program alone.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from dashboard.documents.bill_fields import due_days_printed, numbers_printed
from dashboard.documents.lines import DocumentLine
from dashboard.documents.readings import InvoiceLine, Reading, Value

# What is shorter stands on a page by chance.
SHORTEST_NUMBER, SHORTEST_WORDS = 3, 4


def placed(inside: Reading, printed: Reading, lines: Sequence[DocumentLine]) -> Reading:
    """The e-invoice's reading with the page and the box of each value that the page says, too; `printed` is what was read from
    its text, `lines` are those of the text."""
    return replace(
        inside,
        merchant=_like(inside.merchant, printed.merchant, _folded),
        date=_like(inside.date, printed.date, str),
        total=_like(inside.total, printed.total, _plain),
        tax=_like(inside.tax, printed.tax, _plain),
        currency=_like(inside.currency, printed.currency, str),
        # An e-invoice need not name an account: the one that its page asks to be paid on is compared all the same.
        account=_like(inside.account, printed.account, str) or printed.account,
        number=_number(inside.number, lines),
        due=_due(inside.due, lines),
        lines=tuple(_described(line, lines) for line in inside.lines),
    )


def announced(reading: Reading, lines: Sequence[DocumentLine]) -> Reading:
    """A text's reading with the number of the bill and the day that it is due, each with the one line that says it."""
    numbers, days = numbers_printed(reading.words), due_days_printed(reading.words)
    number = Value(numbers[0], "likely") if numbers else None
    due = Value(days[0][1].isoformat(), "likely") if days else None
    return replace(reading, number=_number(number, lines), due=_standing(due, days[0][0] if days else "", lines))


def _like(value: Value | None, printed_value: Value | None, plain: Callable[[str], str]) -> Value | None:
    if value is None or printed_value is None or plain(value.text) != plain(printed_value.text):
        return value
    return replace(value, page=printed_value.page, box=printed_value.box)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _plain(amount: str) -> str:
    """An amount without the zeros behind its decimals."""
    return amount.rstrip("0").rstrip(".") if "." in amount else amount


def _number(number: Value | None, lines: Sequence[DocumentLine]) -> Value | None:
    return _standing(number, number.text, lines) if number else None


def _standing(value: Value | None, written: str, lines: Sequence[DocumentLine]) -> Value | None:
    """The value with the page and the box of the one line that has it, as it is `written` there."""
    if value is None or len(written) < SHORTEST_NUMBER:
        return value
    alone = re.compile(rf"(?<![\w-]){re.escape(written)}(?![\w-])", re.IGNORECASE)
    line = _only([line for line in lines if alone.search(line.text)])
    return replace(value, page=line.page, box=line.box) if line else value


def _due(due: Value | None, lines: Sequence[DocumentLine]) -> Value | None:
    if due is None:
        return None
    line = _only([line for line in lines for _, day in due_days_printed(line.text) if day.isoformat() == due.text])
    return replace(due, page=line.page, box=line.box) if line else due


def _described(invoice_line: InvoiceLine, lines: Sequence[DocumentLine]) -> InvoiceLine:
    words = _folded(invoice_line.description)
    if len(words) < SHORTEST_WORDS:
        return invoice_line
    line = _only([line for line in lines if words in _folded(line.text)])
    return replace(invoice_line, page=line.page, box=line.box) if line else invoice_line


def _only(lines: list[DocumentLine]) -> DocumentLine | None:
    return lines[0] if len(lines) == 1 else None
