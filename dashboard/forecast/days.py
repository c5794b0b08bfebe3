"""From what is expected to what each day closes with: pure sums, where each amount counts on one day or says why not."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

NO_AMOUNT = "Its amount is not known."
NO_DAY = "Its date is not known."


@dataclass(frozen=True)
class Expected:
    """Money that is expected: `minor` is above zero where it comes in, below where it goes out, None if not known.

    `key` names it: the same key again is the same money. `about` is what is known of it as text. `why_not` says why it
    is not counted although all is known of it, such as money that is reserved already. `unsent` is true of a payment to
    others that was not sent yet: what payments_due.py counts; `undated` where no day is set and so it counts on the
    first.
    """

    key: str
    currency: str
    minor: int | None
    day: date | None
    title: str
    about: str
    href: str = ""
    why_not: str = ""
    unsent: bool = False
    undated: bool = False


@dataclass(frozen=True)
class Day:
    """A day on which something moves, in minor units; `closing` is None where the opening is not known."""

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
        """Every day of the horizon with the minor units that it closes with; [] where the opening is not known."""
        if self.opening is None:
            return []
        closings, balance = [], self.opening
        for day, (came_in, went_out) in zip(days_between(self.first, self.last), self.flows(), strict=True):
            balance += came_in - went_out
            closings.append((day, balance))
        return closings

    def flows(self) -> list[tuple[int, int]]:
        """What comes in and what goes out on every day of the horizon, in minor units."""
        by_day = {day.day: (day.came_in, day.went_out) for day in self.days}
        return [by_day.get(day, (0, 0)) for day in days_between(self.first, self.last)]

    @property
    def short(self) -> tuple[date, int] | None:
        """The first day that closes below zero, and with how much."""
        return next(((day, balance) for day, balance in self.closings() if balance < 0), None)

    @property
    def lowest(self) -> tuple[date, int] | None:
        """The day that closes with the least, the first of several."""
        return min(self.closings(), key=lambda closing: closing[1], default=None)


def days_between(first: date, last: date) -> list[date]:
    """The days from the first to the last, both among them."""
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def forecast_of(currency: str, opening: int | None, expected: Iterable[Expected], first: date, last: date) -> Forecast:
    """The forecast of a currency from its opening in minor units (None: not known), each key of `expected` once.

    What is overdue counts on the first day, what lies beyond the last is left out without a reason.
    """
    by_day: dict[date, list[Expected]] = {}
    left_out: list[tuple[Expected, str]] = []
    for item in {item.key: item for item in expected if item.currency == currency}.values():
        if item.day is not None and item.day > last:
            continue
        if why := _why_not(item):
            left_out.append((item, why))
        elif item.day is not None:
            by_day.setdefault(max(item.day, first), []).append(item)
    return Forecast(currency, first, last, opening, _closed_days(opening, by_day), tuple(left_out))


def _why_not(expected: Expected) -> str:
    if expected.why_not:
        return expected.why_not
    if expected.minor is None:
        return NO_AMOUNT
    return NO_DAY if expected.day is None else ""


def _closed_days(opening: int | None, by_day: dict[date, list[Expected]]) -> tuple[Day, ...]:
    days, balance = [], opening
    for day in sorted(by_day):
        amounts = [expected.minor or 0 for expected in by_day[day]]
        came_in, went_out = sum(max(0, minor) for minor in amounts), -sum(min(0, minor) for minor in amounts)
        balance = None if balance is None else balance + came_in - went_out
        # Money out before money in: what takes most stands first.
        items = sorted(by_day[day], key=lambda expected: (expected.minor or 0, expected.title, expected.key))
        days.append(Day(day, tuple(items), came_in, went_out, balance))
    return tuple(days)
