"""From what is expected to what each day closes with: pure sums, where each thing counts on one day or says why not."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

NO_AMOUNT = "Its amount is not known."
NO_DAY = "Its day is not known."


@dataclass(frozen=True)
class Expected:
    """Money that is expected: `minor` is above zero where it comes in, below where it goes out, None if not known.

    `key` is what it is: the same key again is the same thing told twice. `why_not` says why it is not counted although
    all is known of it, such as money that is reserved already. `unsent` is true of a payment to others that was not sent
    yet: what payments_due.py counts; `undated` where no day is set and so it counts on the first.
    """

    key: str
    currency: str
    minor: int | None
    day: date | None
    title: str
    said: str
    href: str = ""
    why_not: str = ""
    unsent: bool = False
    undated: bool = False


@dataclass(frozen=True)
class Day:
    """A day on which something moves; `closing` is what it ends with, None where it is not known what there was."""

    day: date
    items: tuple[Expected, ...]
    came_in: int
    went_out: int
    closing: int | None


@dataclass(frozen=True)
class Forecast:
    """One currency from `first` to `last`; of the days only those on which something moves."""

    currency: str
    first: date
    last: date
    opening: int | None
    days: tuple[Day, ...]
    left_out: tuple[tuple[Expected, str], ...]

    def closings(self) -> list[tuple[date, int]]:
        """What every day of the horizon closes with; none where it is not known what there was."""
        if self.opening is None:
            return []
        found, held = [], self.opening
        for each, (came_in, went_out) in zip(every_day(self.first, self.last), self.flows(), strict=True):
            held += came_in - went_out
            found.append((each, held))
        return found

    def flows(self) -> list[tuple[int, int]]:
        """What comes in and goes out on every day of the horizon."""
        moved = {each.day: (each.came_in, each.went_out) for each in self.days}
        return [moved.get(each, (0, 0)) for each in every_day(self.first, self.last)]

    @property
    def short(self) -> tuple[date, int] | None:
        """The first day that closes below zero, and with how much."""
        return next(((day, held) for day, held in self.closings() if held < 0), None)

    @property
    def lowest(self) -> tuple[date, int] | None:
        """The day that closes with the least, the first of several."""
        return min(self.closings(), key=lambda one: one[1], default=None)


def every_day(first: date, last: date) -> list[date]:
    """The days from the first to the last, both among them."""
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def forecast_of(currency: str, opening: int | None, expected: Iterable[Expected], first: date, last: date) -> Forecast:
    """What each day brings: the overdue counts on the first, what lies beyond the last is not spoken of."""
    on: dict[date, list[Expected]] = {}
    left_out: list[tuple[Expected, str]] = []
    for each in {one.key: one for one in expected if one.currency == currency}.values():
        if each.day is not None and each.day > last:
            continue
        if why := _why_not(each):
            left_out.append((each, why))
        elif each.day is not None:
            on.setdefault(max(each.day, first), []).append(each)
    return Forecast(currency, first, last, opening, _closed(opening, on), tuple(left_out))


def _why_not(each: Expected) -> str:
    if each.why_not:
        return each.why_not
    if each.minor is None:
        return NO_AMOUNT
    return NO_DAY if each.day is None else ""


def _closed(opening: int | None, on: dict[date, list[Expected]]) -> tuple[Day, ...]:
    days, held = [], opening
    for each in sorted(on):
        amounts = [one.minor or 0 for one in on[each]]
        came_in, went_out = sum(max(0, one) for one in amounts), -sum(min(0, one) for one in amounts)
        held = None if held is None else held + came_in - went_out
        # Money out before money in: what takes most stands first.
        items = sorted(on[each], key=lambda one: (one.minor or 0, one.title, one.key))
        days.append(Day(each, tuple(items), came_in, went_out, held))
    return tuple(days)
