"""What an action of a list is declared with: one command of dashboard/commands/, of the operation that its button asks for."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.commands import cards
from dashboard.lists.actions import Action, Question
from dashboard.lists.registry import REGISTRY
from tests.dashboard.bulk.test_lists import OPEN

LISTS = [listed.declared for listed in REGISTRY.values() if listed.declared is not None]
ACTIONS = {(of.name, action.name): action for of in LISTS for action in of.actions}


class SentError(Exception):
    """What would have been sent."""


def test_each_one_that_is_declared_is_looked_at() -> None:
    assert set(ACTIONS) == set(OPEN)


# What is planned by more than a row at a time, a newcomer, who takes up to three commands, funds for many people, tags, which are sent whole and for
# the expense behind a transaction, and a suspension, before which it is looked up who would be left, have tests of their own.
OWN_TESTS = {
    ("newcomers", "add"),
    ("people", "allocate"),
    ("people", "remove_funds"),
    ("people", "suspend"),
    ("subscriptions", "resume"),
    *((of, name) for of in ("expenses", "transactions") for name in ("tag", "untag")),
}
ONE_COMMAND = [key for key in OPEN if key in ACTIONS and ACTIONS[key].planner is None and key not in OWN_TESTS]


@pytest.mark.parametrize(("of", "name"), ONE_COMMAND)
def test_it_sends_what_its_button_asks_the_gate_for(monkeypatch: pytest.MonkeyPatch, of: str, name: str) -> None:
    action = ACTIONS[of, name]
    sent: dict[str, Any] = {}

    def note(_: Actor, operation: Operation, **given: Any) -> None:
        sent.update(given, operation=operation)
        raise SentError

    monkeypatch.setattr("dashboard.commands.run.send", note)
    # Whether a cancellation stands against it is looked up first, in the database (subscriptions/test_cancellations.py).
    monkeypatch.setattr("dashboard.renewals.cancellations.check_resumable", lambda *_: None)
    row = SimpleNamespace(remote_id="r1")
    with pytest.raises(SentError):
        action.carry_out(cast("Actor", object()), row, "answered", key="bulk-1", deadline=30.0)
    assert sent["operation"] is action.operation
    assert (sent["subject"], sent["key"], sent["deadline"]) == (row, "bulk-1", 30.0)
    assert ("answered" in (sent["body"] or {}).values()) is (action.question is not None)


def test_it_has_one_command_and_not_two() -> None:
    given: tuple[Any, ...] = ("block", "Block", "blocked", operations.BLOCK_CARD, "card", "Sure?")
    with pytest.raises(TypeError):
        Action(*given)
    with pytest.raises(TypeError):
        Action(*given, command=cards.unblock, question=Question("Why", "Say why.", cards.block))
