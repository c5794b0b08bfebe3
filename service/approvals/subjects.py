"""What can be asked votes for: each kind says here what follows from the decision, so that no area imports back."""

from dataclasses import dataclass, field
from datetime import datetime

from service.approvals.models import ActionType


@dataclass(frozen=True, slots=True)
class ApprovalSubject:
    """What votes are asked for, such as a payout. `maker_ids` are the employees who may not vote on it, `team_id` is
    the team of whoever spends, "" for none: its reviewers may be asked."""

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
    team_id: str = ""
