"""What leads a transaction from one state to the next: the whole of it in one table."""

from service import errors
from service.journal.models import Status, Transaction

APPROVE, REJECT, POST, REVERSE = "approve", "reject", "post", "reverse"

# POST follows APPROVE at once, or on the value date.
TRANSITIONS: dict[str, dict[str, Status]] = {
    APPROVE: {Status.PENDING: Status.APPROVED},
    REJECT: {Status.PENDING: Status.REJECTED},
    POST: {Status.APPROVED: Status.POSTED},
    REVERSE: {Status.POSTED: Status.REVERSED},
}

EVENTS = {
    APPROVE: "transaction.approved",
    REJECT: "transaction.rejected",
    POST: "transaction.posted",
    REVERSE: "transaction.reversed",
}
_DONE = {APPROVE: "approved", REJECT: "rejected", POST: "posted", REVERSE: "reversed"}


def move(row: Transaction, name: str) -> str:
    """Puts a locked transaction into its next state (unsaved); the event's kind. 409 invalid_state otherwise."""
    target = TRANSITIONS[name].get(row.status)
    if target is None:
        raise errors.invalid_state(f"A transaction that is {row.status} cannot be {_DONE[name]}.")
    row.status = target
    return EVENTS[name]
