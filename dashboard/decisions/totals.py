"""What a list comes to: counts and sums, asked for after the page stands because they may have to look at many rows."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Count, Min, QuerySet, Sum
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.person import membership_of
from dashboard.decisions.filters import Filters
from dashboard.decisions.models import OPEN, Decision
from dashboard.decisions.registry import REQUEST_KINDS
from dashboard.decisions.selectors import approvals_of, changes_of, confirms, expenses_of, requests_of
from dashboard.mirror.models import Approval, Expense, Mirrored, Request
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

    def sentence(self, what: str) -> str:
        """ "23 wait for you · KES 4,182,350 and USD 12,940.00 · oldest 3 d"."""
        parts = [" and ".join(self.sums), f"oldest {self.oldest}" if self.oldest else ""]
        said = what.replace("wait ", "waits ", 1) if self.count == 1 else what
        return " · ".join([f"{self.count:,} {said}", *(part for part in parts if part)])


def totals_of(actor: Actor, filters: Filters) -> Totals:
    """The totals of the list that the filters show, and how many wait on the two other tabs."""
    sums: dict[str, int] = {}
    count, oldest = 0, None
    for rows, moment in (
        (waiting_expenses(actor, filters), "transaction_date"),
        (waiting_approvals(actor, filters), "requested_at"),
        (waiting_requests(actor, filters), "requested_at"),
    ):
        grouped = rows.order_by().values_list("currency").annotate(Count("pk"), Sum("amount_minor"), Min(moment))
        for currency, many, minor, first in grouped:
            count += many
            oldest = min(first, oldest) if oldest else first
            if currency and minor:
                sums[currency] = sums.get(currency, 0) + minor
    if confirms(actor):
        changes = changes_of(actor, filters).aggregate(many=Count("pk"), first=Min("proposed_at"))
        count += changes["many"]
        oldest = min(filter(None, (oldest, changes["first"])), default=None)
    locale = actor.business.locale
    return Totals(
        count=count,
        sums=[text(minor, currency, locale) for currency, minor in sorted(sums.items())],
        oldest=age(oldest, timezone.now()) if oldest and filters.show != "decided" else "",
        mine=count if filters.show == "mine" else waiting(actor, filters, "mine"),
        others=count if filters.show == "others" else waiting(actor, filters, "others"),
    )


def waiting(actor: Actor, filters: Filters, show: str) -> int:
    """How many rows stand on a tab."""
    tab = replace(filters, show=show)
    things = sum(rows(actor, tab).count() for rows in (waiting_expenses, waiting_approvals, waiting_requests))
    return things + (changes_of(actor, tab).count() if confirms(actor) else 0)


def waiting_expenses(actor: Actor, filters: Filters) -> QuerySet[Expense]:
    """The expenses on the tab, without those that have a decision on its way where they would wait."""
    # What has a decision on its way does not wait for anybody any more.
    open_ones = Decision.objects.filter(business=actor.business, object_type="expense", state__in=OPEN)
    found = expenses_of(actor, filters)
    return found.exclude(remote_id__in=open_ones.values("object_id")) if filters.show == "mine" else found


def waiting_approvals(actor: Actor, filters: Filters) -> QuerySet[Approval]:
    """The payment requests on the tab, without those that the actor is about to vote on."""
    own = Decision.objects.filter(membership_id=membership_of(actor), object_type="approval", state__in=OPEN)
    found = approvals_of(actor, filters)
    return found.exclude(remote_id__in=own.values("object_id")) if filters.show == "mine" else found


def waiting_requests(actor: Actor, filters: Filters) -> QuerySet[Request]:
    """What else is asked for on the tab, without what has a decision on its way."""
    found = requests_of(actor, filters)
    open_ones = Decision.objects.filter(business=actor.business, object_type__in=REQUEST_KINDS, state__in=OPEN)
    return found.exclude(remote_id__in=open_ones.values("object_id")) if filters.show == "mine" else found


def fresh_since(actor: Actor, filters: Filters, since: datetime) -> int:
    """How many rows of the list were first seen after a moment; counted to a hundred."""

    def fresh(rows: QuerySet[Mirrored]) -> int:
        return rows.filter(first_seen__gt=since).order_by()[:MOST_NEWS].count()

    changes = changes_of(actor, filters).filter(proposed_at__gt=since).order_by()[:MOST_NEWS].count()
    return changes + sum(fresh(rows(actor, filters)) for rows in (expenses_of, approvals_of, requests_of))
