"""The rows of the decisions page: one's own, open first, then the latest that are settled."""

from django.db.models import Case, QuerySet, Value, When

from dashboard.access.actor import Actor
from dashboard.access.person import membership_of
from dashboard.decisions.models import OPEN, Decision

SHOWN = 100
TONES = {
    "DONE": "ok",
    "REFUSED": "bad",
    "LOST": "warn",
    "CANCELLED": "",
    "UNKNOWN": "warn",
    "WAITING": "info",
    "SENDING": "info",
}


def own_decisions(actor: Actor) -> QuerySet[Decision]:
    """A person's own decisions in this business: what is open stands on top, the newest first."""
    rank = Case(When(state__in=OPEN, then=Value(0)), default=Value(1))
    return Decision.objects.filter(membership_id=membership_of(actor)).order_by(rank, "-created_at")[:SHOWN]
