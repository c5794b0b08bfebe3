"""What can be done to several rows of a list at once: declared with the list, carried out by its worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.operation import Operation
from dashboard.commands.run import CommandResult
from dashboard.inputs import Choices


class Command(Protocol):
    """A command of dashboard/commands/ on one row, sent under a key that was written down before."""

    def __call__(self, actor: Actor, row: Any, /, *, key: str, deadline: float) -> CommandResult: ...


class AnsweredCommand(Protocol):
    """A command that takes what was given to the action's question as well."""

    def __call__(self, actor: Actor, row: Any, given: str, /, *, key: str, deadline: float) -> CommandResult: ...


@dataclass(frozen=True)
class Question:
    """What an action wants to know before it is carried out: a reason, or one of the `choices`; `command` is given it."""

    label: str
    missing: str
    command: AnsweredCommand
    choices: Callable[[Actor], Choices] | None = None
    # What is said where there is nothing to choose from.
    empty: str = ""


class UndoCommand(Protocol):
    """A command that undoes an action on one row: `given` is what was given then, `before` what was noted of the row."""

    def __call__(
        self, actor: Actor, row: Any, given: str, before: Mapping[str, str], /, *, key: str, deadline: float
    ) -> CommandResult: ...


@dataclass(frozen=True)
class Undo:
    """How an action is undone: what of a row is noted before (by names of its own), the command that puts that back, and
    why that cannot be, in a few words and in a sentence, or nothing."""

    before: Callable[[Any], Mapping[str, str]]
    command: UndoCommand
    unfit: Callable[[Any, str, Mapping[str, str]], tuple[str, str] | None]


@dataclass(frozen=True, eq=False)
class Action:
    """An action of a list's rows: its operation, and the command that is given one row after the other.

    `command` is None where the action has a `question`, whose command it is then. `kind` is what the audit and the copy
    call a row; `states` those in which it can be done (none: in any), `becomes` the one that follows; `unfit` says in a
    few words and in a sentence why a row is none for it, or nothing. `planner` makes the ListAction where its plan takes
    more than a row at a time, as one that moves money does: that asks, too, for a sign-in that was just confirmed
    (`verifies`), and has a page on which what the plan rests on is chosen (`choice`, its title and the name of its
    address). `undo` is how what was done is undone, where it can be.
    """

    name: str
    label: str
    done: str
    operation: Operation
    kind: str
    confirm: str
    command: Command | None = None
    states: tuple[str, ...] = ()
    becomes: str = ""
    unfit: Callable[[Any], tuple[str, str] | None] = lambda _: None
    question: Question | None = None
    danger: bool = False
    planner: Callable[[Any, Action], Any] | None = None
    verifies: bool = False
    choice: tuple[str, str] | None = None
    undo: Undo | None = None

    def __post_init__(self) -> None:
        if sum(part is not None for part in (self.command, self.question, self.planner)) != 1:
            raise TypeError(f"{self.name} has a command, asks a question that has one, or a planner of its own")

    def carry_out(self, actor: Actor, row: Any, given: str, *, key: str, deadline: float) -> CommandResult:
        """Sends it for one row, with what was given where it asks; raises what `commands.run` raises."""
        if self.question is not None:
            return self.question.command(actor, row, given, key=key, deadline=deadline)
        assert self.command is not None
        return self.command(actor, row, key=key, deadline=deadline)


def offered_actions(actor: Actor, actions: tuple[Action, ...], state: str) -> tuple[Action, ...]:
    """The actions that the actor's role opens, less those that no row of the state asked for could take."""
    states = {code for action in actions for code in action.states}
    return tuple(
        action
        for action in actions
        if can_open(actor, action.operation) and (state not in states or not action.states or state in action.states)
    )
