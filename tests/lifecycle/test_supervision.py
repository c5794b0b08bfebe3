"""A part of a running `up` that is killed comes back by itself, and its work with it; one that dies again and again ends it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest
import requests

from config.embedded import Postgres, free_port
from tests.house.test_embedded import gone
from tests.lifecycle.newcomer import SECOND_START_GUARD_S, Newcomer, sign_in
from tests.lifecycle.processes import below, processes_of, until

# Each starts the house anew; how often and when is tested each day (tests/house/test_supervision.py).
pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def house(at_rest: Newcomer) -> Iterator[Newcomer]:
    yield at_rest
    if not at_rest.ended():
        at_rest.end(signal.SIGTERM)


@pytest.fixture
def running(house: Newcomer) -> Newcomer:
    """The same house for each, as long as it runs."""
    if house.ended():
        house.start(SECOND_START_GUARD_S)
    return house


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def pid_of(newcomer: Newcomer, name: str) -> int:
    """The process of this name that was forked of one of the two programs that `up` has loaded; 0 while there is none."""
    assert newcomer.process is not None
    for pid in processes_of(newcomer.data):
        with suppress(OSError):
            is_named = Path(f"/proc/{pid}/comm").read_text().strip() == name[:15]
            if is_named and parent_of(parent_of(pid)) == newcomer.process.pid:
                return pid
    return 0


def forked(newcomer: Newcomer, name: str) -> list[int]:
    """All processes of this name that were forked of a program that `up` has loaded."""
    assert newcomer.process is not None
    pids = []
    for server in below(newcomer.process.pid):
        with suppress(OSError):
            if parent_of(server) == newcomer.process.pid:
                pids += [pid for pid in below(server) if parent_of(pid) == server and comm_of(pid) == name[:15]]
    return pids


def is_forked_once(newcomer: Newcomer, name: str) -> bool:
    return len(forked(newcomer, name)) == 1


def has_another_worker(newcomer: Newcomer, before: int) -> bool:
    """Whether the service's worker is another process than before, or none."""
    return pid_of(newcomer, "service worker") != before


def is_said(newcomer: Newcomer, sentence: str, times: int) -> bool:
    return newcomer.said().count(sentence) == times


def comm_of(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def both_answer(newcomer: Newcomer) -> bool:
    try:
        return all(requests.get(f"{one}/readyz", timeout=5).ok for one in (newcomer.address, newcomer.service))
    except requests.RequestException:
        return False


def kill(newcomer: Newcomer, name: str) -> int:
    pid = pid_of(newcomer, name)
    assert pid, name
    os.kill(pid, signal.SIGKILL)
    return pid


def test_a_house_outlives_the_program_that_its_processes_are_forked_of(running: Newcomer) -> None:
    """With it all that was forked of it ends; each comes back once, of the program loaded anew."""
    names = ("dashboard", "dashboard worker", "decisions worker")
    for name in names:
        until(partial(is_forked_once, running, name), 30, f"no {name}", running.said)
    server = parent_of(pid_of(running, "dashboard"))
    others = {pid_of(running, "service"), pid_of(running, "service worker")}
    before = below(server)
    os.kill(server, signal.SIGKILL)
    until(lambda: all(map(gone, before)), 10, "what was forked of it outlived it", lambda: list(map(gone, before)))
    for name in names:
        until(partial(forked, running, name), 60, f"no {name} came again", running.said)
    until(lambda: both_answer(running), 60, "the programs do not answer again", running.work)
    assert not running.ended(), running.said()
    assert {name: len(forked(running, name)) for name in names} == dict.fromkeys(names, 1)
    assert len({parent_of(forked(running, name)[0]) for name in names}) == 1
    for name in names:
        assert running.said().count(f"The {name} ended by itself (code -9): it is started again in") == 1
    assert {pid_of(running, "service"), pid_of(running, "service worker")} == others


def test_what_dies_is_started_again_and_three_times_within_a_minute_end_the_house(running: Newcomer) -> None:
    web = kill(running, "dashboard")
    until(lambda: pid_of(running, "dashboard") not in (0, web), 30, "no web server came again", running.said)

    until(lambda: both_answer(running), 60, "the programs do not answer again", running.work)
    # Without its schedule a program would go on as if nothing were due.
    until(lambda: pid_of(running, "dashboard schedule"), 30, "no schedule came", running.said)
    schedule = kill(running, "dashboard schedule")
    until(
        lambda: pid_of(running, "dashboard schedule") not in (0, schedule), 30, "no schedule came again", running.said
    )
    assert "The dashboard schedule ended by itself (code -9): it is started again in 0.5 s." in running.said()
    # Of another program than the one whose processes have ended once already.
    for time in range(1, 4):
        until(lambda: pid_of(running, "service worker") or running.ended(), 30, "no worker came again", running.said)
        pid = kill(running, "service worker")
        until(partial(has_another_worker, running, pid), 10, "it did not die", running.work)
        if time < 3:
            told = "The service worker ended by itself (code -9): it is started again in"
            until(partial(is_said, running, told, time), 10, "nothing was said", running.work)
    assert running.process is not None
    until(running.ended, 60, "the house did not end", lambda: (running.said(), sorted(running.left())))
    assert running.process.returncode == 1
    last = running.said().strip().splitlines()[-1]
    assert last.startswith("The service worker ended by itself (code -9, 3 times within a minute): see ")
    assert "Traceback" not in running.said()
    running.wait_until_gone()


def test_on_other_ports_old_data_just_works(at_rest: Newcomer) -> None:
    """Connections and webhooks follow: what happens at the service reaches the desk, and the service answers the dashboard."""
    if not at_rest.ended():
        at_rest.end(signal.SIGTERM)
    at_rest.port, at_rest.service_port = free_port(), free_port()
    at_rest.start(SECOND_START_GUARD_S)
    try:
        demo = at_rest.demo()
        assert (demo["dashboard"]["address"], demo["service"]["address"]) == (at_rest.address, at_rest.service)
        assert at_rest.address in at_rest.said()
        until(
            lambda: requests.get(f"{at_rest.address}/readyz", timeout=5).json()["checks"]["upstream"],
            60,
            "no upstream",
            at_rest.work,
        )
        assert sign_in(at_rest.address, demo["dashboard"]["people"][0])[1].ok
        postgres = Postgres(at_rest.data)
        with psycopg.connect(postgres.url("service_app", "service")) as connection:
            urls = [row[0] for row in connection.execute("select url from webhooks_webhookendpoint").fetchall()]
        with psycopg.connect(postgres.url("dashboard_app", "dashboard")) as connection:
            bases = [row[0] for row in connection.execute("select base_url from access_serviceaccount").fetchall()]
        assert any(url.startswith(f"{at_rest.address}/-/hooks/") for url in urls)
        assert bases == [f"{at_rest.service}/v2"] * len(demo["service"]["businesses"])
    finally:
        at_rest.end(signal.SIGTERM)
