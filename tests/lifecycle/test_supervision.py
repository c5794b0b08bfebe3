"""A part of a running `up` that is killed comes back by itself, and its work with it; one that dies again and again ends it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
import requests

from config.embedded import Postgres, free_port
from tests.lifecycle.newcomer import SECOND_START_GUARD_S, Newcomer, sign_in
from tests.lifecycle.processes import processes_of, until

# Each starts the house anew; how often and when is tested each day (tests/house/test_supervision.py).
pytestmark = pytest.mark.full


@pytest.fixture
def running(at_rest: Newcomer) -> Iterator[Newcomer]:
    at_rest.start(SECOND_START_GUARD_S)
    yield at_rest
    if not at_rest.ended():
        at_rest.end(signal.SIGTERM)


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


def kill(newcomer: Newcomer, name: str) -> int:
    pid = pid_of(newcomer, name)
    assert pid, name
    os.kill(pid, signal.SIGKILL)
    return pid


def test_what_dies_is_started_again_and_three_times_within_a_minute_end_the_house(running: Newcomer) -> None:
    web = kill(running, "dashboard")
    until(lambda: pid_of(running, "dashboard") not in (0, web), 30, "no web server came again", running.said)

    def both_answer() -> bool:
        try:
            return all(requests.get(f"{one}/readyz", timeout=5).ok for one in (running.address, running.service))
        except requests.RequestException:
            return False

    until(both_answer, 60, "the programs do not answer again")
    for time in range(1, 4):
        until(lambda: pid_of(running, "decisions worker") or running.ended(), 30, "no worker came again", running.said)
        pid = kill(running, "decisions worker")
        until(lambda pid=pid: pid_of(running, "decisions worker") != pid, 10, "it did not die")  # type: ignore[misc]
        if time < 3:
            told = "The decisions worker ended by itself (code -9): it is started again in"
            until(lambda told=told, time=time: running.said().count(told) == time, 10, "nothing was said")  # type: ignore[misc]
    assert running.process is not None
    assert running.process.wait(60) == 1
    last = running.said().strip().splitlines()[-1]
    assert last.startswith("The decisions worker ended by itself (code -9, 3 times within a minute): see ")
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
            lambda: requests.get(f"{at_rest.address}/readyz", timeout=5).json()["checks"]["upstream"], 60, "no upstream"
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
