"""What the risk score is asked about."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Question:
    """A payment request to be scored; `key` is the payout or bill payment."""

    key: str
    action_type: int
    amount_minor: int
    currency: str
    role_since: datetime | None  # when the requester got the role; None where nobody did
    requested_at: datetime
    due_at: datetime | None = None
    requester_id: str = ""
