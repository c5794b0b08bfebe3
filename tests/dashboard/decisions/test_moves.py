"""How a decision moves, and what the database refuses to write of it: doubt, and that a call has left, are never taken back."""

import itertools
import uuid
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.decisions.models import Decision, DecisionState
from dashboard.decisions.models.decision import TRANSITIONS
from tests.dashboard.access.house import House, build

STATES = list(DecisionState)
# What may have been done neither waits, where Undo is offered, nor was it cancelled.
DENYING = (DecisionState.WAITING, DecisionState.CANCELLED)


@pytest.fixture
def house(db: None) -> House:
    return build()


def written(house: House, state: DecisionState, **more: Any) -> Decision:
    return Decision.objects.create(
        business=house.business,
        membership=house.people["Rita"],
        operation="approve_expense",
        object_type="expense",
        object_id=uuid.uuid4().hex[:24],
        title="Taxi",
        fingerprint="seen",
        key=str(uuid.uuid4()),
        due_at=timezone.now(),
        state=state,
        **more,
    )


def refused(decision: Decision, words: str, **changes: Any) -> None:
    with pytest.raises(IntegrityError, match=words), transaction.atomic():
        Decision.objects.filter(pk=decision.pk).update(**changes)


@pytest.mark.parametrize(("before", "after"), list(itertools.permutations(STATES, 2)))
def test_the_database_lets_a_decision_move_along_the_table_alone(
    house: House, before: DecisionState, after: DecisionState
) -> None:
    decision = written(house, before)
    if after in TRANSITIONS[before]:
        assert Decision.objects.filter(pk=decision.pk).update(state=after) == 1
    else:
        refused(decision, "a decision does not go from", state=after)


def test_every_state_has_its_row_in_the_table_and_what_has_ended_stays_so() -> None:
    assert set(TRANSITIONS) == set(STATES)
    assert {state for state in STATES if not TRANSITIONS[state]} == {
        DecisionState.DONE, DecisionState.REFUSED, DecisionState.LOST, DecisionState.CANCELLED,
    }  # fmt: skip
    assert TRANSITIONS[DecisionState.UNKNOWN].isdisjoint(DENYING)


@pytest.mark.parametrize("state", STATES)
def test_that_a_call_has_left_is_never_taken_back(house: House, state: DecisionState) -> None:
    decision = written(house, state, has_left=True)
    refused(decision, "was sent is never one that was not", has_left=False)
    for after in TRANSITIONS[state]:
        refused(decision, "was sent is never one that was not", state=after, has_left=False)


@pytest.mark.parametrize("state", [state for state in STATES if state not in DENYING])
def test_a_doubt_is_never_taken_back(house: House, state: DecisionState) -> None:
    decision = written(house, state, has_left=True, unknown_since=timezone.now())
    refused(decision, "was sent is never one that was not", unknown_since=None)
    for after in TRANSITIONS[state]:
        refused(decision, "was sent is never one that was not", state=after, unknown_since=None)


@pytest.mark.parametrize("state", DENYING)
def test_what_may_have_been_done_neither_waits_nor_is_cancelled(house: House, state: DecisionState) -> None:
    doubtful = {"has_left": True, "unknown_since": timezone.now()}
    with pytest.raises(IntegrityError, match="decision_doubt_is_sticky"), transaction.atomic():
        written(house, state, **doubtful)
    # Being sent again in doubt, or doubted while it waits: by no way at all.
    refused(written(house, DecisionState.SENDING, **doubtful), "decision_doubt_is_sticky", state=state)
    refused(written(house, state), "decision_doubt_is_sticky", **doubtful)
