"""Days of a business as moments: the interface's `from` and `to` are inclusive days in the business's time zone."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from service import errors
from service.businesses.models import Business


def zone_of(business: Business) -> ZoneInfo:
    """The time zone that the business's days are counted in."""
    return ZoneInfo(business.time_zone)


def start_of(day: date, business: Business) -> datetime:
    """The first moment of that day there."""
    return datetime.combine(day, time.min, tzinfo=zone_of(business))


def day_of(moment: datetime, business: Business) -> date:
    """The day that a moment falls on there."""
    return moment.astimezone(zone_of(business)).date()


def in_order(first: date | None, last: date | None) -> None:
    """400 where inclusive days are the wrong way round."""
    if first and last and first > last:
        raise errors.invalid_parameters("from", "It lies after `to`.", "range")


def between(business: Business, first: date | None, last: date | None) -> tuple[datetime | None, datetime | None]:
    """The half-open interval of moments for inclusive days; 400 when they are the wrong way round."""
    in_order(first, last)
    start = start_of(first, business) if first else None
    end = start_of(last + timedelta(days=1), business) if last and last < date.max else None
    return start, end
