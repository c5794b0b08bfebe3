"""What areas above register with expenses when they are loaded: guards, which may refuse an expense before it is
posted, and listeners, which get each new one. So expenses know nothing of policies and subscriptions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from service import sql
from service.auth import Caller
from service.expenses.models import Expense
from service.expenses.new_expense import NewExpense

# What follows once the expense is written, in the same transaction; answers what it made, None for nothing.
Follow = Callable[[Expense], object]


@dataclass(frozen=True, slots=True)
class Guard:
    """`question` is what it must read first; of the rows that this gives, `judge` raises where the expense is forbidden, else
    gives it with its flags and what follows."""

    question: Callable[[Caller], sql.SqlStatement]
    judge: Callable[[Caller, NewExpense, Sequence[sql.Row]], tuple[NewExpense, Follow]]


@dataclass(frozen=True, slots=True)
class CreationListener:
    """Hears of new expenses in the transaction in which they are written: `question` is what it must read of them, None where
    they do not concern it, and `hear` gets them with the rows of that."""

    question: Callable[[Caller, Sequence[Expense]], sql.SqlStatement | None]
    hear: Callable[[Caller, Sequence[Expense], Sequence[sql.Row]], None]


GUARDS: list[Guard] = []
_CREATED: list[CreationListener] = []


def on_created(listener: CreationListener) -> None:
    """Registers a listener; called by its area when that is loaded."""
    _CREATED.append(listener)


def questions(caller: Caller, rows: Sequence[Expense]) -> list[tuple[CreationListener, sql.SqlStatement]]:
    """The listeners whom the expenses may concern, each with what it must read."""
    pairs = [(listener, listener.question(caller, rows)) for listener in _CREATED]
    return [(listener, statement) for listener, statement in pairs if statement is not None]


def notify_created(
    caller: Caller, rows: Sequence[Expense], listeners: Iterable[CreationListener], answers: Iterable[Sequence[sql.Row]]
) -> None:
    """Calls listeners of `questions` with the expenses that were just written, and what theirs gave."""
    for listener, answer in zip(listeners, answers, strict=True):
        listener.hear(caller, rows, answer)


def register_guard(guard: Guard) -> None:
    """Registers a guard; called by its area when that is loaded."""
    GUARDS.append(guard)
