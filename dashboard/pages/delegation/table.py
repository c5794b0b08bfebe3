"""The delegations that one may know of: one's own, and for finance everybody's; those that hold and are to come first."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.delegation.models import Delegation
from dashboard.delegation.services import delegation_text, may_end
from dashboard.operations_pages import AUDIT_LOG

MOST_OVER = 50


@dataclass(frozen=True)
class Row:
    """A delegation as the page prints it."""

    id: str
    delegator: str
    delegate: str
    what: str
    state: str
    tone: str
    may_end: bool
    mine: str


def rows_of(actor: Actor) -> tuple[list[Row], list[Row]]:
    """What holds or is to come, the first that begins first; and what is over, the last first."""
    now = timezone.now()
    found = Delegation.objects.filter(business=actor.business).select_related(
        "business", "delegator__user", "delegate__user"
    )
    if not can_open(actor, AUDIT_LOG):
        found = found.filter(Q(delegator_id=actor.membership_id) | Q(delegate_id=actor.membership_id))
    open_ones = found.filter(ended_at=None, ends_at__gt=now).order_by("begins_at", "id")
    over = found.exclude(ended_at=None, ends_at__gt=now).order_by("-begins_at", "-id")[:MOST_OVER]
    return [_row(actor, one, now) for one in open_ones], [_row(actor, one, now) for one in over]


def _row(actor: Actor, one: Delegation, now: datetime) -> Row:
    state, tone = ("Holds", "ok") if one.begins_at <= now else ("To come", "info")
    if one.ended_at is not None:
        state, tone = f"Ended by {one.ended_by}", ""
    elif one.ends_at <= now:
        state, tone = "Over", ""
    mine = {one.delegator_id: "yours", one.delegate_id: "you stand in"}.get(actor.member_id, "")
    return Row(
        id=str(one.pk),
        delegator=one.delegator_name,
        delegate=one.delegate_name,
        what=delegation_text(one),
        state=state,
        tone=tone,
        may_end=may_end(actor, one),
        mine=mine,
    )
