"""What the decisions page reads: one's own decisions and the alerts about them."""

from django.db.models import Case, QuerySet, Value, When

from dashboard.access.actor import Actor
from dashboard.access.person import membership_of
from dashboard.decisions.models import OPEN_DECISION_STATES, Alert, Decision

MOST_LISTED = 100


def own_decisions(actor: Actor) -> QuerySet[Decision]:
    """A person's own decisions in this business, at most MOST_LISTED: what is open stands on top, the newest first."""
    rank = Case(When(state__in=OPEN_DECISION_STATES, then=Value(0)), default=Value(1))
    return Decision.objects.filter(membership_id=membership_of(actor)).order_by(rank, "-created_at")[:MOST_LISTED]


def own_alerts(actor: Actor) -> QuerySet[Alert]:
    """The alerts to this person in this business that are not closed."""
    return Alert.objects.filter(business=actor.business, membership_id=membership_of(actor), closed_at__isnull=True)
