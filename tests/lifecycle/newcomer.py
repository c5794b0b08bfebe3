"""Somebody with a checkout, an empty folder and two free ports, who starts and ends `manage.py up`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import psycopg
import requests

from config import ROOT
from config.demo_months import is_whole
from config.embedded import Postgres, die_with_parent, free_port, work_of
from tests.lifecycle.processes import listening, processes_of, until, work_in

# As long as it works at coming up these begin anew.
FIRST_START_GUARD_S = 120
SECOND_START_GUARD_S = 50
END_GUARD_S = 40
GONE_AFTER_KILL_S = 5
LINE = "Ctrl-C ends everything"
# What `up` must make once, however often it starts. Units that were sold are settled and interest is earned by the clock,
# a few seconds after a start or an hour.
COUNTED = {
    "dashboard": ("access_business", "access_user", "access_membership"),
    "service": (
        "businesses_business", "employees_employee", "expenses_expense",
        "ledger_transaction WHERE kind NOT IN ('INVESTMENT', 'INTEREST')",
    ),
}  # fmt: skip


def bare(home: Path) -> dict[str, str]:
    """An environment in which nothing is set up; the demo is a small one, so that a busy machine keeps to the guards."""
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "DEMO_EXPENSES": "400"}


class Newcomer:
    """Somebody with a checkout, an empty folder and two free ports."""

    def __init__(self, folder: Path) -> None:
        self.home, self.data = folder, folder / "data"
        self.port, self.service_port = free_port(), free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.output = folder / "said"
        self.started_in = 0.0
        self.kept: dict[str, Any] = {}

    def start(self, guard_s: float) -> None:
        """`manage.py up`, until it says that it is there and its demo is whole."""
        began = time.monotonic()
        with self.output.open("wb") as said:
            self.process = subprocess.Popen(
                self.command(), env=bare(self.home), stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                start_new_session=True, preexec_fn=partial(die_with_parent, parent=os.getpid()),
            )  # fmt: skip
        pid = self.process.pid
        try:
            until(
                lambda: (LINE in self.said() and is_whole(self.data)) or self.ended(),
                guard_s,
                "up did not come up",
                lambda: (len(self.said()), work_of([pid])),
            )
        except AssertionError as late:
            # It must not come up behind our back; what it said is what there is to go by.
            self.end(signal.SIGKILL)
            raise AssertionError(f"{late}\n{self.said()}{self.last_words()}") from None
        self.started_in = time.monotonic() - began
        assert not self.ended(), self.said()

    def command(self, *more: str) -> list[str]:
        """Options that come later win."""
        return [
            sys.executable, str(ROOT / "manage.py"), "up", "--data", str(self.data),
            "--port", str(self.port), "--service-port", str(self.service_port), *more,
        ]  # fmt: skip

    def said(self) -> str:
        return self.output.read_text(errors="replace")

    def last_words(self) -> str:
        """The ends of the logs that it wrote."""
        files = sorted((self.data / "log").glob("*.log"))
        return "\n".join(f"--- {file.name}\n{file.read_text(errors='replace')[-1500:]}" for file in files)

    def ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def end(self, number: signal.Signals) -> int:
        """Sends the signal to the starter alone; its exit code."""
        assert self.process is not None
        self.process.send_signal(number)
        try:
            until(self.ended, END_GUARD_S, "up did not end", lambda: (len(self.said()), sorted(self.left())))
        except AssertionError:
            self.process.kill()
            self.process.wait()
            raise
        return int(self.process.returncode)

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def service(self) -> str:
        return f"http://localhost:{self.service_port}"

    def demo(self) -> Any:
        return json.loads((self.data / "demo.json").read_text())

    def left(self) -> dict[int, str]:
        """What still runs for this folder, or listens on these ports."""
        taken = {port: "listens" for _, port in listening().values() if port in (self.port, self.service_port)}
        return processes_of(self.data) | taken

    def wait_until_gone(self) -> None:
        """Nobody is left to end what a killed starter started: it must end by itself."""
        until(lambda: not self.left(), GONE_AFTER_KILL_S, "something is left", lambda: sorted(self.left()))

    def work(self) -> int:
        """What its house has worked by now."""
        return work_in(self.data)

    def counts(self) -> dict[str, int]:
        """How much of everything there is, asked past the programs."""
        postgres, found = Postgres(self.data), {}
        for program, tables in COUNTED.items():
            with psycopg.connect(postgres.url(f"{program}_app", program)) as connection:
                for table in tables:
                    row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
                    assert row is not None
                    found[table] = row[0]
        return found

    def refused(self, *more: str, env: dict[str, str] | None = None) -> str:
        """Runs `up`, which must end by itself with one line and code 1; the line."""
        return one_line(run_to_its_end(self.command(*more), env or bare(self.home)))


def run_to_its_end(command: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Runs a command that must end by itself, as long as it works at that; what it said."""
    with TemporaryFile("w+") as said, TemporaryFile("w+") as complained:
        process = subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=complained,
            preexec_fn=partial(die_with_parent, parent=os.getpid()),
        )  # fmt: skip
        try:
            until(lambda: process.poll() is not None, END_GUARD_S, "it does not end", lambda: work_of([process.pid]))
        finally:
            process.kill()
            process.wait()
        for file in (said, complained):
            file.seek(0)
        return subprocess.CompletedProcess(command, process.returncode, said.read(), complained.read())


def one_line(run: subprocess.CompletedProcess[str]) -> str:
    """What it said while it ended with code 1: one line for a person."""
    assert run.returncode == 1, (run.returncode, run.stdout, run.stderr)
    assert "Traceback" not in run.stderr + run.stdout
    lines = run.stderr.strip().splitlines()
    assert len(lines) == 1, run.stderr
    return lines[0]


def sign_in(address: str, person: dict[str, str]) -> tuple[requests.Session, requests.Response]:
    """Signs in as a browser would: the browser, and the page behind the sign-in."""
    browser, page = requests.Session(), f"{address}/-/account/login/"
    browser.get(page, timeout=20).raise_for_status()
    token = next(cookie.value for cookie in browser.cookies if "csrf" in cookie.name)
    form = {"login": person["email"], "password": person["password"], "csrfmiddlewaretoken": token}
    return browser, browser.post(page, form, headers={"Referer": page}, timeout=20)
