"""Rows of a table of payments: each checked by itself, or all of a file at once, where most of them are never needed one by one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

from dashboard.payee_accounts import payee_of
from dashboard.payout_files.plain_rows import PlainRows
from dashboard.schemas.payments import PaymentBody


@dataclass(slots=True)
class PaymentLine:
    """A row of the table: its number there, its cells by our column names, what is wrong with which of them, and where
    nothing is, the payment as it is sent and its amount in minor units."""

    number: int
    values: dict[str, str]
    problems: dict[str, str] = field(default_factory=dict)
    body: PaymentBody = field(default_factory=PaymentBody)
    amount_minor: int = 0

    @property
    def payee(self) -> tuple[str, str, int]:
        """What is paid twice when it is the same: see `payee_of`."""
        return payee_of(
            self.body["channel"], self.body["account"], self.body.get("account_reference") or "", self.amount_minor
        )


class TableLines(Sequence[PaymentLine]):
    """The rows of a table as lines that are made when they are asked for, each once.

    `cells` are the rows as they were brought, the names of the columns first; `heading` our name for each column, "" for one
    that we have none for; `places` those of the rows that hold something.
    """

    def __init__(self, heading: Sequence[str], cells: Sequence[Sequence[str]], places: Sequence[int]) -> None:
        self._heading, self._cells, self._places = heading, cells, places
        self._by_place: dict[int, PaymentLine] = {}
        # What has found the rows right that were not made yet.
        self._plain: PlainRows | None = None

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> PaymentLine: ...

    @overload
    def __getitem__(self, place: slice) -> list[PaymentLine]: ...

    def __getitem__(self, place: int | slice) -> PaymentLine | list[PaymentLine]:
        if isinstance(place, slice):
            return [self._line(position) for position in range(*place.indices(len(self)))]
        return self._line(range(len(self))[place])

    def __iter__(self) -> Iterator[PaymentLine]:
        return map(self._line, range(len(self)))

    def places_by_number(self) -> dict[int, int]:
        """Where the line of each number is."""
        return {place + 1: position for position, place in enumerate(self._places)}

    def in_doubt(self, plain: PlainRows) -> list[PaymentLine]:
        """The lines that have to be checked cell by cell: all but those that `plain` finds right in one go, which have their
        body and amount from then on. A line that was made before, and perhaps corrected, is in doubt."""
        rows = (
            self._cells[1:] if len(self._places) == len(self._cells) - 1 else [self._cells[at] for at in self._places]
        )
        doubtful = {*plain.in_doubt(self._heading, rows), *self._by_place}
        self._plain = plain
        return [self._line(place, is_right=False) for place in sorted(doubtful)]

    def _line(self, place: int, *, is_right: bool = True) -> PaymentLine:
        line = self._by_place.get(place)
        if line is None:
            line = self._by_place[place] = self._read(self._places[place])
            if is_right and self._plain is not None:
                read = self._plain.read(line.values)
                if read is None:
                    # Neither a problem nor a payment: it must not be left out of a batch in silence.
                    raise RuntimeError(f"row {line.number} was found right with the others, and cannot be read")
                line.body, line.amount_minor = read
        return line

    def _read(self, at: int) -> PaymentLine:
        cells, heading = self._cells[at], self._heading
        values = dict(zip(heading, map(str.strip, cells), strict=False))
        # Of columns that have no name with us.
        values.pop("", None)
        line = PaymentLine(at + 1, values)
        if len(cells) > len(heading) and any(map(str.strip, cells[len(heading) :])):
            line.problems["receiver"] = "more cells than columns"
        return line
