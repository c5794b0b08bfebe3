"""The kinds of items that can be handed over, as the gate names them, and the decision that they wait for.

What one person's word is enough for is registered at start-up by what declares it (decisions/registry.py).
"""

from dashboard import operations
from dashboard.access.operation import Operation

DELEGATED_KINDS: dict[str, str] = {"expense": "expenses", "approval": "payment requests"}
DECIDED_BY: dict[str, Operation] = {
    "expense": operations.APPROVE_EXPENSE,
    "approval": operations.APPROVE_PAYMENT_REQUEST,
}


def register_kind(kind: str, plural: str, decided_by: Operation) -> None:
    """Makes a kind one that can be handed over; TypeError where another decision is known for it."""
    if DECIDED_BY.setdefault(kind, decided_by) is not decided_by:
        raise TypeError(f"{kind} waits for two decisions")
    DELEGATED_KINDS[kind] = plural
