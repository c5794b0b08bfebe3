"""A program that is loaded once, and the processes that are forked of it: each is known by its pid, its code and its end."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded import work_of
from config.fork_server import ForkServer
from tests.house.test_embedded import gone
from tests.house.test_loaded_modules import environ_of
from tests.lifecycle.processes import until

# Modules of Python's own that end by themselves, fail, and go on.
ENDS, FAILS = ["platform"], ["json.tool", "/nowhere/at/all.json"]
GOES_ON = ["timeit", "-n", "1", "-r", "1", "import time; time.sleep(120)"]
SECONDS = 60


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServer]:
    server = ForkServer("service", environ_of("service"), tmp_path_factory.mktemp("fork") / "service.log")
    yield server
    server.stop(SECONDS)


def test_a_process_writes_to_its_log_and_its_code_is_heard(server: ForkServer, tmp_path: Path) -> None:
    process = server.start("asks", ENDS, tmp_path / "asks.log")
    assert process.wait(SECONDS) == 0
    assert "Linux" in (tmp_path / "asks.log").read_text()
    failed = server.start("fails", FAILS, tmp_path / "fails.log")
    assert failed.wait(SECONDS) not in (0, None)
    assert "all.json" in (tmp_path / "fails.log").read_text()


def test_one_that_goes_on_is_known_by_its_name_and_ends_when_it_is_told(server: ForkServer, tmp_path: Path) -> None:
    one, other = (server.start(f"worker {number}", GOES_ON, tmp_path / "log") for number in (1, 2))
    assert one.pid != other.pid
    assert one.poll() is None
    named = Path(f"/proc/{one.pid}/comm")
    # It is named by itself, a moment after it is forked.
    until(lambda: named.read_text() == "worker 1\n", SECONDS, "it is not known by its name", lambda: work_of([one.pid]))
    assert os.getsid(one.pid) == one.pid
    with pytest.raises(subprocess.TimeoutExpired):
        one.wait(0.2)
    one.kill()
    assert one.wait(SECONDS) == -signal.SIGKILL
    assert other.poll() is None
    other.terminate()
    assert other.wait(SECONDS) == -signal.SIGTERM
    # Of one that has ended nothing is asked any more.
    other.kill()
    assert gone(other.pid)


def test_what_is_loaded_is_shared(server: ForkServer, tmp_path: Path) -> None:
    process = server.start("worker", GOES_ON, tmp_path / "log")
    until(lambda: (tmp_path / "log").exists(), SECONDS, "it did not begin", lambda: work_of([process.pid]))
    lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines if line.endswith(" kB")}
    process.kill()
    assert kilobytes["Rss"] > 50_000
    assert kilobytes["Private_Dirty"] < kilobytes["Rss"] / 4


def test_what_was_forked_ends_with_the_loaded_program(tmp_path: Path) -> None:
    server = ForkServer("service", environ_of("service"), tmp_path / "service.log")
    process = server.start("worker", GOES_ON, tmp_path / "log")
    server.process.kill()
    assert process.wait(SECONDS) == -signal.SIGKILL
    until(
        lambda: gone(process.pid),
        SECONDS,
        "it outlived the program that it was forked of",
        lambda: work_of([process.pid]),
    )
    server.stop(SECONDS)


def test_a_program_that_cannot_be_loaded_says_so_as_a_process_that_has_ended(tmp_path: Path) -> None:
    without_secret = {name: value for name, value in environ_of("service").items() if name != "SERVICE_SECRET_KEY"}
    server = ForkServer("service", without_secret, tmp_path / "service.log")
    process = server.start("service", GOES_ON, tmp_path / "log")
    assert process.poll() == 1
    assert "SERVICE_SECRET_KEY" in (tmp_path / "service.log").read_text()
    server.stop(SECONDS)
