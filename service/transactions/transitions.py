"""What leads a transaction from one state to the next: the whole of it in one table."""

from service import errors
from service.journal.models import Transaction, TransactionStatus

APPROVE, REJECT, POST, REVERSE = "approve", "reject", "post", "reverse"

# POST follows APPROVE at once, or on the value date.
TRANSITIONS: dict[str, dict[str, TransactionStatus]] = {
    APPROVE: {TransactionStatus.PENDING: TransactionStatus.APPROVED},
    REJECT: {TransactionStatus.PENDING: TransactionStatus.REJECTED},
    POST: {TransactionStatus.APPROVED: TransactionStatus.POSTED},
    REVERSE: {TransactionStatus.POSTED: TransactionStatus.REVERSED},
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
