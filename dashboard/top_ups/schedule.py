"""On which days a top-up runs, on the clock of the business."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from django.db import models


class Interval(models.TextChoices):
    """How often a recurring top-up runs: every week or every month."""

    WEEKLY = "WEEKLY", "Weekly"
    MONTHLY = "MONTHLY", "Monthly"


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def next_day(interval: str, day: int, after: date) -> date:
    """The first day after `after` on which it runs: `day` is the weekday (1 is Monday), or the day of the month, the last
    of a shorter month."""
    if interval == Interval.WEEKLY:
        return after + timedelta(days=(day - after.isoweekday() - 1) % 7 + 1)
    candidate = _in_month(after.year, after.month, day)
    if candidate > after:
        return candidate
    year, month = (after.year + 1, 1) if after.month == 12 else (after.year, after.month + 1)
    return _in_month(year, month, day)


def _in_month(year: int, month: int, day: int) -> date:
    return date(year, month, min(day, monthrange(year, month)[1]))


def schedule_text(interval: str, day: int) -> str:
    """ "every Monday", "on day 1 of each month"."""
    if interval == Interval.WEEKLY:
        return f"every {WEEKDAYS[day - 1]}"
    return f"on day {day} of each month" + (", or its last" if day > 28 else "")
