"""Workers that are forked once all tests are read: `--workers 3` plays the tests of a run on three processes.

A worker that begins anew, as those of pytest-xdist do, reads all tests for itself: of the dashboard's that is half a minute of
the processor for each. Here they are read once, and each worker is a copy of the process that has read them, which gets one
test after the other. A test marked `on_one_worker("name")` is played by the worker that plays the others of that name.
"""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

import pytest

from config.embedded import die_with_parent
from tests import databases

MARK = "on_one_worker"
FORK = multiprocessing.get_context("fork")
ENDS_S = 30


def pytest_addoption(parser: pytest.Parser) -> None:
    """How many workers there are; with one, the process that reads the tests plays them."""
    parser.addoption(
        "--workers", type=int, default=1, help="play the tests on so many processes, forked once they are read"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Instead of playing the tests one after the other, in this process."""
    option = session.config.option
    if option.workers < 2 or option.collectonly or session.testsfailed or not session.items:
        return None
    # The folder of the tests' files is one for all; each test has its own in it.
    session.config._tmp_path_factory.getbasetemp()
    Distribution(session).play(option.workers)
    return True


def together(items: Iterable[pytest.Item]) -> deque[list[int]]:
    """The numbers of tests by what a worker gets at once: one, or all of a mark's name, where the first of them stands."""
    units: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        mark = item.get_closest_marker(MARK)
        units.setdefault(f"mark {mark.args[0]}" if mark else str(number), []).append(number)
    return deque(units.values())


@dataclass
class Worker:
    """A process that plays tests, our end of its pipe, the tests that it got and has not ended, and whether it waits for more."""

    name: str
    process: Any
    pipe: Connection
    given: deque[int] = field(default_factory=deque)


class Distribution:
    """Gives tests to workers as they ask, and hears what became of them."""

    def __init__(self, session: pytest.Session) -> None:
        self.session, self.hook = session, session.config.hook
        self.units, self.workers = together(session.items), list[Worker]()

    def play(self, number: int) -> None:
        """Plays all tests on so many workers; interrupted, it ends them."""
        try:
            self.workers = [self._start(f"gw{each}") for each in range(number)]
            while self.workers:
                for pipe in wait([worker.pipe for worker in self.workers]):
                    self._hear(next(worker for worker in self.workers if worker.pipe is pipe))
        finally:
            for worker in self.workers:
                worker.process.kill()

    def _start(self, name: str) -> Worker:
        ours, theirs = FORK.Pipe()
        process = FORK.Process(target=play, args=(self.session, name, theirs), name=name)
        process.start()
        theirs.close()
        return Worker(name, process, ours)

    def _hear(self, worker: Worker) -> None:
        try:
            subject, value = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            self._has_ended(worker)
            return
        if subject == "next":
            unit = self.units.popleft() if self.units else []
            worker.given.extend(unit)
            worker.pipe.send(unit)
        elif subject == "played":
            worker.given.popleft()
        elif subject == "warning":
            self.hook.pytest_warning_recorded.call_historic(kwargs=value)
        else:
            report = self.hook.pytest_report_from_serializable(config=self.session.config, data=value)
            self.hook.pytest_runtest_logreport(report=report)

    def _has_ended(self, worker: Worker) -> None:
        self.workers.remove(worker)
        worker.process.join(ENDS_S)
        if not worker.given:
            return
        # It has ended in the middle of a test: that one fails, and the others are another worker's.
        item = self.session.items[worker.given.popleft()]
        line = f"Its worker ended with {worker.process.exitcode} while it was played."
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", line, "call")
        self.hook.pytest_runtest_logreport(report=report)
        if worker.given:
            self.units.appendleft(list(worker.given))
        self.workers.append(self._start(worker.name))


class Reporter:
    """In a worker: hands on what is to be said of a test."""

    def __init__(self, config: pytest.Config, pipe: Connection) -> None:
        self.config, self.pipe = config, pipe

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """What became of a part of a test."""
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        self.pipe.send(("report", data))

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: tuple[str, int, str] | None
    ) -> None:
        """A warning, with its text alone: what it holds may be of this process."""
        sent, text = warning_message, str(warning_message.message)
        plain = warnings.WarningMessage(f"{sent.category.__name__}: {text}", Warning, sent.filename, sent.lineno)
        self.pipe.send(("warning", {"warning_message": plain, "when": when, "nodeid": nodeid, "location": location}))


def play(session: pytest.Session, name: str, pipe: Connection) -> None:
    """A worker, from its beginning to its end."""
    die_with_parent(parent=os.getppid())
    databases.work_with_those_of(name)
    plugins, config = session.config.pluginmanager, session.config
    # What is printed is caught for each test by itself, and said by the process that hears of it.
    plugins.unregister(name="terminalreporter")
    capture = plugins.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    plugins.register(Reporter(config, pipe))
    waiting, is_over = deque[int](), False
    while waiting or not is_over:
        # The next one is known before this one is played: what both share is left standing.
        while len(waiting) < 2 and not is_over:
            pipe.send(("next", None))
            unit = pipe.recv()
            waiting.extend(unit)
            is_over = not unit
        if waiting:
            item = session.items[waiting.popleft()]
            following = session.items[waiting[0]] if waiting else None
            config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            pipe.send(("played", None))
    capture.stop_global_capturing()
