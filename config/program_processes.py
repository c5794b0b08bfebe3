"""The processes of both programs, their commands and workers: how each is begun, watched, begun again and ended."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from config import DATABASES, ROOT, static_build
from config.embedded import CannotStart, RunningProcess, spawn, stop_all, work_of
from config.fork_server import ForkServer
from config.stores import CLOSE_S, Stores
from config.supervision import EndedTooOften, Supervision

# A program that is coming up is waited for as long as it works at it, within a bound; one that does nothing, this long.
READY_AT_MOST_S, SILENT_S = 600, 60
# Elsewhere libraries of the system must not be used by a process that was only forked: there each loads for itself.
FORKS = sys.platform == "linux"


class ProgramProcesses(Stores):
    """The running processes by their names, on stores of one data folder."""

    # Whether a program's schedule is begun with its first worker.
    begins_schedules = True
    # Whether a program is loaded once, and its processes are forked of it.
    forks = FORKS

    def __post_init__(self, environ: Mapping[str, str] | None) -> None:
        super().__post_init__(environ)
        self.processes: dict[str, RunningProcess] = {}
        self.fork_servers: dict[str, ForkServer] = {}
        self._left_servers: list[ForkServer] = []
        self.supervised: dict[str, Supervision] = {}
        self._collecting: subprocess.Popen[bytes] | None = None

    def manage(self, program: str, *arguments: str, owner: bool = False) -> subprocess.Popen[bytes]:
        """Starts a management command of one program; as the owner of its database where it changes tables."""
        env = self.program_env(program)
        if owner:
            name = DATABASES[program]
            env[f"{name}_URL"] = env.get(f"{name}_OWNER_URL") or env[f"{name}_URL"]
            env["MIGRATING"] = "1"
        command = [sys.executable, str(ROOT / "manage.py"), *(["service"] if program == "service" else []), *arguments]
        return spawn(command, env=env, log=self.data / "log" / f"{program}-commands.log")

    def command(self, program: str, *arguments: str) -> RunningProcess:
        """Starts a management command of one program as the program itself runs: forked of it where that is loaded once."""
        if not self.forks:
            return self.manage(program, *arguments)
        log = self.data / "log" / f"{program}-commands.log"
        return self.load(program).start(arguments[0], ["django", *arguments], log)

    def finish(self, what: str, command: RunningProcess, program: str) -> None:
        """Waits for a management command and fails naming its log."""
        if command.wait() != 0:
            raise CannotStart(f"{what} failed: see {self.data / 'log' / f'{program}-commands.log'}")

    def program_env(self, program: str) -> dict[str, str]:
        """The environment that one program runs in."""
        counts = self.data.resolve() / "metrics" / program
        static = {"STATIC_FOLDER": str(self.static)} if program == "dashboard" else {}
        return (
            self.env
            | static
            | {
                "DJANGO_SETTINGS_MODULE": f"config.settings.{program}",
                "PROMETHEUS_MULTIPROC_DIR": str(counts),
                # The threads of a web server take turns: an arena of memory for each would only be kept for nothing.
                "MALLOC_ARENA_MAX": "2",
            }
        )

    @property
    def static(self) -> Path:
        """The folder of the files that browsers are given besides pages."""
        return self.data.resolve() / "static"

    def begin_static(self) -> None:
        """Makes the static files beside whatever else is done, where they are not there or not these."""
        if not static_build.is_built(self.static) and self._collecting is None:
            self._collecting = self.manage("dashboard", *static_build.collect_arguments())

    def finish_static(self) -> None:
        """Waits until the static files are built; CannotStart where that fails."""
        if self._collecting is not None:
            self.finish("Collecting the static files", self._collecting, "dashboard")
            self._collecting = None
            static_build.mark_built(self.static)

    def serve(self, program: str, port: int, name: str = "") -> None:
        """Starts a program's web server, under a name of its own where there are several; the dashboard's once its static
        files are there."""
        if program == "dashboard":
            self.begin_static()
            self.finish_static()
        name = name or program
        self.supervised.setdefault(name, Supervision(partial(self.serve, program, port, name)))
        configuration = str(ROOT / "config" / "gunicorn.py")
        self._begin(program, name, "gunicorn", "-c", configuration, "-b", f"127.0.0.1:{port}", f"config.wsgi:{program}")

    def work(self, program: str, queue: str = "") -> None:
        """Starts a program's worker and its schedule, or the worker of another of its queues."""
        name = queue or program
        self.supervised.setdefault(f"{name} worker", Supervision(partial(self.work, program, queue)))
        self._begin(
            program, f"{name} worker", "celery", "-A", "config.celery", "--quiet", "worker", "-Q", name,
            "-n", f"{name}@%h", "-l", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat",
        )  # fmt: skip
        if self.begins_schedules and not queue and f"{program} schedule" not in self.processes:
            self._schedule(program)

    def _schedule(self, program: str) -> None:
        # Not inside the worker, which would go on without it: what ends by itself is begun again.
        name, file = f"{program} schedule", str(self.data.resolve() / f"{program}-schedule")
        self.supervised.setdefault(name, Supervision(partial(self._schedule, program)))
        self._begin(
            program, name, "celery", "-A", "config.celery", "--quiet", "beat", "-s", file, "--pidfile=", "-l", "WARNING"
        )

    def _begin(self, program: str, name: str, *command: str) -> None:
        log = self._log_of(name)
        if not self.forks:
            whole = [sys.executable, "-m", *command]
            self.processes[name] = spawn(whole, env=self.program_env(program), log=log, folder=ROOT)
            return
        self.processes[name] = self.load(program).start(name, list(command), log)

    def load(self, program: str) -> ForkServer:
        """The program, loaded once for each process that is begun of it; it loads while we do other things."""
        env, server = self.program_env(program), self.fork_servers.get(program)
        if server is not None and (server.poll() is not None or server.env != env):
            # What was forked of it goes on until everything is closed.
            self._left_servers.append(server)
            server = None
        if server is None:
            server = self.fork_servers[program] = ForkServer(program, env, self._log_of(program))
        return server

    def wait_ready(self, address: str, what: str) -> None:
        """Until the program answers that it and what it needs are there; CannotStart where it does not come up."""
        began = last = time.monotonic()
        work = -1
        while True:
            self.watch()
            with contextlib.suppress(URLError, OSError), urlopen(f"{address}/healthz", timeout=5):
                return
            now = time.monotonic()
            if (done := work_of(process.pid for process in self.processes.values())) != work:
                work, last = done, now
            if now - last > SILENT_S or now - began > READY_AT_MOST_S:
                raise CannotStart(f"{what} does not answer at {address}: see {self.data / 'log'}")
            time.sleep(0.1)

    def keep(self) -> None:
        """Begins again what has ended by itself, and says so; fails where it ends too often, or where a store has ended."""
        self.watch(*self.processes)
        for name, process in list(self.processes.items()):
            supervision = self.supervised[name]
            if supervision.waits:
                supervision.begin_if_due()
            elif process.poll() is not None:
                ended = f"The {name} ended by itself (code {process.returncode}"
                try:
                    pause = supervision.note_end()
                except EndedTooOften as often:
                    raise CannotStart(f"{ended}, {often}): see {self._log_of(name)}") from None
                sys.stdout.write(f"{ended}): it is started again in {pause:g} s. See {self._log_of(name)}\n")
                sys.stdout.flush()

    def _log_of(self, name: str) -> Path:
        return self.data / "log" / f"{name.replace(' ', '-')}.log"

    def watch(self, *but: str) -> None:
        """Fails, naming it, when something that we started has ended, leaving out what is named."""
        named = dict(self.processes)
        if self.postgres and self.postgres.process:
            named["postgres"] = self.postgres.process
        if self.redis and self.redis.process:
            named["redis"] = self.redis.process
        for name, process in named.items():
            if name not in but and process.poll() is not None:
                raise CannotStart(f"The {name} ended by itself (code {process.returncode}): see {self._log_of(name)}")

    def close_programs(self, seconds: float = CLOSE_S) -> None:
        """Ends the programs and their workers; the stores go on."""
        stop_all(self.processes.values(), seconds)
        for server in (*self.fork_servers.values(), *self._left_servers):
            server.stop(seconds)
        self.fork_servers.clear()
        self._left_servers.clear()
        self.processes.clear()
        self.supervised.clear()
