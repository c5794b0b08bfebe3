"""A worker that is killed between steps, and answers that are lost: the next one goes on, and nothing is done twice."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from config.embedded import spawn
from dashboard.access.actor import Actor
from dashboard.errors import Unknown
from dashboard.offboarding import worker
from dashboard.offboarding.models import Offboarding, OffboardingStep
from dashboard.offboarding.outcome import Carried, StepAction
from tests.dashboard.conftest import World
from tests.dashboard.offboarding.conftest import job_of, kinds_in, settle_in, started, states, work

HANG_S = 60
WORKER = "import django; django.setup(); from dashboard.offboarding import worker; worker.run({id!r})"


def lose_worker(world: World) -> None:
    """A minute later the worker that has it is taken for lost."""
    Offboarding.objects.filter(pk=job_of(world).pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))


def kill_once(world: World, count: int) -> None:
    """Starts a worker, and kills it once so many writes have reached the service."""
    assert world.proxy is not None
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings.dashboard"}
    working = spawn([sys.executable, "-c", WORKER.format(id=str(job_of(world).pk))], env=environment)
    ends = time.monotonic() + HANG_S
    while len(world.proxy.sent("PUT")) < count:
        assert time.monotonic() < ends
        time.sleep(0.005)
    os.kill(working.pid, signal.SIGKILL)
    working.wait()
    lose_worker(world)


def test_killed_twice_it_is_finished_by_the_next_and_nothing_is_done_twice(proxied_world: World) -> None:
    world = proxied_world
    settle_in(world)
    started(world)
    assert world.proxy is not None
    kill_once(world, 2)
    assert str(job_of(world).pk) in worker.due()
    kill_once(world, 4)
    work(world)
    # Cards and subscriptions are an admin's to end: each was sent with one key, however often.
    assert kinds_in(world, "DONE") >= {"suspend", "delegation", "workflow", "subscription", "card"}
    assert not set(states(world).values()) & {"WAITING", "SENDING", "UNKNOWN", "REFUSED"}, states(world)
    writes = [call for call in world.proxy.record if "Idempotency-Key" in call.headers]
    keys = Counter((call.method, call.path, call.body) for call in writes)
    by_key = {(call.method, call.path, call.body): call.headers["Idempotency-Key"] for call in writes}
    assert all(by_key[(call.method, call.path, call.body)] == call.headers["Idempotency-Key"] for call in writes)
    assert max(keys.values()) <= 3


def test_a_lost_answer_stays_unknown_and_is_asked_about_under_its_key(proxied_world: World) -> None:
    world = proxied_world
    settle_in(world)
    started(world)
    assert world.proxy is not None
    world.proxy.fail("lost reply", path="/subscriptions/assign-employee")
    work(world)
    assert kinds_in(world, "UNKNOWN") == {"subscription"}
    # What is in doubt holds nothing else up.
    assert "card" in kinds_in(world, "DONE")
    page = world.client("Ada").get(world.address(f"people/offboarding/{job_of(world).pk}/")).content.decode()
    assert "No answer" in page
    assert "Nothing was changed" not in page
    world.proxy.heal()
    work(world)
    assert "subscription" in kinds_in(world, "DONE")
    sent = [call for call in world.proxy.record if call.path.endswith("/assign-employee")]
    assert len({(call.body, call.headers["Idempotency-Key"]) for call in sent}) == 2


def test_a_service_that_is_away_leaves_everything_waiting(proxied_world: World) -> None:
    world = proxied_world
    settle_in(world)
    started(world)
    assert world.proxy is not None
    world.proxy.fail("refused")
    work(world)
    assert "REFUSED" not in states(world).values()
    assert Offboarding.objects.get(pk=job_of(world).pk).trouble
    world.proxy.heal()
    lose_worker(world)
    work(world)
    assert "card" in kinds_in(world, "DONE")


def test_a_suspension_without_an_answer_is_asked_about_before_anything_else(proxied_world: World) -> None:
    world = proxied_world
    settle_in(world)
    assert world.proxy is not None
    world.proxy.fail("lost reply", path="/suspend-employee")
    started(world)
    assert states(world)["1 suspend suspend"] == "UNKNOWN"
    work(world)
    waiting = {name: state for name, state in states(world).items() if name != "2 membership end"}
    assert set(waiting.values()) == {"UNKNOWN", "WAITING", "FOR_ANOTHER"}
    world.proxy.heal()
    work(world)
    assert states(world)["1 suspend suspend"] == "DONE"
    assert "card" in kinds_in(world, "DONE")


def test_what_was_done_by_hand_meanwhile_is_done(world: World) -> None:
    settle_in(world)
    started(world)
    step = OffboardingStep.objects.filter(offboarding=job_of(world), kind="card").first()
    assert step is not None
    world.send("PUT", f"/cards/{step.remote_id}/retire", {})
    world.sync()
    work(world)
    step.refresh_from_db()
    assert (step.state, step.sentence) == ("DONE", "It was so already.")


def test_a_worker_that_was_only_slow_writes_nothing_over_what_its_successor_found_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle_in(world)
    started(world)
    card = OffboardingStep.objects.filter(offboarding=job_of(world), kind="card").earliest("number")
    action_of, slow = worker.step_action_of, []

    def slowly(actor: Actor, step: OffboardingStep) -> Carried:
        # Its call hangs; meanwhile it is taken for lost, and another worker carries everything out.
        slow.append(step.number)
        lose_worker(world)
        assert worker.run(step.offboarding_id)
        raise Unknown("No answer came.")

    def actions(step: OffboardingStep) -> StepAction:
        action = action_of(step)
        first = step.pk == card.pk and not slow
        # Nor can it look, when it is back.
        return replace(action, carry_out=slowly, is_done=lambda *_: False) if first else action

    monkeypatch.setattr(worker, "step_action_of", actions)
    assert worker.run(card.offboarding_id) is False
    assert slow == [card.number]
    card.refresh_from_db()
    assert (card.state, card.due_at) == ("DONE", None)
    assert "UNKNOWN" not in states(world).values()
