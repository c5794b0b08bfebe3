"""The delegations as their page prints them."""

from dataclasses import dataclass
from datetime import datetime

from dashboard.access.actor import Actor
from dashboard.delegation.absence import absence_sentences
from dashboard.delegation.models import Delegation
from dashboard.delegation.services import delegation_text, may_end


@dataclass(frozen=True)
class Row:
    """A delegation as the page prints it; `mine` says what the actor is in it, "" for nothing.

    `notes` say of one's own absence without a delegate who else decides: sentences, each with whether it is a warning.
    """

    id: str
    delegator: str
    delegate: str
    what: str
    state: str
    tone: str
    may_end: bool
    mine: str
    notes: list[tuple[str, bool]]


def delegation_row(actor: Actor, delegation: Delegation, now: datetime) -> Row:
    """A delegation with its state as of now, and whether this actor may end it."""
    state, tone = ("Active", "ok") if delegation.begins_at <= now else ("Scheduled", "info")
    if delegation.ended_at is not None:
        state, tone = f"Ended by {delegation.ended_by}", ""
    elif delegation.ends_at <= now:
        state, tone = "Ended", ""
    lasts = delegation.ended_at is None and delegation.ends_at > now
    alone = lasts and delegation.delegate_id is None and delegation.delegator_id == actor.member_id
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
        notes=absence_sentences(actor, frozenset(delegation.kinds)) if alone else [],
    )


def delegation_message(delegation: Delegation) -> str:
    """What its delegator reads once it is made."""
    what = delegation_text(delegation)
    if delegation.delegate is None:
        return f"You are out of office without a delegate: {what}."
    return f"{delegation.delegate_name} is your delegate: {what}."


def ended_message(delegation: Delegation) -> str:
    """What whoever ended it reads."""
    if delegation.delegate is None:
        return f"{delegation.delegator_name} is no longer out of office."
    return f"{delegation.delegate_name} is no longer the delegate of {delegation.delegator_name}."
