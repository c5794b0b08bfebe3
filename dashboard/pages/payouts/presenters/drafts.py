"""The table of a new payout on the screen: what is wrong in its cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from dashboard.errors import FinanceError
from dashboard.pages.payouts.services.lines import PaymentLine, named_fields, place_refusals

MAX_CELLS = 100
MAX_NAMED = 5


SHORT = frozenset({"reference", "amount", "currency"})


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row with an error: its column, what was typed, what is wrong with it."""

    column: str
    label: str
    value: str
    problem: str

    @property
    def is_short(self) -> bool:
        """Whether a few characters are all that is typed there."""
        return self.column in SHORT


@dataclass(frozen=True, slots=True)
class WrongRow:
    """A row that cannot be paid as it is, with all its cells."""

    number: int
    cells: list[Cell]


def refused_text(lines: Sequence[PaymentLine], refused: FinanceError) -> str:
    """What the service refused of payments, each by its row and receiver; what it refused of them as a whole where it names
    none."""
    rows = place_refusals(lines, refused)
    sentences = [
        f"Row {line.number}, {line.values['receiver']}: {problem.rstrip('.')}."
        for line in rows[:MAX_NAMED]
        for problem in line.problems.values()
    ]
    more = f" {len(rows) - MAX_NAMED:,} more rows." if len(rows) > MAX_NAMED else ""
    return f"{' '.join(sentences)}{more} No draft was created." if sentences else refused.on_form


class WrongContext(TypedDict):
    """What payouts/new.html reads of a table with errors; `right` is how many rows have none."""

    wrong: list[WrongRow]
    wrong_count: int
    more: int
    right: int


def wrong_context(wrong: Sequence[PaymentLine], count: int) -> WrongContext:
    """The rows with errors, each cell to be corrected in place; the first MAX_CELLS of them."""
    names = named_fields(wrong)
    rows = [
        WrongRow(
            line.number,
            [Cell(name, name.capitalize(), line.values.get(name, ""), line.problems.get(name, "")) for name in names],
        )
        for line in wrong[:MAX_CELLS]
    ]
    return {
        "wrong": rows,
        "wrong_count": len(wrong),
        "more": max(0, len(wrong) - MAX_CELLS),
        "right": count - len(wrong),
    }
