"""All acts × faults of the act × faults of the look, against the real service: no false statement, nothing done twice.

Among the faults are those of our own: our breaker is open, and the process ends after any step of a write. The daily run
plays a sample, the same each day. The full run plays every act under every fault of the act, and every act and every fault
of the act with every fault of the look; which three meet changes by the day, so that in thirteen days all have met.
DAY_OF_TESTS, the ordinal of a day, plays that day again.
"""

from __future__ import annotations

import itertools
import os
import random
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
import requests
from pytest_django.plugin import DjangoDbBlocker

from dashboard.client import token, transport
from tests import faults
from tests.dashboard.conftest import connect
from tests.dashboard.no_false_statement.acts import ACTS, FORMS
from tests.dashboard.no_false_statement.stage import (
    BREAKER_OPEN,
    HANGS_S,
    KILLED,
    STEPS,
    Act,
    Cutter,
    Patience,
    Run,
    Stage,
    Weather,
    hurried,
)
from tests.faults import FaultProxy
from tests.sandbox import sandbox_headers

# "late" arrives at the service after we have given it up.
# With "" the act itself goes well, and only looking fails. A read that is late comes when nobody waits for it any more.
FAULTS = (
    "lost reply",
    "late",
    "truncated",
    "bad json",
    "500",
    "429",
    "403",
    "401",
    "reset",
    "hang",
    "slow",
    BREAKER_OPEN,
)
ACTING = ("", *FAULTS, *(f"{KILLED}{step}" for step in STEPS))
LOOKING = ("", *FAULTS)
OTHERS_FOR_EACH = 4
QUICK_AGAIN = frozenset({"ApproveExpense", "VoteForPayment", "ModifyAccess", "ReissueCard", "Exchange"})


def unlike() -> list[type[Act]]:
    """Of the acts of a module that are made of the same one, the first: what the daily run looks at."""
    first: dict[tuple[str, type], type[Act]] = {}
    for act in ACTS:
        if not act.slow:
            first.setdefault((act.__module__, act.__mro__[1]), act)
    return list(first.values())


def sample() -> list[tuple[type[Act], Weather]]:
    """For each of them one loss with a failing look, for some another fault by turns: the same each time."""
    dice, chosen = random.Random(10), []
    turns = itertools.cycle(ACTING[2:])
    for number, act in enumerate(unlike()):
        chosen.append((act, Weather("lost reply", dice.choice(("500", "403", "reset")))))
        if number % OTHERS_FOR_EACH == 0:
            chosen.append((act, Weather(next(turns), dice.choice(LOOKING))))
    return chosen


def meetings(day: int) -> list[tuple[type[Act], Weather]]:
    """Every act under every fault of the act, each time with one fault of the look, another one the day after."""
    return [
        (act, Weather(acting, LOOKING[(place + turn + day) % len(LOOKING)]))
        for place, act in enumerate(ACTS)
        for turn, acting in enumerate(ACTING)
    ]


QUICK = sample()
DAY = int(os.environ.get("DAY_OF_TESTS") or datetime.now(UTC).toordinal())
# So many cases that the daily run does not even collect them.
MET = [one for one in meetings(DAY) if one not in QUICK] if os.environ.get("FULL") else []
ALL = [*(pytest.param(*one) for one in QUICK), *(pytest.param(*one, marks=pytest.mark.full) for one in MET)]

AGAIN = [
    pytest.param(
        act,
        Weather(acting, "500"),
        marks=() if acting == "lost reply" and act.__name__ in QUICK_AGAIN else pytest.mark.full,
    )
    for act in FORMS
    for acting in ("lost reply", "500", "429", "403", "401", "reset", BREAKER_OPEN)
]


def name_of(value: Any) -> str:
    return value.__name__ if isinstance(value, type) else str(value)


@pytest.fixture(scope="module")
def stage(django_db_blocker: DjangoDbBlocker, service_address: str) -> Iterator[Stage]:
    """One business behind a proxy for all of them: each act makes what it is done to."""
    with django_db_blocker.unblock(), staged(service_address, None) as built:
        yield built


@contextmanager
def staged(service_address: str, tls: ssl.SSLContext | None) -> Iterator[Stage]:
    """A new business of the service, connected through a proxy of its own."""
    answer = requests.post(f"{service_address}/sandbox/businesses", json={}, headers=sandbox_headers(), timeout=30)
    assert answer.ok, answer.text
    with FaultProxy(service_address, tls=tls) as proxy, pytest.MonkeyPatch.context() as patched:
        world = connect(answer.json(), service_address, proxy.address)
        world.proxy = proxy
        world.sync()
        patience, cutter = Patience(), Cutter()
        hurried(patience, cutter, patched.setattr)
        patched.setattr(faults, "HANG_S", HANGS_S)
        patched.setattr(token, "FAILURE_LASTS_S", 0.0)
        patched.setattr(transport.random, "uniform", lambda low, _: low)
        patched.setattr("dashboard.pages.approvals.views.decisions.wait_for_outcome", lambda decision: decision)
        for module in ("decisions.services", "decisions.bulk", "bulk.batches", "pages.customers.services"):
            patched.setattr(f"dashboard.{module}.enqueue_on_commit", lambda *_, **__: None)
        yield Stage(world, patience, cutter)


def test_in_as_many_days_as_there_are_looks_all_have_met() -> None:
    days = [{(act, weather.acting, weather.looking) for act, weather in meetings(day)} for day in range(len(LOOKING))]
    assert all(len({(act, acting) for act, acting, _ in met}) == len(ACTS) * len(ACTING) for met in days)
    assert all(len({(act, looking) for act, _, looking in met}) == len(ACTS) * len(LOOKING) for met in days)
    assert all(len({met_by[1:] for met_by in met}) == len(ACTING) * len(LOOKING) for met in days)
    assert len(set.union(*days)) == len(ACTS) * len(ACTING) * len(LOOKING)


@pytest.mark.parametrize(("act", "weather"), ALL, ids=name_of)
def test_nothing_that_is_said_is_false(committed: None, stage: Stage, act: type[Act], weather: Weather) -> None:
    run = Run(act(stage), weather)
    run.play()
    wrong = run.judge()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("act", "weather"), AGAIN, ids=name_of)
def test_what_was_done_is_not_denied_when_the_form_comes_again(
    committed: None, stage: Stage, act: type[Act], weather: Weather
) -> None:
    """The browser lost the answer of a form that was done, and sends it again while everything fails."""
    run = Run(act(stage), weather)
    run.play(done_first=True)
    wrong = run.judge()
    assert not wrong, "\n".join(wrong)
