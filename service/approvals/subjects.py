"""What can be asked votes for: each kind says here what follows from the decision, so that no area imports back."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from service.approvals.models import ActionType, Approval
from service.auth import Caller


@dataclass(frozen=True, slots=True)
class ApprovalSubject:
    """A thing that votes are asked for. `maker_ids` are the employees who may not vote on it."""

    kind: str
    action_type: ActionType
    ref: str
    subject_id: str
    title: str
    payee: str
    amount_minor: int
    currency: str
    org_wallet_ref: str
    maker_ids: list[str] = field(default_factory=list)
    due_at: datetime | None = None


# Runs in the transaction of the vote that decided (or of the expiry), with the approval locked.
Decided = Callable[[Caller, Approval], None]
_DECIDED: dict[str, Decided] = {}


def register(kind: str, decided: Decided) -> None:
    """Called by the area that owns the kind, when it is loaded."""
    _DECIDED[kind] = decided


def decided(caller: Caller, approval: Approval) -> None:
    """Moves the thing itself on."""
    _DECIDED[approval.kind](caller, approval)
