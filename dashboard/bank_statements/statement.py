"""What every format is read into: a statement with its lines, amounts in minor units, and what is wrong where."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from typing import TypeVar

from dashboard.money import UnknownCurrencyError, to_minor

MOST_LINES = 5_000
# A JSON number keeps fifteen digits.
LARGEST_MINOR = 10**15 - 1
MOST_PROBLEMS = 50

Part = TypeVar("Part")
ReadPart = TypeVar("ReadPart")


@dataclass(frozen=True, slots=True)
class StatementProblem:
    """What is wrong in a file, at its row (0: the file as a whole)."""

    row: int
    message: str


class StatementError(ValueError):
    """A file that is no statement that can be imported; `problems` says why, row by row."""

    def __init__(self, *problems: StatementProblem) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = problems


def refuse(message: str, row: int = 0) -> StatementError:
    """The error for one thing that is wrong."""
    return StatementError(StatementProblem(row, message))


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One line: its place in the file, minor units, positive where money came in; `bank_id` where the bank numbers its lines."""

    number: int
    day: date
    amount_minor: int
    description: str
    reference: str
    bank_id: str = ""


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """A statement as its file says it. Without `has_opening` the opening balance is closing less lines; `lines_until` is the
    day that its lines reach to, where the balance may be of a later one (None: of the same)."""

    source_format: str
    account: str
    currency: str
    first_day: date
    last_day: date
    opening_minor: int
    closing_minor: int
    lines: Sequence[StatementLine]
    has_opening: bool = True
    lines_until: date | None = None


def read_parts(parts: Iterable[Part], read: Callable[[Part], ReadPart]) -> list[ReadPart]:
    """What is read of each part of a file, its lines or its statements; StatementError with what is wrong in all of them, the
    first MOST_PROBLEMS, so that whoever mends the file is told once."""
    values: list[ReadPart] = []
    problems: list[StatementProblem] = []
    for part in parts:
        try:
            values.append(read(part))
        except StatementError as wrong:
            problems += wrong.problems
    if problems:
        raise StatementError(*problems[:MOST_PROBLEMS])
    return values


def minor_of(amount: Decimal | str | None, currency: str, row: int = 0) -> int:
    """Minor units of an exact amount; StatementError for no number, too many decimals or digits."""
    try:
        exact = Decimal(str(amount).strip())
        if not exact.is_finite() or exact.adjusted() > 15:
            raise refuse("The amount is not a number.", row)
        minor = to_minor(exact, currency)
    except InvalidOperation:
        raise refuse("The amount is not a number.", row) from None
    except UnknownCurrencyError as unknown:
        raise refuse(str(unknown), row) from None
    except ValueError as wrong:
        if isinstance(wrong, StatementError):
            raise
        raise refuse(f"The amount has more decimals than {currency} has.", row) from None
    if abs(minor) > LARGEST_MINOR:
        raise refuse("The amount is too large.", row)
    return minor


def single_line(text: object, most: int) -> str:
    """A text of a file in one line, as long as it may be."""
    printed = "".join(letter if letter.isprintable() else " " for letter in str(text or ""))
    return " ".join(printed.split())[:most]


def joined_statements(parts: Sequence[ParsedStatement]) -> ParsedStatement:
    """Statements of one account, one after the other, as one; StatementError where they are not that. Their lines keep the
    numbers that they have in the file."""
    if not parts:
        raise refuse("The file holds no statement.")
    ordered = sorted(parts, key=lambda part: (part.first_day, part.last_day))
    first, last = ordered[0], ordered[-1]
    if len({(part.account, part.currency) for part in ordered}) > 1:
        raise refuse("The file holds statements of several accounts: split it, one file for each.")
    for before, after in pairwise(ordered):
        if before.closing_minor != after.opening_minor:
            raise refuse("The statements in the file do not follow each other: a balance is not where the last ended.")
    lines = [line for part in ordered for line in part.lines]
    if len(lines) > MOST_LINES:
        raise refuse(f"The statement has more than {MOST_LINES:,} lines: split it.")
    booked = [line for line in lines if line.amount_minor]
    return ParsedStatement(
        first.source_format, first.account, first.currency, first.first_day, max(part.last_day for part in ordered),
        first.opening_minor, last.closing_minor, booked, all(part.has_opening for part in ordered), last.lines_until,
    )  # fmt: skip
