"""The delegations as their page prints them."""

from dataclasses import dataclass
from datetime import datetime

from dashboard.access.actor import Actor
from dashboard.delegation.models import Delegation
from dashboard.delegation.services import delegation_text, may_end


@dataclass(frozen=True)
class Row:
    """A delegation as the page prints it; `mine` says what the actor is in it, "" for nothing."""

    id: str
    delegator: str
    delegate: str
    what: str
    state: str
    tone: str
    may_end: bool
    mine: str


def delegation_row(actor: Actor, delegation: Delegation, now: datetime) -> Row:
    """A delegation with its state as of now, and whether this actor may end it."""
    state, tone = ("Active", "ok") if delegation.begins_at <= now else ("Scheduled", "info")
    if delegation.ended_at is not None:
        state, tone = f"Ended by {delegation.ended_by}", ""
    elif delegation.ends_at <= now:
        state, tone = "Ended", ""
    mine = {delegation.delegator_id: "yours", delegation.delegate_id: "you are the delegate"}.get(actor.member_id, "")
    return Row(
        id=str(delegation.pk),
        delegator=delegation.delegator_name,
        delegate=delegation.delegate_name,
        what=delegation_text(delegation),
        state=state,
        tone=tone,
        may_end=may_end(actor, delegation),
        mine=mine,
    )
