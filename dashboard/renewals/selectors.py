"""What is read of renewals: the terms and the cancellation of a subscription, and those whose last day to act is near."""

from dataclasses import dataclass
from datetime import date

from django.db.models import CharField, DateField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.models import Business, Membership
from dashboard.access.roles import CONFIGURING
from dashboard.mirror.models import Subscription
from dashboard.mirror.scopes import visible_subscriptions
from dashboard.renewals.models import Cancellation, RenewalTerms
from dashboard.times import today_of

LIVE = (Cancellation.State.OPEN, Cancellation.State.ENDED)


@dataclass(frozen=True, slots=True)
class Renewal:
    """A subscription that renews soon: its row, the last day to act, and the day on which it renews."""

    row: Subscription
    act_by: date
    renewal_on: date


def terms_of(business: Business, remote_id: str) -> RenewalTerms | None:
    """The terms of a subscription; None where nobody has set them."""
    return RenewalTerms.objects.filter(business=business, subscription_id=remote_id).first()


def cancellation_of(business: Business, remote_id: str) -> Cancellation | None:
    """The cancellation of a subscription that holds, open or ended; None where there is none."""
    return Cancellation.objects.filter(business=business, subscription_id=remote_id, state__in=LIVE).first()


def cancelled_word(state: str) -> str:
    """What a subscription with a cancellation in this state is, as it stands in a sentence."""
    return "cancelled" if state == Cancellation.State.ENDED else "being cancelled"


def expected_until(business: Business) -> QuerySet[Cancellation]:
    """The cancellations that hold, open or ended, with a last day on which a charge is expected."""
    return Cancellation.objects.filter(business=business, state__in=LIVE, charges_until__isnull=False)


def with_renewals(rows: QuerySet[Subscription]) -> QuerySet[Subscription]:
    """The subscriptions with `act_by`, None without one, and `cancellation`, its state or ""."""
    of = {"business": OuterRef("business"), "subscription_id": OuterRef("remote_id")}
    act_by = RenewalTerms.objects.filter(**of).values("act_by")[:1]
    state = Cancellation.objects.filter(**of, state__in=LIVE).values("state")[:1]
    return rows.annotate(
        act_by=Subquery(act_by, output_field=DateField()),
        cancellation=Coalesce(Subquery(state, output_field=CharField()), Value("")),
    )


def due_terms(business: Business) -> QuerySet[RenewalTerms]:
    """The terms whose last day to act is at most their days of reminding ahead, the nearest first."""
    today = today_of(business)
    rows = RenewalTerms.objects.filter(business=business, act_by__gte=today, remind_on__lte=today)
    return rows.order_by("act_by", "pk")


def renewals_near(actor: Actor) -> list[Renewal]:
    """The subscriptions of which the actor is reminded now: admins of all, everybody of their own; the nearest first."""
    terms = {row.subscription_id: row for row in due_terms(actor.business)}
    if not terms:
        return []
    rows = Subscription.objects.filter(business=actor.business, remote_id__in=terms, tombstoned_at__isnull=True)
    if actor.role not in CONFIGURING:
        rows = rows.filter(employee_id=actor.employee_id or "-")
    near = [(terms[row.remote_id], row) for row in rows.order_by("sort_name", "pk")]
    return sorted(
        (Renewal(row, term.act_by, term.renewal_on) for term, row in near if term.act_by and term.renewal_on),
        key=lambda renewal: renewal.act_by,
    )


def may_see(actor: Actor, row: Subscription) -> bool:
    """Whether the actor may open the page of a subscription."""
    opens = bool(can_open(actor, operations.LIST_SUBSCRIPTIONS))
    return opens and visible_subscriptions(actor).filter(pk=row.pk).exists()


def reminded_members(business: Business, owner_id: str) -> list[Membership]:
    """The owner of a subscription and the admins, those who are active."""
    rows = Membership.objects.filter(business=business, is_active=True, user__is_active=True).select_related("user")
    return [member for member in rows if member.role in CONFIGURING or (owner_id and member.employee_id == owner_id)]
