"""What areas above register with expenses when they are loaded: who is asked before an expense is posted, and who hears
of new ones. So expenses know nothing of policies and subscriptions."""

from collections.abc import Callable, Sequence

from service.auth import Caller
from service.expenses.models import Expense
from service.expenses.new_expense import NewExpense

# What follows once the expense is written, in the same transaction.
Follow = Callable[[Expense], object]
# Raises where the expense is forbidden, else gives it with its marks.
Guard = Callable[[Caller, NewExpense], tuple[NewExpense, Follow]]
GUARDS: list[Guard] = []
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


def register_guard(guard: Guard) -> None:
    """Called by the area that has a say, when it is loaded."""
    GUARDS.append(guard)
