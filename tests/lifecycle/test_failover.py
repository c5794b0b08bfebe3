"""Parts of a deployment's shape are killed under load: people go on by themselves, and nothing is lost or done twice."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest
import redis
import requests

from config import PROGRAMS
from config.cluster.house import PARTS, ClusterHouse
from config.cluster.node import postmaster
from config.cluster.postgres import RULES, PatroniPair
from config.cluster.programs import missing_programs
from config.cluster.schedules import LEASE_NAME, LEASE_S, RENEW_S
from config.embedded import free_port
from tests.lifecycle.newcomer import FIRST_START_GUARD_S, Newcomer, bare
from tests.lifecycle.processes import below, until, work_in
from tests.lifecycle.traffic import Traffic

pytestmark = pytest.mark.full

RECOVERY_GUARD_S = 120
# Before something is killed so much has to be under way; as much has to be done again after it.
MOVES, DECISIONS = 10, 2
SOAK_MINUTES = float(os.environ.get("SOAK_MINUTES", "30"))
# Between two kills of a soak; a part that dies three times within a minute would end the house, and should.
SOAK_PAUSE_S = 20.0


@dataclass
class Cluster:
    """A house of two of each, and its demo business."""

    house: ClusterHouse

    @property
    def pair(self) -> PatroniPair:
        assert isinstance(self.house.postgres, PatroniPair)
        return self.house.postgres

    def traffic(self) -> Traffic:
        demo = json.loads((self.house.data / "demo.json").read_text())
        slug = demo["dashboard"]["people"][0]["business"]
        people = [one for one in demo["dashboard"]["people"] if one["business"] == slug and one["role"] == "APPROVER"]
        return Traffic(self.house, slug, demo["service"]["businesses"][0]["business_id"], people[:2])

    def until(self, happened: Callable[[], object], what: str, progress: Callable[[], object] | None = None) -> None:
        """Waits as long as the house works at it, and meanwhile begins again what has ended."""

        def is_so() -> object:
            self.house.keep()
            return happened()

        until(is_so, RECOVERY_GUARD_S, what, progress or (lambda: work_in(self.house.data)))

    def until_busy(self, traffic: Traffic, since: float = 0.0) -> None:
        """Until so much was acknowledged that it is a load, or that it is one again since a moment."""

        def done() -> bool:
            moves = sum(1 for one in traffic.moves if one.answered and one.answered > since)
            decisions = sum(1 for one in traffic.decisions if one.answered and one.answered > since)
            return (moves >= MOVES and decisions >= DECISIONS) or bool(traffic.broken)

        self.until(done, "nothing is acknowledged", lambda: len(traffic.answers))
        assert traffic.broken == []

    def primary(self) -> str:
        primary = self.pair.primary()
        assert primary is not None
        return primary

    def kill_primary(self) -> str:
        """kill -9 of PostgreSQL itself; the Patroni over it lives."""
        name = self.primary()
        os.kill(postmaster(self.pair.node_folder(name) / "data"), signal.SIGKILL)
        return name

    def kill_node(self) -> str:
        """kill -9 of all that would be on the primary's machine: nobody is left there to say that it is gone."""
        name = self.primary()
        kill(self.house, name)
        return name

    def empty_redis(self) -> None:
        """kill -9, and nothing of what it had is left."""
        kill(self.house, "redis")
        shutil.rmtree(self.house.data / "redis")

    def schedule_holder(self, program: str) -> int:
        """The process of the schedule that works; 0 while it is none."""
        store = redis.Redis.from_url(f"{self.house.env['REDIS_URL']}/{1 if program == 'dashboard' else 3}")
        with suppress(redis.RedisError):
            holder = store.get(LEASE_NAME.format(program=program))
            return int(holder.split(b":")[1]) if holder else 0
        return 0


def kill(house: ClusterHouse, name: str) -> None:
    """Ends a part of the house with all that it started, at once."""
    process = house.processes[name]
    for pid in below(process.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if missing := missing_programs():
        (pytest.fail if os.environ.get("COUNTERSIGN_REQUIRE_CLUSTER") else pytest.skip)(" ".join(missing))
    home = tmp_path_factory.mktemp("cluster")
    house = ClusterHouse(home / "data", free_port(), free_port(), durable=True, environ=bare(home))
    try:
        house.open()
        yield Cluster(house)
    finally:
        house.close()


@pytest.fixture
def measured(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Writes a line of what was measured, which the report of the run repeats (config/check_run.py)."""

    def write(line: str) -> None:
        with capsys.disabled():
            print(f"\nmeasured: {line}")

    return write


@pytest.fixture(autouse=True)
def whole(cluster: Cluster) -> None:
    """Each begins with a primary that has its standby."""
    cluster.until(cluster.pair.is_whole, "there is no primary with a standby", cluster.pair.members)


@pytest.mark.parametrize("how", ["PostgreSQL", "its machine"])
def test_the_primary_is_killed(cluster: Cluster, measured: Callable[[str], None], how: str) -> None:
    with cluster.traffic() as traffic:
        cluster.until_busy(traffic)
        moment = time.monotonic()
        before = cluster.kill_primary() if how == "PostgreSQL" else cluster.kill_node()
        until(
            lambda: cluster.pair.primary() not in (None, before),
            RECOVERY_GUARD_S,
            "the standby is not promoted",
            cluster.pair.members,
        )
        cluster.until_busy(traffic, time.monotonic())
        cluster.until(cluster.pair.is_whole, "the one that died is no standby", cluster.pair.members)
    assert 0 in {status for _, status in traffic.answers} or 503 in {status for _, status in traffic.answers}
    assert set(traffic.reads) <= {200, 503}, "somebody was signed out, or a page broke"
    measured(f"{how} killed: {traffic.without_postings(moment):.1f} s without writes; {traffic.holds()}")


def test_redis_is_killed_and_emptied(cluster: Cluster, measured: Callable[[str], None]) -> None:
    with cluster.traffic() as traffic:
        cluster.until_busy(traffic)
        moment = time.monotonic()
        cluster.empty_redis()
        # Meanwhile nobody is there who could take a job.
        time.sleep(3)
        cluster.until_busy(traffic, time.monotonic())
        cluster.until(lambda: all(map(cluster.schedule_holder, PROGRAMS)), "no schedule works again")
    assert set(traffic.reads) <= {200, 503}
    measured(f"Redis killed and emptied: {traffic.without_postings(moment):.1f} s without writes; {traffic.holds()}")


def test_etcd_is_away_for_longer_than_a_lease(cluster: Cluster, measured: Callable[[str], None]) -> None:
    with cluster.traffic() as traffic:
        cluster.until_busy(traffic)
        moment, before = time.monotonic(), cluster.primary()
        kill(cluster.house, "etcd")
        time.sleep(RULES["ttl"] * 1.5)
        longest = traffic.longest_without_postings(moment)
        cluster.until_busy(traffic, time.monotonic())
        cluster.until(cluster.pair.is_whole, "there is no primary with a standby", cluster.pair.members)
        assert cluster.primary() == before
    assert longest < RULES["ttl"], "the primary did not go on"
    assert set(traffic.reads) == {200}
    measured(f"etcd away for {RULES['ttl'] * 1.5:.0f} s: at most {longest:.1f} s without writes; {traffic.holds()}")


def test_a_dashboard_is_killed(cluster: Cluster, measured: Callable[[str], None]) -> None:
    with cluster.traffic() as traffic:
        for copy in (1, 2):
            cluster.until_busy(traffic, time.monotonic())
            kill(cluster.house, f"dashboard {copy}")
            cluster.until_busy(traffic, time.monotonic())
            address = f"http://localhost:{cluster.house.ports['dashboard'][copy - 1]}/readyz"
            cluster.until(lambda address=address: is_ready(address), "it does not come again")
    assert set(traffic.reads) == {200}, "a page was lost, or somebody was signed out"
    measured(f"each dashboard killed: {traffic.holds()}")


def is_ready(address: str) -> bool:
    with suppress(requests.RequestException):
        return requests.get(address, timeout=5).ok
    return False


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_schedule_that_works_is_killed(cluster: Cluster, measured: Callable[[str], None], program: str) -> None:
    cluster.until(lambda: cluster.schedule_holder(program), "no schedule works")
    holder = cluster.schedule_holder(program)
    names = {one.pid: name for name, one in cluster.house.processes.items() if "schedule" in name}
    with cluster.traffic() as traffic:
        cluster.until_busy(traffic)
        moment = time.monotonic()
        os.kill(holder, signal.SIGKILL)
        # What has died is not begun again here: it is the other one that has to go on.
        until(
            lambda: cluster.schedule_holder(program) not in (0, holder),
            2 * (LEASE_S + RENEW_S),
            "the other schedule does not take over",
            lambda: cluster.schedule_holder(program),
        )
        took = time.monotonic() - moment
        assert cluster.schedule_holder(program) in set(names) - {holder}
        cluster.until_busy(traffic, time.monotonic())
    measured(f"the {names[holder]} killed, and followed after {took:.1f} s; {traffic.holds()}")


def test_a_soak_while_parts_are_killed_in_turn(cluster: Cluster, measured: Callable[[str], None]) -> None:
    """`SOAK_MINUTES` long, 30 unless said otherwise: people click, and each part dies again and again."""
    house, kills = cluster.house, 0
    workers = [name for name in house.processes if name.endswith("worker")]
    turns: list[Callable[[], object]] = [
        cluster.kill_primary,
        cluster.empty_redis,
        *(lambda name=name: kill(house, name) for name in workers),
        lambda: kill(house, "dashboard 1"),
        lambda: kill(house, "service 2"),
        cluster.kill_node,
        lambda: os.kill(cluster.schedule_holder("dashboard"), signal.SIGKILL),
        lambda: kill(house, "proxy"),
        lambda: kill(house, "etcd"),
    ]
    ends = time.monotonic() + 60 * SOAK_MINUTES
    with cluster.traffic() as traffic:
        while time.monotonic() < ends:
            cluster.until_busy(traffic, time.monotonic())
            cluster.until(cluster.pair.is_whole, "there is no primary with a standby", cluster.pair.members)
            cluster.until(lambda: cluster.schedule_holder("dashboard"), "no schedule works")
            turns[kills % len(turns)]()
            kills += 1
            pause = time.monotonic() + SOAK_PAUSE_S
            while time.monotonic() < min(pause, ends):
                house.keep()
                time.sleep(0.2)
        cluster.until(cluster.pair.is_whole, "there is no primary with a standby", cluster.pair.members)
    assert 302 not in traffic.reads, "somebody was signed out"
    measured(f"a soak of {SOAK_MINUTES:g} minutes, {kills} kills: {traffic.holds()}")


class Starter(Newcomer):
    """`manage.py up --cluster`, as a program."""

    def command(self, *more: str) -> list[str]:
        return super().command("--cluster", *more)


def test_it_ends_with_who_started_it_and_begins_again_with_all_that_it_had(cluster: Cluster) -> None:
    """Ended in peace, and killed: no process is left, and the pair, its etcd and its passwords are those of the folder."""
    house = cluster.house
    assert set(house.processes) == set(PARTS)
    before = [pid for process in house.processes.values() for pid in below(process.pid)]
    with cluster.traffic() as traffic:
        cluster.until_busy(traffic)
    house.close()
    assert [pid for pid in before if is_alive(pid)] == []
    starter = Starter(house.data.parent)
    starter.port, starter.service_port = house.port, house.service_port
    starter.start(FIRST_START_GUARD_S)
    starter.end(signal.SIGKILL)
    starter.wait_until_gone()
    house.open()
    assert set(house.processes) == set(PARTS)
    traffic.holds()


def is_alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False
