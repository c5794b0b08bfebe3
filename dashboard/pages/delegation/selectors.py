"""The delegations that one may know of: one's own, and for finance everybody's."""

from datetime import datetime

from django.db.models import Q, QuerySet

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.delegation.models import Delegation
from dashboard.operations_pages import AUDIT_LOG

MOST_OVER = 50


def delegations_of(business_id: int) -> QuerySet[Delegation]:
    """All delegations of a business, each with its business and its two people."""
    rows = Delegation.objects.filter(business_id=business_id)
    return rows.select_related("business", "delegator__user", "delegate__user")


def visible_delegations(actor: Actor) -> QuerySet[Delegation]:
    """The delegations that the actor may know of."""
    rows = delegations_of(actor.business.pk)
    if can_open(actor, AUDIT_LOG):
        return rows
    return rows.filter(Q(delegator_id=actor.member_id) | Q(delegate_id=actor.member_id))


def current_delegations(actor: Actor, now: datetime) -> QuerySet[Delegation]:
    """The visible delegations that hold or are to come as of `now`, the first that begins first."""
    return visible_delegations(actor).filter(ended_at=None, ends_at__gt=now).order_by("begins_at", "id")


def past_delegations(actor: Actor, now: datetime) -> QuerySet[Delegation]:
    """The visible delegations that are over as of `now`, the last first, at most MOST_OVER."""
    rows = visible_delegations(actor).exclude(ended_at=None, ends_at__gt=now)
    return rows.order_by("-begins_at", "-id")[:MOST_OVER]
