"""Who wants to hear of new expenses: areas that build on this one say so when they are loaded."""

from collections.abc import Callable, Sequence

from service.auth import Caller
from service.expenses.models import Expense

# Runs in the transaction in which the expenses were written.
Listener = Callable[[Caller, Sequence[Expense]], None]
_CREATED: list[Listener] = []


def on_created(listener: Listener) -> None:
    """Called by the area that wants to hear, when it is loaded."""
    _CREATED.append(listener)


def notify_created(caller: Caller, rows: Sequence[Expense]) -> None:
    """Tells all of them of expenses that were just written."""
    for listener in _CREATED:
        listener(caller, rows)
