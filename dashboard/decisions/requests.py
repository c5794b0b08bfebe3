"""What each decision looks like on the wire: its path, its body, and what the thing looks like once it is done.

One row per operation that can be decided here. An operation without a row cannot be taken.
"""

from dataclasses import dataclass
from typing import Any

from dashboard import operations
from dashboard.access.operation import Operation


@dataclass(frozen=True)
class Wire:
    """How one decision is asked of the service.

    `path_name` is the parameter of the path that takes the thing's id ("" where the body names it); `kind` the
    mirrored kind that the answer is written into; `becomes` the statuses that show that it is done; `together` the
    operation that does the same to several things in one call.
    """

    kind: str
    path_name: str = ""
    id_field: str = ""
    becomes: frozenset[str] = frozenset()
    waiting_in: frozenset[str] = frozenset({"PENDING"})
    needs_reason: bool = False
    together: Operation | None = None

    def path(self, object_id: str) -> dict[str, str]:
        """The path's parameters."""
        return {self.path_name: object_id} if self.path_name else {}

    def body(self, object_id: str, reason: str, extra: dict[str, Any] | None) -> dict[str, Any]:
        """The body: the thing's id where the path has none, the reason where there is one."""
        named = {self.id_field: object_id} if self.id_field else {}
        return {**(extra or {}), **named, **({"reason": reason} if reason else {})}


WIRES: dict[Operation, Wire] = {
    operations.APPROVE_EXPENSE: Wire(
        "expense", "expenseId", becomes=frozenset({"APPROVED"}),
        together=operations.APPROVE_EXPENSES,
    ),
    operations.REJECT_EXPENSE: Wire(
        "expense", "expenseId", becomes=frozenset({"REJECTED"}), needs_reason=True,
        together=operations.REJECT_EXPENSES,
    ),
    operations.REQUEST_EXPENSE_DETAILS: Wire(
        "expense", "expenseId", becomes=frozenset({"DETAILS_REQUESTED"}), needs_reason=True
    ),
    operations.APPROVE_PAYMENT_REQUEST: Wire("approval", id_field="approval_id", becomes=frozenset({"APPROVED"})),
    operations.REJECT_PAYMENT_REQUEST: Wire(
        "approval", id_field="approval_id", becomes=frozenset({"REJECTED"}), needs_reason=True
    ),
}  # fmt: skip


def wire_of(operation: Operation) -> Wire:
    """How the decision is sent; TypeError for an operation that nobody has described."""
    try:
        return WIRES[operation]
    except KeyError:
        raise TypeError(f"{operation} cannot be decided here yet") from None
