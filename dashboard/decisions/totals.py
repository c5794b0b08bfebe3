"""What a list comes to: counts and sums, asked for after the page stands because they may have to look at many rows."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Count, Min, Sum
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.decisions.filters import Filters
from dashboard.decisions.sources import InboxSource, sources_of
from dashboard.money import text
from dashboard.times import age

MOST_NEWS = 100


@dataclass(frozen=True)
class Totals:
    """Of one list: how many, the sum per currency as text, how old the oldest is ("" where there is none)."""

    count: int
    sums: list[str]
    oldest: str
    mine: int
    others: int
    # How many of those that wait for the person look clean.
    clean: int

    def sentence(self, what: str) -> str:
        """ "23 wait for you · KES 4,182,350 and USD 12,940.00 · oldest 3 d"."""
        parts = [" and ".join(self.sums), f"oldest {self.oldest}" if self.oldest else ""]
        counted = what.replace("wait ", "waits ", 1) if self.count == 1 else what
        return " · ".join([f"{self.count:,} {counted}", *(part for part in parts if part)])


def inbox_totals(actor: Actor, filters: Filters) -> Totals:
    """The totals of the list that the filters show, and how many wait on the two other tabs."""
    sums: dict[str, int] = {}
    count, moments = 0, list[datetime]()
    for source in sources_of(actor):
        for currency, many, minor, first in _grouped(actor, filters, source):
            count += many
            if first:
                moments.append(first)
            if currency and minor:
                sums[currency] = sums.get(currency, 0) + minor
    locale, oldest = actor.business.locale, min(moments, default=None)
    return Totals(
        count=count,
        sums=[text(minor, currency, locale) for currency, minor in sorted(sums.items())],
        oldest=age(oldest, timezone.now()) if oldest and filters.show != "decided" else "",
        mine=count if filters.show == "mine" and not filters.lane else waiting(actor, filters, "mine"),
        others=count if filters.show == "others" else waiting(actor, filters, "others"),
        clean=count if filters.lane else waiting(actor, filters, "mine", "clean"),
    )


def _grouped(actor: Actor, filters: Filters, source: InboxSource) -> list[tuple[str, int, int | None, datetime | None]]:
    """Per currency ("" for rows that are no money): how many rows, their sum in minor units, the first moment."""
    rows = source.waiting(actor, filters).order_by()
    if not source.currency:
        counted = rows.aggregate(many=Count("pk"), first=Min(source.moment))
        return [("", counted["many"], None, counted["first"])]
    return list(rows.values_list(source.currency).annotate(Count("pk"), Sum(source.amount), Min(source.moment)))


def waiting(actor: Actor, filters: Filters, show: str, lane: str = "") -> int:
    """How many rows a tab or its lane has (`show` and `lane` are their names), with the same filters."""
    tab = replace(filters, show=show, lane=lane)
    return sum(source.waiting(actor, tab).count() for source in sources_of(actor))


def fresh_since(actor: Actor, filters: Filters, since: datetime) -> int:
    """How many rows of the list were first seen after a moment; counted to a hundred of each source."""
    return sum(
        source.rows(actor, filters).filter(**{f"{source.first_seen}__gt": since}).order_by()[:MOST_NEWS].count()
        for source in sources_of(actor)
    )
