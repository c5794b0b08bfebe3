"""Times as people read them: in the business's own zone, named; never in the server's."""

from datetime import date, datetime, timedelta
from functools import lru_cache
from math import ceil
from typing import Protocol
from zoneinfo import ZoneInfo

from django.utils import timezone

# A cut-off within this time stands out.
SOON = timedelta(hours=24)


class Zoned(Protocol):
    """Anything with a time zone: a business."""

    @property
    def time_zone(self) -> str:
        """The name of its zone: "Africa/Nairobi"."""


@lru_cache(maxsize=256)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def local(moment: datetime, zoned: Zoned) -> datetime:
    """The moment on the business's clock."""
    return moment.astimezone(_zone(zoned.time_zone))


def day_and_time(moment: datetime | None, zoned: Zoned) -> str:
    """ "20 Nov, 17:12"; with the year where it is not this one."""
    if moment is None:
        return ""
    local_time = local(moment, zoned)
    year = "" if local_time.year == local(timezone.now(), zoned).year else f" {local_time.year}"
    return f"{local_time.day} {local_time:%b}{year}, {local_time:%H:%M}"


def day(moment: datetime | None, zoned: Zoned) -> str:
    """The day of a moment on the business's calendar: "20 Nov 2026"; "" without a moment."""
    if moment is None:
        return ""
    return day_text(local(moment, zoned).date())


def today_of(zoned: Zoned) -> date:
    """Today on the clock of the business."""
    return _day_in(zoned.time_zone, int(timezone.now().timestamp()) // 60)


@lru_cache(maxsize=256)
def _day_in(zone: str, minute: int) -> date:
    # A day begins with a minute everywhere, and a list asks once per row.
    return datetime.fromtimestamp(minute * 60, _zone(zone)).date()


@lru_cache(maxsize=4096)
def day_text(value: date | None) -> str:
    """A day as it stands in a sentence: "20 Nov 2026"; "" for none."""
    return f"{value.day} {value:%b %Y}" if value else ""


def milliseconds(moment: datetime) -> int:
    """A moment as scripts count them: milliseconds since 1970, by the server's clock (static/js/clock.js)."""
    return int(moment.timestamp() * 1000)


def as_of(moment: datetime | None, zoned: Zoned) -> str:
    """ "as of 10:42 EAT"; with the day where it is not today."""
    if moment is None:
        return "not read yet"
    local_time, now = local(moment, zoned), local(timezone.now(), zoned)
    clock = f"{local_time:%H:%M %Z}"
    return f"as of {clock}" if local_time.date() == now.date() else f"as of {local_time.day} {local_time:%b}, {clock}"


def staleness(moment: datetime | None) -> str:
    """ "" while fresh, "amber" after five minutes, "red" after thirty (decisions E.4)."""
    if moment is None:
        return "red"
    minutes = (timezone.now() - moment).total_seconds() / 60
    return "red" if minutes > 30 else "amber" if minutes > 5 else ""


def age(when: datetime, now: datetime) -> str:
    """How long ago, in one unit: "5 min", "2 h", "3 d"."""
    seconds = max(0, int((now - when).total_seconds()))
    # Up to two of the next unit, so that a longer time never looks shorter; a number and its unit stay together.
    if seconds < 7200:
        return f"{max(1, seconds // 60)}\xa0min"
    return f"{seconds // 3600}\xa0h" if seconds < 172_800 else f"{seconds // 86400}\xa0d"


def seconds_left(until: datetime, now: datetime) -> int:
    """Whole seconds until then, a begun one counted whole, as the scripts of the pages count down; 0 once it has passed."""
    return max(0, ceil((until - now).total_seconds()))


def cut_off_text(when: datetime | None, now: datetime) -> tuple[str, str]:
    """How a cut-off looks ("late", "soon" or ""), and how long there is until it: overdue and soon stand out in words."""
    if when is None:
        return "", "–"
    if when <= now:
        return "late", f"overdue {age(when, now)}"
    return ("soon", f"soon: {age(now, when)}") if when - now < SOON else ("", f"in {age(now, when)}")
