"""A request for a card, as the queue of orders or of single-use cards shows it."""

from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.decisions.desk_items import REQUEST_STATES
from dashboard.decisions.registry import APPROVAL_KINDS
from dashboard.mirror.models import ApprovalRequest
from dashboard.times import day_and_time

WAITING = frozenset({"REQUESTED", "PENDING"})


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A request as its queue shows it: `refusal` says before the click why it is not this actor's to decide, "" where it is."""

    key: str
    id: str
    title: str
    holder: str
    about: str
    amount: str
    requested: str
    state: str
    tone: str
    waits: bool
    refusal: str
    reason: str


def queue_row(actor: Actor, row: ApprovalRequest) -> QueueRow:
    """The row of a request in its queue; `waits` where the actor may decide on it."""
    state, tone = REQUEST_STATES.get(row.status, (row.status.capitalize(), ""))
    waits = row.status in WAITING and not row.voted
    verdict = can(actor, APPROVAL_KINDS[row.kind].approve, row) if waits else None
    votes = "A mandate requires approvals: it is in the approvals inbox." if row.voted and row.status in WAITING else ""
    return QueueRow(
        key=f"{row.kind.replace('_', '-')}/{row.remote_id}",
        id=row.remote_id,
        title=row.title.partition(": ")[2] or row.title,
        holder=row.holder_name,
        about=_about(row),
        amount=row.amount_text,
        requested=day_and_time(row.requested_at, actor.business),
        state=state,
        tone=tone,
        waits=waits and bool(verdict),
        refusal=votes or (verdict.reason if verdict is not None and not verdict else ""),
        reason=str(row.payload.get("reason") or ""),
    )


def _about(row: ApprovalRequest) -> str:
    if row.kind == "card_order":
        address = row.payload.get("shipping") or {}
        return ", ".join(str(address[part]) for part in ("street", "city", "country") if address.get(part))
    how = "exactly" if row.payload.get("comparison") == "EQUALS" else "up to"
    return f"{how} this amount, {f'at {row.payee}' if row.payee else 'at any merchant'}"
