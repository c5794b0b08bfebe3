"""On which days a subscription is charged: its next charge, and those after it, a period apart on the calendar."""

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

MONTHS = {"MONTHLY": 1, "QUARTERLY": 3, "ANNUAL": 12}
WEEK = timedelta(days=7)


def months_after(day: date, months: int) -> date:
    """The same day so many months later; the month's last where it is shorter: a month after 31 January is 28 or 29 February."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def frequency_of(code: str) -> str:
    """How often it is charged, in words."""
    return code.replace("_", " ").lower()


def repeats(frequency: str) -> bool:
    """Whether it is known when a charge of this frequency comes again."""
    return frequency == "WEEKLY" or frequency in MONTHS


def charge_days(frequency: str, last_on: date | None, next_on: date, first: date, until: date) -> Iterator[date]:
    """The day of the next charge, though it be overdue, and of each one after it that lies between the two days.

    A charge of the 31st that comes on the 28th in February is one of the 31st again in March.
    """
    number, day = 0, next_on
    while day <= until:
        if number == 0 or day >= first:
            yield day
        number += 1
        if not repeats(frequency):
            return
        day = next_on + number * WEEK if frequency == "WEEKLY" else _month(frequency, last_on, next_on, number)


def _month(frequency: str, last_on: date | None, next_on: date, number: int) -> date:
    step = MONTHS[frequency]
    if last_on is not None and months_after(last_on, step) == next_on:
        return months_after(last_on, step * (number + 1))
    return months_after(next_on, step * number)
