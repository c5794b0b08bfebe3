"""The kinds of items that can be handed over, as the gate names them, and the decision that they wait for."""

from dashboard import operations
from dashboard.access.operation import Operation

KINDS: dict[str, str] = {"expense": "expenses", "approval": "payment requests"}
DECIDED_BY: dict[str, Operation] = {
    "expense": operations.APPROVE_EXPENSE,
    "approval": operations.APPROVE_PAYMENT_REQUEST,
}
