"""The outbox as a whole, against the service's own state: whatever fails in whatever order, nothing false is said.

After each step of the machine every state, sentence and line of the audit that is there must agree with what the
service did.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import hypothesis.core
import pytest
from django.db import connections
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from dashboard.client import gateway, outbox, token, transport
from dashboard.decisions import dispatcher, outcomes, reconcile
from dashboard.decisions.bulk import result_of
from dashboard.decisions.models import Decision, DecisionState
from tests import faults
from tests.dashboard.decisions import outbox_machine
from tests.dashboard.decisions.conftest import Desk
from tests.dashboard.decisions.outbox_machine import Outbox
from tests.dashboard.decisions.outbox_weather import Cutter, Weather

FULL = bool(os.environ.get("FULL"))
# Spread over the workers: the full run's 5,000 are new each time; of CI's 200 the last part is new each day.
EXAMPLES, PARTS = (5_000, 5) if FULL else (200, 4)


def seed_of(part: int, day: int) -> int:
    """What the examples of a part are drawn by: its number, of the last part the day, so that new ones are met."""
    return day if part == PARTS - 1 else part


@pytest.fixture
def machine(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Outbox]]:
    """The machine at a desk of its own; it may be cut after any step, and what it hurries is as before when it is over."""
    for module, name in ((dispatcher, "SEND_S"), (gateway, "ORDINARY_S"), (reconcile, "READ_S")):
        monkeypatch.setattr(module, name, getattr(module, name))
    monkeypatch.setattr(faults, "SLOW_S", 0.05)
    monkeypatch.setattr(token, "FAILURE_LASTS_S", 0.0)
    monkeypatch.setattr(transport.random, "uniform", lambda low, _: low)
    cutter = Cutter()
    places: list[tuple[Any, str, str]] = [
        (outbox_machine, "claim_next", "claim"),
        (outbox, "open_outbound", "open_outbound"),
        (outbox, "mark_sent", "mark_sent"),
        (outbox, "confirm_outbound", "confirm_outbound"),
        (outbox, "close_outbound", "close_outbound"),
        (gateway, "perform", "perform"),
        (outcomes, "read_upstream", "look"),
        (Decision, "settle_claimed", "settle"),
    ]
    for module, name, step in places:
        monkeypatch.setattr(module, name, cutter.after(step, getattr(module, name)))
    Outbox.desk, Outbox.cutter = desk, cutter
    yield Outbox
    connections.close_all()


@pytest.fixture
def begun(machine: type[Outbox]) -> Callable[..., Outbox]:
    """`begun(honours=False)`: a story, told step by step, at a service that keeps answers under their keys or does not."""

    def begin(*, honours: bool) -> Outbox:
        story = machine()
        story.begin(honours=honours)
        return story

    return begin


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_fails_in_whatever_order_nothing_false_is_said(
    machine: type[Outbox], monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    if not FULL:
        day = int(os.environ.get("DAY_OF_TESTS") or datetime.now(UTC).toordinal())
        monkeypatch.setattr(hypothesis.core, "global_force_seed", seed_of(part, day))
        # Shown where it fails.
        print(f"The seed is {seed_of(part, day)}: DAY_OF_TESTS={day} plays the same again.")
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=EXAMPLES // PARTS,
            stateful_step_count=12,
            database=None,
        ),
    )


def test_new_examples_are_met_each_day_and_a_day_can_be_played_again() -> None:
    first, second = ({seed_of(part, day) for part in range(PARTS)} for day in (739_000, 739_001))
    assert len(first) == len(second) == PARTS
    assert len(first & second) == PARTS - 1
    assert first == {seed_of(part, 739_000) for part in range(PARTS)}


def test_a_row_of_a_call_for_several_whose_others_have_ended_ends_too(begun: Callable[..., Outbox]) -> None:
    story = begun(honours=True)
    story.decide(what="all", at=0, apollo=False)
    lost = Weather(acting="reset", looking="500")
    story.the_outbox_is_swept(weather=lost, everything=True)
    story.meanwhile(what="approve", at=0)
    # Of the first it is seen that somebody was faster; the second is still in doubt, under the key of both.
    story.it_is_swept_again(weather=Weather(acting="reset"))
    states = sorted(Decision.objects.filter(pk__in=story.ids).values_list("state", flat=True))
    assert states == [DecisionState.LOST, DecisionState.UNKNOWN]
    story.nothing_false_is_said()
    story.teardown()
    last = Decision.objects.get(pk__in=story.ids, object_id=story.expenses[1].remote_id)
    assert last.state == DecisionState.REFUSED
    assert "sent together with others, and is not sent again alone" in last.message


def test_a_row_that_was_refused_in_a_call_that_was_done_is_not_said_to_be_done(begun: Callable[..., Outbox]) -> None:
    story = begun(honours=True)
    story.decide(what="all", at=0, apollo=False)
    story.send_a_form(at=1, again=False, weather=Weather())
    # Lost once and then answered: of the refused row it has to be looked whether it was the first that did it.
    story.the_outbox_is_swept(weather=Weather(acting="reset", looking="500", times=1), everything=True)
    states = sorted(Decision.objects.filter(pk__in=story.ids).values_list("state", flat=True))
    assert states == [DecisionState.DONE, DecisionState.UNKNOWN]
    story.it_is_swept_again(weather=Weather(looking="500"))
    story.nothing_false_is_said()
    story.teardown()
    assert Decision.objects.get(pk__in=story.ids, object_id=story.expenses[1].remote_id).state == DecisionState.LOST


def test_rows_that_were_done_before_the_worker_ended_are_looked_for_where_no_answers_are_kept(
    begun: Callable[..., Outbox],
) -> None:
    story = begun(honours=False)
    story.decide(what="all", at=0, apollo=False)
    story.the_outbox_is_swept(weather=Weather(cut_after="confirm_outbound", how="cut off"), everything=True)
    story.it_is_swept_again(weather=Weather(looking="500"))
    story.nothing_false_is_said()
    story.teardown()
    assert {decision.state for decision in Decision.objects.filter(pk__in=story.ids)} == {DecisionState.DONE}


def test_what_others_decided_after_ours_may_have_been_done_is_not_said_to_have_been_faster(
    begun: Callable[..., Outbox],
) -> None:
    story = begun(honours=False)
    story.decide(what="request_expense_details", at=1, apollo=False)
    story.the_outbox_is_swept(weather=Weather(acting="bad json", looking="500"), everything=True)
    story.meanwhile(what="approve", at=1)
    story.teardown()
    last = Decision.objects.get(pk__in=story.ids)
    assert last.state == DecisionState.LOST
    assert "Juma" in last.message
    assert "Whether your own decision was done before that is not known." in last.message


@pytest.mark.parametrize("how", ["killed", "cut off"])
def test_a_sender_that_ends_right_after_it_has_claimed_has_sent_nothing_and_another_one_does(
    begun: Callable[..., Outbox], how: str
) -> None:
    story = begun(honours=True)
    story.decide(what="approve_expense", at=0, apollo=False)
    story.the_outbox_is_swept(weather=Weather(cut_after="claim", how=how), everything=True)
    assert not story.cutter.step
    [decision] = Decision.objects.filter(pk__in=story.ids)
    if how == "killed":
        assert (decision.state, decision.has_left) == (DecisionState.SENDING, False)
        assert story.desk.service.effects == []
    story.nothing_false_is_said()
    story.teardown()
    assert Decision.objects.get(pk__in=story.ids).state == DecisionState.DONE
    # At the end the confirmed proposal of the desk is applied, too.
    assert [what for what, _, _ in story.desk.service.effects if not what.startswith("modify")] == ["approve"]


def test_a_row_that_ended_in_doubt_is_not_offered_as_one_that_failed(begun: Callable[..., Outbox]) -> None:
    story = begun(honours=False)
    story.decide(what="all", at=0, apollo=False)
    story.the_outbox_is_swept(weather=Weather(acting="bad json", looking="500"), everything=True)
    # Both were approved by us; the one is paid back before anybody can look.
    refunded = story.expenses[1].remote_id
    story.desk.service.expenses[refunded]["status"] = "REFUNDED"
    story.teardown()
    [first, last] = Decision.objects.filter(pk__in=story.ids).order_by("created_at", "id")
    ended = {decision.object_id: decision for decision in (first, last)}
    assert ended[refunded].state == DecisionState.LOST
    assert ended[refunded].ended_in_doubt
    result = result_of(story.desk.house.actor("Rita"), first.bulk_id)
    assert result.failed == []
