"""What leads an expense from one state to the next: the whole of it in one table (decisions B.15)."""

from service import errors
from service.expenses.models import Expense, Status

APPROVE, REJECT, REQUEST_DETAILS, GIVE_DETAILS, DELETE, REFUND = (
    "approve",
    "reject",
    "request_details",
    "give_details",
    "delete",
    "refund",
)

# The mark of a policy that made the expense wait (service/business_policies/approvals.py).
WAITS_FOR_VOTES = "APPROVAL:"

TRANSITIONS: dict[str, dict[str, str]] = {
    APPROVE: {Status.PENDING: Status.APPROVED, Status.REJECTED: Status.APPROVED},
    REJECT: {Status.PENDING: Status.REJECTED, Status.APPROVED: Status.REJECTED},
    REQUEST_DETAILS: {Status.PENDING: Status.DETAILS_REQUESTED},
    GIVE_DETAILS: {Status.DETAILS_REQUESTED: Status.PENDING},
    # A merchant who gives up held money does so whatever was decided; once it is posted, nothing is deleted any more.
    DELETE: {
        Status.PENDING: Status.DELETED,
        Status.DETAILS_REQUESTED: Status.DELETED,
        Status.APPROVED: Status.DELETED,
        Status.REJECTED: Status.DELETED,
    },
    REFUND: {Status.PENDING: Status.REFUNDED, Status.APPROVED: Status.REFUNDED, Status.REJECTED: Status.REFUNDED},
}

EVENTS = {
    APPROVE: "expense.approved",
    REJECT: "expense.rejected",
    REQUEST_DETAILS: "expense.details_requested",
    GIVE_DETAILS: "expense.updated",
    DELETE: "expense.deleted",
    REFUND: "expense.refunded",
}


def next_status(expense: Expense, move: str) -> str:
    """The state that `move` leads to; 409 invalid_state when it leads nowhere from here."""
    target = TRANSITIONS[move].get(expense.status)
    if target is None:
        done = {APPROVE: "approved", REJECT: "rejected"}.get(move, "changed so")
        raise errors.invalid_state(f"An expense that is {expense.status} cannot be {done}.")
    if move == APPROVE and any(flag.startswith(WAITS_FOR_VOTES) for flag in expense.policy_flags):
        raise errors.invalid_state("A policy asks for votes on it, and they are not given.")
    return target
