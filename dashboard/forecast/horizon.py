"""What the sources of a forecast have in common: for whom it is, from which day to which, and how days and money read."""

from dataclasses import dataclass
from datetime import date, datetime

from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.mirror.mappers import moment as moment_of
from dashboard.money import text
from dashboard.times import local

# Of each source; those of the earliest day. A page that has more open payments than this says so.
MAX_FORECAST_ROWS = 2000
RESERVED = "Its amount is already on hold, so the opening balance excludes it."


@dataclass(frozen=True)
class Horizon:
    """For whom a forecast is, and from which day to which, on the business's calendar."""

    actor: Actor
    first: date
    last: date

    def local_day(self, moment: datetime | None) -> date | None:
        """The day on which a moment falls at the business; None for None."""
        return None if moment is None else local(moment, self.actor.business).date()

    def day_of(self, value: object) -> date | None:
        """The day that a value of the service's payload names; None where it names none.

        A date without a time is that day in every zone.
        """
        if isinstance(value, str) and len(value) == len("2026-01-31"):
            try:
                return date.fromisoformat(value)
            except ValueError:
                return None
        return self.local_day(moment_of(value))

    def day_text(self, day: date) -> str:
        """ "3 Dec"; with the year where it is not this one."""
        return f"{day.day} {day:%b}" if day.year == self.first.year else f"{day.day} {day:%b %Y}"

    def money(self, minor: int, currency: str) -> str:
        """Minor units as an amount with its currency."""
        return text(minor, currency, self.actor.business.locale)

    def url(self, name: str, remote_id: str) -> str:
        """The address of an item's own page, by the address's name and the item's id."""
        return reverse(name, args=[self.actor.business.slug, remote_id])


def joined(*parts: str) -> str:
    """The parts that are not empty as one text, with commas between them."""
    return ", ".join(part for part in parts if part)
