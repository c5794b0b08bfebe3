"""The lives of bills and of their payments, in one table each: which move leads where, from which states (B.9)."""

from dataclasses import dataclass

from service import errors
from service.bills.models import ApprovalAxis, Bill, BillPayment, BillStatus, PaymentStatus


@dataclass(frozen=True, slots=True)
class Move:
    """From which states a move of a payment may start, where it leads, and the event it records."""

    starts: frozenset[str]
    targets: frozenset[str]
    event: str


def _states(*names: str) -> frozenset[str]:
    return frozenset(names)


S = PaymentStatus
MOVES: dict[str, Move] = {
    # APPROVED at once where no workflow and no mandate asks for votes.
    "request approval": Move(
        _states(S.DRAFT, S.WITHDRAWN, S.REJECTED),
        _states(S.PENDING_APPROVAL, S.APPROVED),
        "bill_payment.approval_requested",
    ),
    # What it pays is not what was approved any more, because more or less is withheld by now: the votes are void.
    "ask again": Move(
        _states(S.APPROVED, S.SCHEDULED, S.FAILED), _states(S.PENDING_APPROVAL), "bill_payment.approval_requested"
    ),
    # Where nobody could give the votes.
    "stop": Move(_states(S.APPROVED, S.SCHEDULED, S.FAILED), _states(S.WITHDRAWN), "bill_payment.withdrawn"),
    "approve": Move(_states(S.PENDING_APPROVAL), _states(S.APPROVED), "bill_payment.approved"),
    "reject": Move(_states(S.PENDING_APPROVAL), _states(S.REJECTED), "bill_payment.rejected"),
    # Also of one whose funds are held for a later day, or that waits for funds or for its payee: nothing is sent yet.
    "withdraw": Move(
        _states(S.PENDING_APPROVAL, S.APPROVED, S.SCHEDULED), _states(S.WITHDRAWN), "bill_payment.withdrawn"
    ),
    # Before approval was asked for: its bill was cancelled, or nobody means to pay it any more.
    "drop": Move(_states(S.DRAFT), _states(S.WITHDRAWN), "bill_payment.withdrawn"),
    "schedule": Move(_states(S.APPROVED), _states(S.SCHEDULED), "bill_payment.scheduled"),
    "process": Move(_states(S.APPROVED, S.SCHEDULED, S.UNKNOWN), _states(S.PROCESSING), "bill_payment.processing"),
    "lose sight": Move(_states(S.PROCESSING), _states(S.UNKNOWN), "bill_payment.unknown"),
    "succeed": Move(_states(S.PROCESSING, S.UNKNOWN), _states(S.SUCCEEDED), "bill_payment.succeeded"),
    "fail": Move(_states(S.PROCESSING, S.UNKNOWN), _states(S.FAILED), "bill_payment.failed"),
    "retry": Move(_states(S.FAILED), _states(S.PROCESSING), "bill_payment.retried"),
}
# What still claims a part of the bill's balance.
CLAIMS = _states(S.DRAFT, S.PENDING_APPROVAL, S.APPROVED, S.SCHEDULED, S.PROCESSING, S.UNKNOWN)
# What stands in the way of cancelling the bill or changing its amounts.
UNDER_WAY = CLAIMS - {S.DRAFT}
# What a rail has, or is about to get.
ON_ITS_WAY = _states(S.PROCESSING, S.UNKNOWN)
# What is approved, and is sent on its day or once nothing holds it.
TO_BE_PAID = _states(S.APPROVED, S.SCHEDULED)
# The other axis: what a move decides, where it decides anything.
DECIDES = {
    "approve": ApprovalAxis.APPROVED,
    "reject": ApprovalAxis.REJECTED,
    "withdraw": ApprovalAxis.TERMINATED,
    "drop": ApprovalAxis.TERMINATED,
    "stop": ApprovalAxis.TERMINATED,
}

B = BillStatus
BILL_MOVES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "open": (_states(B.DRAFT), _states(B.OPEN)),
    "cancel": (_states(B.DRAFT, B.OPEN), _states(B.CANCELLED)),
    # By a credit note of the vendor: where something is still open it stays as it is.
    "credit": (_states(B.OPEN, B.PARTIALLY_PAID), _states(B.OPEN, B.PARTIALLY_PAID, B.PAID)),
    "pay": (_states(B.OPEN, B.PARTIALLY_PAID), _states(B.PARTIALLY_PAID, B.PAID)),
}


def check_move(payment: BillPayment, name: str) -> None:
    """409 invalid_state where the move does not start from the payment's state."""
    if payment.status not in MOVES[name].starts:
        raise errors.invalid_state(f"A payment that is {payment.status} takes no {name!r}.")


def move(payment: BillPayment, name: str, payment_status: PaymentStatus) -> str:
    """Puts a locked payment into its next state (unsaved); answers the event's kind. 409 invalid_state otherwise."""
    check_move(payment, name)
    allowed = MOVES[name]
    assert payment_status in allowed.targets
    payment.status = payment_status
    payment.approval_status = DECIDES.get(name, payment.approval_status)
    return allowed.event


def move_bill(bill: Bill, name: str, bill_status: BillStatus) -> None:
    """Puts a locked bill into its next state (unsaved); 409 invalid_state otherwise."""
    starts, targets = BILL_MOVES[name]
    if bill.status not in starts:
        raise errors.invalid_state(f"A bill that is {bill.status} takes no {name!r}.")
    assert bill_status in targets
    bill.status = bill_status
