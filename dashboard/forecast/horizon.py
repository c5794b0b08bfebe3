"""What the sources of a forecast have in common: for whom it is made, from which day, and how days and money are said."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.mirror.mappers import moment
from dashboard.money import text
from dashboard.times import local

# Of each source; those of the earliest day. A business with more open payments than this is told so.
MOST = 2000
RESERVED = "Its money is reserved already: what the forecast begins with is without it."


@dataclass(frozen=True)
class Look:
    """For whom, and from which day to which, on the business's calendar."""

    actor: Actor
    first: date
    last: date

    def on(self, when: datetime | None) -> date | None:
        """The day on which a moment falls at the business."""
        return None if when is None else local(when, self.actor.business).date()

    def day_of(self, payload: Mapping[str, Any], name: str) -> date | None:
        """A day as the service tells it: one without a time is that day in every zone."""
        told = payload.get(name)
        if isinstance(told, str) and len(told) == len("2026-01-31"):
            try:
                return date.fromisoformat(told)
            except ValueError:
                return None
        return self.on(moment(told))

    def said(self, day: date) -> str:
        """ "3 Dec"; with the year where it is not this one."""
        return f"{day.day} {day:%b}" if day.year == self.first.year else f"{day.day} {day:%b %Y}"

    def money(self, minor: int, currency: str) -> str:
        """An amount with its currency."""
        return text(minor, currency, self.actor.business.locale)

    def page(self, name: str, remote_id: str) -> str:
        """The address of a thing's own page."""
        return reverse(name, args=[self.actor.business.slug, remote_id])


def joined(*parts: str) -> str:
    """What is known of a thing, in one sentence."""
    return ", ".join(part for part in parts if part)
