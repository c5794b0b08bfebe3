"""A program that is loaded once and forked for each process that `up` starts of it: web server, workers, schedule.

What is loaded is shared by all of them, since nobody writes to it (gc.freeze): six processes of the dashboard take little
more memory than one, and begin at once. Each has its own session and log, and ends when this process does.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from config.embedded import CannotStart, die_with_parent, name_process, spawn, work_of

# A program that loads is waited for as long as it works at it, within a bound.
LOADED_AT_MOST_S, SILENT_S = 600, 60
# What gunicorn and Celery load once they know what they are: as much as all of ours.
SERVERS = (
    "celery.apps.worker", "celery.beat", "celery.bin.celery", "celery.concurrency.prefork", "celery.worker.consumer",
    "config.scheduler", "gunicorn.app.wsgiapp", "gunicorn.arbiter", "gunicorn.workers.gthread", "kombu.transport.redis",
)  # fmt: skip


class ForkedProcess:
    """A process that was forked for us, with what subprocess.Popen has of one: `returncode` is None while it runs."""

    def __init__(self, pid: int, hear: Callable[[float], object], returncode: int | None = None) -> None:
        self.pid, self.returncode, self._hear = pid, returncode, hear

    def poll(self) -> int | None:
        """Its exit code, negative for the signal that ended it; None while it runs."""
        if self.returncode is None:
            self._hear(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code once it has ended; subprocess.TimeoutExpired after so many seconds."""
        ends = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            left = 1.0 if ends is None else ends - time.monotonic()
            if left <= 0:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            self._hear(min(left, 1.0))
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Sends it a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Sends SIGTERM: it ends once it has finished what it is at."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Sends SIGKILL: it ends without finishing anything."""
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """The loaded program of one environment, seen from `up`. It loads while other things are done."""

    def __init__(self, program: str, env: dict[str, str], log: Path) -> None:
        self.program, self.env = program, env
        self._forked: dict[int, ForkedProcess] = {}
        self._started: list[ForkedProcess] = []
        self._buffer = b""
        reading, writing = os.pipe()
        commands, self._commands = os.pipe()
        command = [sys.executable, "-m", "config.fork_server", program, str(writing)]
        try:
            self.process = spawn(command, env=env, log=log, stdin=commands, pass_fds=(writing,), folder=ROOT)
        finally:
            os.close(writing)
            os.close(commands)
        self._reading = reading

    def poll(self) -> int | None:
        """The exit code of the loaded program; None while it is there to fork from."""
        return self.process.poll()

    def start(self, name: str, command: list[str], log: Path) -> ForkedProcess:
        """Forks a process that runs a Python module with these arguments, ["gunicorn", "-b", …], and writes to `log`. The
        kernel knows it by the first fifteen letters of its name.

        Waits until the program is loaded: CannotStart where it does not get there. One that ends meanwhile is answered as
        a process that has ended like it.
        """
        with suppress(BrokenPipeError):
            os.write(
                self._commands,
                json.dumps({"name": name, "command": command, "log": str(log.resolve())}).encode() + b"\n",
            )
        began = last = time.monotonic()
        work = -1
        while not self._started:
            if not self._hear(1.0):
                return ForkedProcess(self.process.pid, self._hear, self.process.wait())
            now = time.monotonic()
            if (done := work_of([self.process.pid])) != work:
                work, last = done, now
            if now - last > SILENT_S or now - began > LOADED_AT_MOST_S:
                raise CannotStart(f"The {self.program} does not come up: see {log.parent}")
        return self._started.pop(0)

    def stop(self, seconds: float) -> None:
        """Ends the loaded program, and with it whatever of its processes still runs."""
        os.close(self._commands)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self._reading)

    def _hear(self, seconds: float) -> bool:
        """Takes in what the server says within so many seconds; False once it has nothing more to say."""
        if not select.select([self._reading], [], [], seconds)[0]:
            return True
        received = os.read(self._reading, 65_536)
        if not received:
            # It is gone, and what it forked with it.
            for process in self._forked.values():
                process.returncode = -signal.SIGKILL
            self._forked.clear()
            return False
        *lines, self._buffer = (self._buffer + received).split(b"\n")
        for line in map(json.loads, lines):
            if "started" in line:
                self._forked[line["started"]] = process = ForkedProcess(line["started"], self._hear)
                self._started.append(process)
            elif (ended := self._forked.pop(line["ended"], None)) is not None:
                ended.returncode = line["code"]
        return True


ROOT = Path(__file__).resolve().parent.parent


def load() -> None:
    """Loads the program that DJANGO_SETTINGS_MODULE names as its web server and its workers need it, asking no store for
    anything. The collector rests meanwhile: of what is loaded nothing is garbage, and looking through it takes a fifth of
    the time."""
    gc.disable()
    import django
    from django.conf import settings
    from django.template import engines
    from django.urls import get_resolver
    from django.utils.module_loading import import_string

    jobs = import_module("config.celery")
    django.setup()
    import_module(settings.ROOT_URLCONF)
    for middleware in settings.MIDDLEWARE:
        import_string(middleware)
    for name in SERVERS:
        import_module(name)
    jobs.app.loader.init_worker()
    jobs.app.finalize()
    # What the first request would make of all addresses and all templates' engines, in each process anew.
    get_resolver().reverse_dict.keys()
    engines.all()
    gc.collect()
    gc.freeze()
    gc.enable()


def serve(reports: int, commands: BinaryIO) -> None:
    """Forks a process for each line of `commands`, and says on the descriptor `reports` what has started and what has ended,
    until the lines end. In a forked process it raises SystemExit with that process's code."""
    os.set_inheritable(reports, False)
    woken, wake = os.pipe()
    for descriptor in (woken, wake):
        os.set_blocking(descriptor, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    server, listening, buffer = os.getpid(), commands.fileno(), b""

    def report(**line: int) -> None:
        os.write(reports, json.dumps(line).encode() + b"\n")

    while True:
        ready, _, _ = select.select([listening, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            for pid, code in _ended():
                report(ended=pid, code=code)
        if listening not in ready:
            continue
        line = os.read(listening, 65_536)
        if not line:
            return
        *lines, buffer = (buffer + line).split(b"\n")
        for process in map(json.loads, lines):
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                for descriptor in (reports, woken, wake):
                    os.close(descriptor)
                _become(server, **process)
            report(started=pid)


def _ended() -> Iterator[tuple[int, int]]:
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            yield pid, os.waitstatus_to_exitcode(status)


def _become(server: int, name: str, command: list[str], log: str) -> NoReturn:
    """Turns this forked process into what `python -m` makes of the command."""
    os.setsid()
    die_with_parent(parent=server)
    name_process(name)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    for descriptor, standard in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(descriptor, standard)
    os.close(nothing)
    os.close(output)
    sys.argv = list(command)
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)
    sys.exit(0)


def main(arguments: list[Any]) -> None:
    """`python -m config.fork_server <program> <descriptor to speak on>`, the commands on standard input."""
    reports = int(arguments[1])
    os.set_inheritable(reports, False)
    load()
    serve(reports, sys.stdin.buffer)


if __name__ == "__main__":
    main(sys.argv[1:])
