"""Posting an expense that somebody asks for, with those asked before who may forbid it or mark it.

Areas above register a guard when they are loaded, so that expenses know nothing of policies.
"""

from collections.abc import Callable

from service.auth import Caller
from service.expenses import posting
from service.expenses.models import Expense
from service.expenses.posting import NewExpense

# What follows once the expense is written, in the same transaction.
Follow = Callable[[Expense], object]
# Raises where the expense is forbidden, else gives it with its marks.
Guard = Callable[[Caller, NewExpense], tuple[NewExpense, Follow]]
_GUARDS: list[Guard] = []


def register(guard: Guard) -> None:
    """Called by the area that has a say, when it is loaded."""
    _GUARDS.append(guard)


def spend(caller: Caller, new: NewExpense) -> Expense:
    """`posting.spend` with the guards asked before: 403 policy_blocked, marks, or votes that it waits for."""
    follows: list[Follow] = []
    for guard in _GUARDS:
        new, follow = guard(caller, new)
        follows.append(follow)
    row = posting.spend(caller, new)
    for follow in follows:
        follow(row)
    return row
