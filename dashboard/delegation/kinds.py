"""The kinds of items that can be handed over, as the gate names them, and the decision that they wait for."""

from dashboard import operations, operations_extra
from dashboard.access.operation import Operation

KINDS: dict[str, str] = {
    "expense": "expenses",
    "approval": "payment requests",
    "card_order": "card orders",
    "card_request": "single-use cards",
    "hand_transaction": "transactions by hand",
}
DECIDED_BY: dict[str, Operation] = {
    "expense": operations.APPROVE_EXPENSE,
    "approval": operations.APPROVE_PAYMENT_REQUEST,
    "card_order": operations.APPROVE_CARD_ORDERS,
    "card_request": operations_extra.APPROVE_CARD_REQUEST,
    "hand_transaction": operations.APPROVE_TRANSACTION,
}
