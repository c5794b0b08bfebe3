"""What areas above register with approvals: what follows from a decided request, by the kind of its subject."""

from collections.abc import Callable

from service.approvals.models import Approval
from service.auth import Caller

# Runs in the transaction of the vote that decided (or of the expiry), with the approval locked.
Decided = Callable[[Caller, Approval], None]
_DECIDED: dict[str, Decided] = {}


def on_decided(kind: str, decided: Decided) -> None:
    """Called by the area that owns the kind, when it is loaded."""
    _DECIDED[kind] = decided


def notify_decided(caller: Caller, approval: Approval) -> None:
    """What follows from a decided request, in its area; KeyError for a kind that no area has registered."""
    _DECIDED[approval.kind](caller, approval)
