"""The life of a payment instruction, in one table: which move leads where, from which state."""

from service import errors
from service.vendors.models import InstructionStatus, PaymentInstruction

MOVES: dict[str, tuple[frozenset[str], InstructionStatus]] = {
    # An instruction that came with a new vendor is in use at once, and confirming it marks it as verified.
    "confirm": (
        frozenset({InstructionStatus.QUARANTINED, InstructionStatus.ACTIVE}),
        InstructionStatus.ACTIVE,
    ),
    "reject": (frozenset({InstructionStatus.QUARANTINED}), InstructionStatus.REJECTED),
    "replace": (frozenset({InstructionStatus.ACTIVE}), InstructionStatus.REPLACED),
}


def move(row: PaymentInstruction, name: str) -> None:
    """Puts a locked instruction into its next state (unsaved); 409 invalid_state otherwise."""
    starts, target = MOVES[name]
    if row.status not in starts or (name == "confirm" and row.verified):
        raise errors.invalid_state(f"A payment account that is {row.status} takes no {name!r}.")
    row.status = target
