"""The life of a payout, in one table: which move leads where, from which states (decisions B.8)."""

from dataclasses import dataclass

from service import errors
from service.payments.models import Batch, Status


@dataclass(frozen=True, slots=True)
class Move:
    """From which states a move may start; the event it records ("" where the answer names the target itself)."""

    starts: frozenset[str]
    targets: frozenset[str]
    event: str


def _states(*names: Status) -> frozenset[str]:
    return frozenset(names)


FINAL = _states(Status.COMPLETED, Status.PARTIALLY_COMPLETED, Status.FAILED, Status.CANCELLED)

MOVES: dict[str, Move] = {
    # APPROVED at once where no mandate applies; AWAITING_CODE for a single transfer then.
    "initiate": Move(
        _states(Status.DRAFT),
        _states(Status.PENDING_APPROVAL, Status.APPROVED, Status.AWAITING_CODE),
        "payout.initiated",
    ),
    "approve": Move(
        _states(Status.PENDING_APPROVAL), _states(Status.APPROVED, Status.AWAITING_CODE), "payout.approved"
    ),
    "reject": Move(_states(Status.PENDING_APPROVAL), _states(Status.REJECTED), "payout.rejected"),
    "expire": Move(_states(Status.PENDING_APPROVAL), _states(Status.DRAFT), "payout.returned_to_draft"),
    "confirm": Move(_states(Status.AWAITING_CODE), _states(Status.APPROVED), "payout.approved"),
    # All votes are void; possible until the first item is sent, and before that PROCESSING is not reached.
    "draft": Move(
        _states(Status.PENDING_APPROVAL, Status.AWAITING_CODE, Status.APPROVED, Status.ON_HOLD, Status.REJECTED),
        _states(Status.DRAFT),
        "payout.returned_to_draft",
    ),
    "cancel": Move(
        _states(Status.DRAFT, Status.PENDING_APPROVAL, Status.AWAITING_CODE, Status.ON_HOLD, Status.REJECTED),
        _states(Status.CANCELLED),
        "payout.cancelled",
    ),
    # Also of one that waits already, where it waits for something else by now.
    "hold back": Move(_states(Status.APPROVED, Status.ON_HOLD), _states(Status.ON_HOLD), "payout.on_hold"),
    "process": Move(_states(Status.APPROVED, Status.ON_HOLD), _states(Status.PROCESSING), "payout.processing"),
    "complete": Move(_states(Status.PROCESSING), _states(Status.COMPLETED), "payout.completed"),
    "complete in part": Move(
        _states(Status.PROCESSING), _states(Status.PARTIALLY_COMPLETED), "payout.partially_completed"
    ),
    "fail": Move(_states(Status.PROCESSING), _states(Status.FAILED), "payout.failed"),
}


def move(batch: Batch, name: str, new_status: Status) -> str:
    """Puts a locked batch into its next state (unsaved); answers the event's kind. 409 invalid_state otherwise."""
    allowed = MOVES[name]
    if batch.status not in allowed.starts:
        raise errors.invalid_state(f"A payout that is {batch.status} cannot {name}.")
    assert new_status in allowed.targets
    batch.status = new_status
    return allowed.event
