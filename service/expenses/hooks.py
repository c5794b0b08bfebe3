"""What areas above register with expenses when they are loaded: guards, which may refuse an expense before it is
posted, and listeners, which get each new one. So expenses know nothing of policies and subscriptions."""

from collections.abc import Callable, Sequence

from service.auth import Caller
from service.expenses.models import Expense
from service.expenses.new_expense import NewExpense

# What follows once the expense is written, in the same transaction.
Follow = Callable[[Expense], object]
# Raises where the expense is forbidden, else gives it with its flags and what follows.
Guard = Callable[[Caller, NewExpense], tuple[NewExpense, Follow]]
GUARDS: list[Guard] = []
# Runs in the transaction in which the expenses were written.
Listener = Callable[[Caller, Sequence[Expense]], None]
_CREATED: list[Listener] = []


def on_created(listener: Listener) -> None:
    """Registers a listener; called by its area when that is loaded."""
    _CREATED.append(listener)


def notify_created(caller: Caller, rows: Sequence[Expense]) -> None:
    """Calls every listener with the expenses that were just written."""
    for listener in _CREATED:
        listener(caller, rows)


def register_guard(guard: Guard) -> None:
    """Registers a guard; called by its area when that is loaded."""
    GUARDS.append(guard)
