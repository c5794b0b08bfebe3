"""`manage.py test` ended by somebody: whatever it has started ends with it, within seconds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from config import ROOT
from config.embedded import die_with_parent, work_of
from tests.lifecycle.newcomer import bare
from tests.lifecycle.processes import processes_of, until

ENDED_WITHIN_S = 5.0
# Long enough to be ended in the middle: on databases alone, with a worker that a test started itself, and with a browser.
LEDGER, WORKER, PAGES = "tests/service/ledger", "tests/dashboard/decisions/test_killed_worker.py", "tests/browser"
MIGRATING, TESTING, WORKING, BROWSING = "migrate --no-input", "-m pytest", "-c \nimport django", "--headless"
# With no path everything is checked, several suites at once; and a suite that starts a whole house of its own.
EVERYTHING, HOUSE, STARTING = "", "tests/lifecycle/test_killed_hard.py", "manage.py up"
# A role of another name, or the same one named from outside: tables are made by the migrations then, which takes a while.
BY_MIGRATIONS = {"SERVICE_DATABASE_APP_ROLE": "service_app"}
# What is still is checked first, before two suites run at once: minutes of work.
GUARD_S = {EVERYTHING: 180, HOUSE: 180}


@pytest.mark.parametrize(
    ("path", "moment", "number"),
    [
        pytest.param(LEDGER, MIGRATING, signal.SIGINT, id="Ctrl-C while migrating"),
        pytest.param(LEDGER, TESTING, signal.SIGTERM, id="SIGTERM while testing"),
        pytest.param(LEDGER, TESTING, signal.SIGKILL, id="kill -9 while testing"),
        pytest.param(WORKER, WORKING, signal.SIGKILL, id="kill -9 while a worker works", marks=pytest.mark.full),
        pytest.param(PAGES, BROWSING, signal.SIGTERM, id="SIGTERM while browsing", marks=pytest.mark.full),
        pytest.param(PAGES, BROWSING, signal.SIGKILL, id="kill -9 while browsing", marks=pytest.mark.full),
        pytest.param(
            EVERYTHING, TESTING, signal.SIGTERM, id="SIGTERM while suites run at once", marks=pytest.mark.full
        ),
        pytest.param(
            EVERYTHING, TESTING, signal.SIGKILL, id="kill -9 while suites run at once", marks=pytest.mark.full
        ),
        pytest.param(HOUSE, STARTING, signal.SIGTERM, id="SIGTERM while a house starts", marks=pytest.mark.full),
        pytest.param(HOUSE, STARTING, signal.SIGKILL, id="kill -9 while a house starts", marks=pytest.mark.full),
    ],
)
def test_nothing_is_left_of_it(tmp_path: Path, path: str, moment: str, number: signal.Signals) -> None:
    said = (tmp_path / "said").open("wb")
    command = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "test", *filter(None, [path])],
        env=bare(tmp_path) | {"TMPDIR": str(tmp_path)} | (BY_MIGRATIONS if moment == MIGRATING else {}), stdin=subprocess.DEVNULL, stdout=said, stderr=said,
        start_new_session=True, preexec_fn=partial(die_with_parent, parent=os.getpid()),
    )  # fmt: skip

    at_once = 2 if path == EVERYTHING else 1

    def running() -> bool:
        return sum(moment in line for line in processes_of(tmp_path).values()) >= at_once

    until(running, GUARD_S.get(path, 60), f"not {at_once} with {moment!r}", lambda: work_of([command.pid]))
    # It is well on its way, not only begun.
    time.sleep(2)
    assert command.poll() is None
    assert len(processes_of(tmp_path)) > 3
    began = time.monotonic()
    command.send_signal(number)
    code = command.wait(10 * ENDED_WITHIN_S)
    while (left := processes_of(tmp_path)) and time.monotonic() - began < 10 * ENDED_WITHIN_S:
        time.sleep(0.05)
    took = time.monotonic() - began
    assert left == {}
    assert took < ENDED_WITHIN_S, f"it took {took:.1f} s"
    assert code == (-signal.SIGKILL if number is signal.SIGKILL else 1)
