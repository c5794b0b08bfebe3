"""What leads an expense from one state to the next: the whole of it in one table (decisions B.15)."""

from service import errors
from service.expenses.models import Expense, ExpenseStatus

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
    APPROVE: {ExpenseStatus.PENDING: ExpenseStatus.APPROVED, ExpenseStatus.REJECTED: ExpenseStatus.APPROVED},
    REJECT: {ExpenseStatus.PENDING: ExpenseStatus.REJECTED, ExpenseStatus.APPROVED: ExpenseStatus.REJECTED},
    REQUEST_DETAILS: {ExpenseStatus.PENDING: ExpenseStatus.DETAILS_REQUESTED},
    GIVE_DETAILS: {ExpenseStatus.DETAILS_REQUESTED: ExpenseStatus.PENDING},
    # A merchant who gives up held money does so whatever was decided; once it is posted, nothing is deleted any more.
    DELETE: {
        ExpenseStatus.PENDING: ExpenseStatus.DELETED,
        ExpenseStatus.DETAILS_REQUESTED: ExpenseStatus.DELETED,
        ExpenseStatus.APPROVED: ExpenseStatus.DELETED,
        ExpenseStatus.REJECTED: ExpenseStatus.DELETED,
    },
    REFUND: {
        ExpenseStatus.PENDING: ExpenseStatus.REFUNDED,
        ExpenseStatus.APPROVED: ExpenseStatus.REFUNDED,
        ExpenseStatus.REJECTED: ExpenseStatus.REFUNDED,
    },
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
        raise errors.invalid_state("A policy requires its approval, which is not given.")
    return target
