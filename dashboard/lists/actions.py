"""What can be done to several rows of a list at once: declared with the list, carried out by its worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.operation import Operation
from dashboard.lists.filters import Choices


@dataclass(frozen=True)
class Question:
    """What an action wants to know before it is carried out: words, or one of the `choices`."""

    label: str
    missing: str
    choices: Callable[[Actor], Choices] | None = None
    longest: int = 300


@dataclass(frozen=True, eq=False)
class Action:
    """An action of a list's rows: its operation, and how one row and what was asked become a call.

    `kind` is what the copy calls the answer; `states` those in which it can be done (none: in any), `becomes` the one
    that follows; `unfit` says in a few words and in a sentence why a row is none for it, or nothing; `after` is told
    what the service answered. Nothing here moves money: that is decided one by one, or at the inbox.
    """

    name: str
    label: str
    done: str
    operation: Operation
    kind: str
    confirm: str
    path: Callable[[Any], Mapping[str, str]] = lambda _: {}
    body: Callable[[Any, str], Mapping[str, Any]] | None = None
    states: tuple[str, ...] = ()
    becomes: str = ""
    unfit: Callable[[Any], tuple[str, str] | None] = lambda _: None
    asks: Question | None = None
    after: Callable[[Actor, Mapping[str, Any]], None] = lambda _actor, _answer: None
    danger: bool = False


def by_id(row: Any) -> Mapping[str, str]:
    """The path of most operations on one thing."""
    return {"id": row.remote_id}


def offered_actions(actor: Actor, actions: tuple[Action, ...], state: str) -> tuple[Action, ...]:
    """The actions that the actor's role opens, less those that no row of the state asked for could take."""
    known = {code for action in actions for code in action.states}
    return tuple(
        action
        for action in actions
        if can_open(actor, action.operation) and (state not in known or not action.states or state in action.states)
    )
