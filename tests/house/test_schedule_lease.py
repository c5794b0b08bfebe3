"""Of several schedules one works: the lease of the others' is theirs when its holder is gone, and nobody's without Redis."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from config.cluster.schedules import LEASE_S, RENEW_S, Lease, LeasedScheduler
from config.embedded import Redis
from config.scheduler import WorkScheduler

NAME = "countersign:schedule:of-the-tests"


class Clock:
    """Seconds that pass when somebody says so."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    one = Redis(tmp_path_factory.mktemp("lease"), "word", durable=False)
    one.start()
    yield one
    one.stop()


@pytest.fixture
def store(server: Redis) -> redis.Redis:
    client = redis.Redis.from_url(f"{server.url}/0", socket_timeout=2)
    client.flushall()
    return client


def test_one_of_two_has_it_and_goes_on_having_it(store: redis.Redis) -> None:
    clock = Clock()
    first, second = Lease(store, NAME, clock), Lease(store, NAME, clock)
    assert (first.hold(), second.hold()) == (True, False)
    for _ in range(5):
        clock.at += RENEW_S
        assert (second.hold(), first.hold()) == (False, True)
    assert 0 < store.pttl(NAME) <= LEASE_S * 1000


def test_between_two_renewals_nobody_is_asked(store: redis.Redis) -> None:
    clock = Clock()
    lease = Lease(store, NAME, clock)
    assert lease.hold()
    before = store.info("commandstats").get("cmdstat_eval", {}).get("calls", 0)
    for _ in range(50):
        clock.at += RENEW_S / 60
        assert lease.hold()
    assert store.info("commandstats")["cmdstat_eval"]["calls"] == before


def test_a_holder_that_is_gone_is_followed_when_its_lease_is_over(store: redis.Redis) -> None:
    clock = Clock()
    first, second = Lease(store, NAME, clock), Lease(store, NAME, clock)
    assert first.hold()
    store.pexpire(NAME, 20)
    time.sleep(0.05)
    assert second.hold()
    # The first, which was only slow, finds it gone.
    clock.at += RENEW_S
    assert not first.hold()


def test_given_back_it_is_the_others_at_once_and_nobody_gives_back_what_is_not_his(store: redis.Redis) -> None:
    clock = Clock()
    first, second = Lease(store, NAME, clock), Lease(store, NAME, clock)
    assert first.hold()
    second.release()
    assert not second.hold()
    first.release()
    assert second.hold()
    first.release()
    assert not first.hold()


def test_where_redis_lost_all_the_first_that_comes_has_it(store: redis.Redis) -> None:
    clock = Clock()
    first, second = Lease(store, NAME, clock), Lease(store, NAME, clock)
    assert first.hold()
    store.flushall()
    assert second.hold()
    clock.at += RENEW_S
    assert not first.hold()


def test_without_redis_it_is_held_for_what_is_left_and_not_longer(store: redis.Redis) -> None:
    clock = Clock()
    lease = Lease(store, NAME, clock)
    assert lease.hold()
    lease.store = redis.Redis(port=1, socket_connect_timeout=0.2)
    clock.at += RENEW_S
    assert lease.hold()
    clock.at += LEASE_S - RENEW_S
    assert not lease.hold()


def test_it_is_given_back_in_one_step(store: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between a look at whose it is and its deletion it may have become another's."""
    commands: list[str] = []
    execute = store.execute_command

    def note(*words: Any, **options: Any) -> Any:
        commands.append(words[0])
        return execute(*words, **options)

    lease = Lease(store, NAME, Clock())
    assert lease.hold()
    monkeypatch.setattr(store, "execute_command", note)
    lease.release()
    assert commands == ["EVAL"]
    assert store.get(NAME) is None


def test_without_an_answer_nobody_is_said_to_work(
    store: redis.Redis, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkScheduler, "tick", lambda _: 1.0)
    clock = Clock()
    schedule, other = LeasedScheduler.__new__(LeasedScheduler), Lease(store, NAME, clock)
    schedule._works, schedule._lease = False, Lease(store, NAME, clock)

    def logged_by_a_tick() -> list[str]:
        caplog.clear()
        with caplog.at_level(logging.WARNING, "config.cluster.schedules"):
            schedule.tick()
        return caplog.messages

    assert logged_by_a_tick() == ["this schedule works from now on"]
    store.flushall()
    assert other.hold()
    clock.at += RENEW_S
    assert logged_by_a_tick() == ["another schedule works from now on"]
    assert logged_by_a_tick() == []
    other.release()
    assert logged_by_a_tick() == ["this schedule works from now on"]
    schedule._lease.store = redis.Redis(port=1, socket_connect_timeout=0.2)
    clock.at += LEASE_S
    assert logged_by_a_tick()[1:] == ["this schedule works no more: nobody answers whose the lease is"]
