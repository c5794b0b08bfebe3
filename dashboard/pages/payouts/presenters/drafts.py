"""The table of a new payout on the screen: what is wrong in its cells, and which of its payments may be there twice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from dashboard.access.actor import Actor
from dashboard.money import text
from dashboard.pages.payouts.selectors.payouts import EarlierPayment
from dashboard.pages.payouts.services import FIELDS, PaymentLine, payee_of, repeated_lines
from dashboard.times import day_and_time

MAX_CELLS = 100
MAX_REPEATED = 20


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row with an error: its column, what was typed, what is wrong with it."""

    column: str
    label: str
    value: str
    problem: str


@dataclass(frozen=True, slots=True)
class WrongRow:
    """A row that cannot be paid as it is, with all its cells."""

    number: int
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class Repeated:
    """A payment that may be one twice: its row, its receiver and amount, and what it repeats."""

    number: int
    receiver: str
    amount: str
    of: str


class WrongContext(TypedDict):
    """What payouts/new.html reads of a table with errors; `right` is how many rows have none."""

    wrong: list[WrongRow]
    wrong_count: int
    more: int
    right: int


class RepeatedContext(TypedDict):
    """What payouts/new.html reads of payments that may be there twice: `droppable` is how many rows they are, `partly` where
    not all earlier payouts were looked at."""

    repeated: list[Repeated]
    repeated_count: int
    droppable: int
    partly: NotRequired[bool]


def wrong_context(wrong: Sequence[PaymentLine], count: int) -> WrongContext:
    """The rows with errors, each cell to be corrected in place; the first MAX_CELLS of them."""
    rows = [
        WrongRow(
            line.number,
            [Cell(name, name.capitalize(), line.values.get(name, ""), line.problems.get(name, "")) for name in FIELDS],
        )
        for line in wrong[:MAX_CELLS]
    ]
    return {
        "wrong": rows,
        "wrong_count": len(wrong),
        "more": max(0, len(wrong) - MAX_CELLS),
        "right": count - len(wrong),
    }


def repeats_of(
    actor: Actor, lines: Sequence[PaymentLine], earlier: Sequence[EarlierPayment]
) -> list[tuple[PaymentLine, str]]:
    """The lines that are twice in the table, or were in a payout of the last 30 days, each with what it is the same as."""
    paid = {payee_of(row.channel, row.account, row.amount_minor): row.payout for row in earlier}
    repeats = [(line, f"the same as row {number}") for line, number in repeated_lines(lines)]
    for line in lines:
        if (payout := paid.get(line.payee)) is not None:
            when = day_and_time(payout.requested_at, actor.business)
            repeats.append((line, f"the same as in {payout.title} ({payout.ref}, {when})"))
    return repeats


def repeated_context(
    actor: Actor, currency: str, repeats: Sequence[tuple[PaymentLine, str]], *, whole: bool
) -> RepeatedContext:
    """The payments that may be there twice, the first MAX_REPEATED of them."""
    rows = [
        Repeated(
            line.number, line.values["receiver"], text(line.amount_minor, currency, actor.business.locale), sentence
        )
        for line, sentence in repeats[:MAX_REPEATED]
    ]
    droppable = len({line.number for line, _ in repeats})
    return {"repeated": rows, "repeated_count": len(repeats), "droppable": droppable, "partly": not whole}
