"""How often a subscription is charged: days between charges, the next day, and the period a limit is for."""

from datetime import date, datetime, timedelta
from enum import StrEnum

from service import periods
from service.businesses.models import Business
from service.subscriptions.models import Frequency

NOMINAL_DAYS = {Frequency.WEEKLY: 7.0, Frequency.MONTHLY: 30.44, Frequency.QUARTERLY: 91.31, Frequency.ANNUAL: 365.25}
MONTHS = {Frequency.MONTHLY: 1, Frequency.QUARTERLY: 3, Frequency.ANNUAL: 12}


class Span(StrEnum):
    """A calendar period that amounts are summed over."""

    WEEK = "WEEK"
    MONTH = "MONTH"
    QUARTER = "QUARTER"
    YEAR = "YEAR"


SPANS = {
    Frequency.WEEKLY: Span.WEEK,
    Frequency.MONTHLY: Span.MONTH,
    Frequency.QUARTERLY: Span.QUARTER,
    Frequency.ANNUAL: Span.YEAR,
}


def start_of_period(span: Span, day: date) -> date:
    """The first day of the period that a day lies in; weeks begin on Monday."""
    if span == Span.WEEK:
        return day - timedelta(days=day.weekday())
    if span == Span.MONTH:
        return day.replace(day=1)
    if span == Span.QUARTER:
        return day.replace(month=3 * ((day.month - 1) // 3) + 1, day=1)
    return day.replace(month=1, day=1)


def next_charge(last: datetime, frequency: str, business: Business) -> datetime:
    """When the next charge is due, on the business's calendar: a month after January 31 is the last of February."""
    local = last.astimezone(periods.zone_of(business))
    if frequency == Frequency.WEEKLY:
        return last + timedelta(days=7)
    month = local.month - 1 + MONTHS[Frequency(frequency)]
    year, month = local.year + month // 12, month % 12 + 1
    for day in range(local.day, 27, -1):
        try:
            return local.replace(year=year, month=month, day=day)
        except ValueError:
            continue
    return local.replace(year=year, month=month)
