"""On which days a schedule enters its bills."""

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count, islice

from service.bill_schedules.models import BillSchedule, Interval, ScheduleStatus

MONTHS = {Interval.MONTHLY: 1, Interval.QUARTERLY: 3, Interval.YEARLY: 12}
NEXT_COUNT = 3
# A bill is dated before the end of the century.
LAST_DAY = date(2099, 1, 1)


def days(interval: str, day: int, starts_on: date) -> Iterator[date]:
    """All days from the first on or after `starts_on`, without an end. The 31st of a shorter month is its last day, and of
    the next that has one the 31st again."""
    if interval == Interval.WEEKLY:
        first = starts_on + timedelta(days=(day - starts_on.isoweekday()) % 7)
        yield from (first + timedelta(weeks=number) for number in count())
        return
    step = MONTHS[Interval(interval)]
    skipped = 0 if _in_month(starts_on, 0, day) >= starts_on else 1
    yield from (_in_month(starts_on, skipped + step * number, day) for number in count())


def _in_month(start: date, months: int, day: int) -> date:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, min(day, monthrange(year, month + 1)[1]))


def coming(row: BillSchedule, since: date) -> Iterator[date]:
    """The days from `since` on, both what has an end and what has so many bills taken into account."""
    left = None if row.count is None else row.count - row.bills_entered
    later = (on for on in days(row.interval, row.day, row.starts_on) if on >= since)
    for on in islice(later, left):
        if on > (row.ends_on or LAST_DAY):
            return
        yield on


def next_dates(row: BillSchedule, today: date) -> list[date]:
    """The next days on which a bill is entered, at most NEXT_COUNT: from the day that is due, or where it is paused from today,
    as if it were resumed now."""
    if row.status == ScheduleStatus.ENDED:
        return []
    return list(islice(coming(row, row.next_on or max(today, row.starts_on)), NEXT_COUNT))
