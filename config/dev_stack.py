"""What `manage.py up` runs, in order, and what it prints: databases, migrations, demo, the two programs, their workers."""

from __future__ import annotations

import argparse
import contextlib
import errno
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FrameType
from urllib.error import URLError
from urllib.request import urlopen

from config import demo_months, static_build
from config.demo_months import DemoMonths
from config.embedded import (
    CannotStart,
    Postgres,
    Redis,
    RunningProcess,
    saved_secrets,
    spawn,
    stop_all,
    work_of,
    write_private,
)
from config.fork_server import ForkServer
from config.migrated import packages_digest, tables_digest, unknown_migrations
from config.schema import snapshot
from config.supervision import EndedTooOften, Supervision

ROOT = Path(__file__).resolve().parent.parent
LEAST_FREE = 500 * 1024 * 1024
# A program that is coming up is waited for as long as it works at it, within a bound; one that does nothing, this long.
READY_AT_MOST_S, SILENT_S = 600, 60
CLOSE_S = 10.0
# In the order in which they start, and what the variables of their databases' addresses begin with.
PROGRAMS = ("service", "dashboard")
DATABASES = {"dashboard": "DATABASE", "service": "SERVICE_DATABASE"}
# Elsewhere libraries of the system must not be used by a process that was only forked: there each loads for itself.
FORKS = sys.platform == "linux"
# Of the secrets of the data folder, what the programs read from their environment.
GIVEN_SECRETS = (
    "SECRET_KEY", "SERVICE_SECRET_KEY", "ENCRYPTION_KEYS", "VAPID_PRIVATE_KEY", "METRICS_TOKEN", "SERVICE_METRICS_TOKEN",
    "SERVICE_SANDBOX_TOKEN",
)  # fmt: skip
# How many expenses the demo businesses have: for people a year's, for tests a few. Half a minute, or seconds.
DEMO_EXPENSES, FEW_EXPENSES = "20000", "400"


class Interrupted(Exception):
    """Raised where a signal (SIGINT, SIGTERM) asks the house to end."""


class House:
    """Both programs with what they stand on, in one data folder; `close` ends whatever was started."""

    # Whether a program's first worker has its schedule inside.
    schedules_inside = True
    # Whether a program is loaded once, and its processes are forked of it.
    forks = FORKS

    def __init__(
        self,
        data: Path,
        port: int,
        service_port: int,
        *,
        durable: bool = True,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.data, self.port, self.service_port, self.durable = data, port, service_port, durable
        self.outer = dict(os.environ if environ is None else environ)
        self.processes: dict[str, RunningProcess] = {}
        self.fork_servers: dict[str, ForkServer] = {}
        self._left_servers: list[ForkServer] = []
        self.supervised: dict[str, Supervision] = {}
        self.postgres: Postgres | None = None
        self.redis: Redis | None = None
        self.env: dict[str, str] = {}
        self._lock: int | None = None
        self._collecting: subprocess.Popen[bytes] | None = None
        # Whether the demo's months are made while people work already, by a process of their own.
        self.months_in_background = False
        self.months: DemoMonths | None = None
        # When a person began to wait for it; nobody is told of its steps otherwise.
        self.begun: float | None = None

    @property
    def address(self) -> str:
        """Where people go. A name, since passkeys do not work on an IP address."""
        return f"http://localhost:{self.port}"

    @property
    def service_address(self) -> str:
        """Where the finance service answers."""
        return f"http://localhost:{self.service_port}"

    def say(self, line: str) -> None:
        """A line for the person who waits."""
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def say_step(self, what: str) -> None:
        """What is done next, and after how many seconds: for a person who waits."""
        if self.begun is not None:
            sys.stdout.write(f"{time.monotonic() - self.begun:4.0f} s  {what} …\n")
            sys.stdout.flush()

    def open_folder(self) -> None:
        """Makes the data folder ours for as long as we run."""
        try:
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = os.open(self.data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            (self.data / "log").mkdir(exist_ok=True)
            (self.data / "mail").mkdir(exist_ok=True)
            (self.data / "inbound-mail").mkdir(exist_ok=True)
        except OSError as error:
            raise CannotStart(f"Cannot write to {self.data} ({error.strerror}): choose a folder with --data.") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotStart(f"Another `up` is running on {self.data}: end it, or choose --data and --port.") from None
        # What processes that have ended counted is no use to those that begin.
        shutil.rmtree(self.data / "metrics", ignore_errors=True)
        for program in ("dashboard", "service"):
            (self.data / "metrics" / program).mkdir(parents=True)
        free = shutil.disk_usage(self.data).free
        if free < LEAST_FREE:
            raise CannotStart(f"Only {free // 1024**2} MB are free for {self.data}: at least 500 MB are needed.")

    def check_ports(self) -> None:
        """Says which port cannot be used before anything is started."""
        if self.port == self.service_port:
            raise CannotStart(f"Port {self.port} cannot serve both: choose another with --port or --service-port.")
        for port, option in ((self.port, "--port"), (self.service_port, "--service-port")):
            if not 0 < port < 65536:
                raise CannotStart(f"{option} {port} is no port: choose one from 1 to 65535.")
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind(("127.0.0.1", port))
                except OSError as error:
                    why = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror})"
                    raise CannotStart(f"Port {port} {why}: choose another with {option}.") from None

    def start_stores(self) -> None:
        """PostgreSQL and Redis, each unless its address is given from outside."""
        secret = saved_secrets(self.data)
        env = self.outer | {
            "COUNTERSIGN_DEVELOPMENT": self.outer.get("COUNTERSIGN_DEVELOPMENT", "1"),
            "COUNTERSIGN_DATA": str(self.data.resolve()),
            "DASHBOARD_ADDRESS": self.address,
            "SERVICE_ADDRESS": self.service_address,
            "SERVICE_SANDBOX": self.outer.get("SERVICE_SANDBOX", "1"),
            "EMAIL_FILE_PATH": self.outer.get("EMAIL_FILE_PATH", str(self.data.resolve() / "mail")),
            "INBOUND_MAIL_FOLDER": self.outer.get("INBOUND_MAIL_FOLDER", str(self.data.resolve() / "inbound-mail")),
            "EXPORTS_FOLDER": self.outer.get("EXPORTS_FOLDER", str(self.data.resolve() / "exports")),
            "AUDIT_ANCHOR_FOLDER": self.outer.get("AUDIT_ANCHOR_FOLDER", str(self.data.resolve() / "audit-anchors")),
            "SERVICE_MEDIA_ROOT": self.outer.get("SERVICE_MEDIA_ROOT", str(self.data.resolve() / "media")),
            "PYTHONUNBUFFERED": "1",
        }
        for name in GIVEN_SECRETS:
            env.setdefault(name, secret[name])
        missing = [program for program, name in DATABASES.items() if not env.get(f"{name}_URL")]
        if missing:
            self.postgres = self.make_postgres()
            self.postgres.start()
            for program in missing:
                self.postgres.prepare(program)
                env[f"{DATABASES[program]}_URL"] = self.postgres.url(f"{program}_app", program)
                env[f"{DATABASES[program]}_OWNER_URL"] = self.postgres.url(f"{program}_owner", program)
        if not env.get("REDIS_URL"):
            self.redis = Redis(self.data, secret["REDIS_PASSWORD"], durable=self.durable)
            self.redis.start()
            env["REDIS_URL"] = self.redis.url
        self.env = env

    def make_postgres(self) -> Postgres:
        """The embedded PostgreSQL, not started yet; CannotStart where this data is not one that it made."""
        if (self.data / "cluster" / "etcd").exists():
            raise CannotStart(
                f"The data in {self.data} was made by `up --cluster`: start it so, or choose another with --data."
            )
        return Postgres(self.data, durable=self.durable)

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

    def finish(self, what: str, command: RunningProcess, program: str) -> None:
        """Waits for a management command and fails naming its log."""
        if command.wait() != 0:
            raise CannotStart(f"{what} failed: see {self.data / 'log' / f'{program}-commands.log'}")

    def migrate(self, *programs: str) -> None:
        """Both programs' tables, or those of the programs named: an empty database of ours is filled from the snapshot of
        what the migrations make, any other is migrated."""
        self.say_step("Making the tables of both programs")
        programs = programs or PROGRAMS
        with ThreadPoolExecutor(len(programs)) as side_by_side:
            filled = dict(zip(programs, side_by_side.map(self._fill, programs), strict=True))
        left = [program for program in programs if not filled[program]]
        if left:
            self.run_migrations(*left)

    def _fill(self, program: str) -> bool:
        name = DATABASES[program]
        given = {f"{name}_URL", f"{name}_OWNER_URL", f"{name}_APP_ROLE"} & self.outer.keys()
        return self.postgres is not None and not given and snapshot.fill(self.env[f"{name}_OWNER_URL"], program)

    def run_migrations(self, *programs: str) -> None:
        """Both programs' migrations, side by side, or those of the programs named."""
        running = {
            program: self.manage(program, "migrate", "--no-input", owner=True) for program in programs or PROGRAMS
        }
        for program, command in running.items():
            self.finish(f"Migrating the {program}'s database", command, program)

    def migrate_if_changed(self) -> None:
        """Migrates unless these very migrations have run on our own cluster: a second start has nothing to do."""
        stamp, tables = self.data / "migrated", tables_digest()
        ours = self.postgres is not None and not any("DATABASE_URL" in name for name in self.outer)
        before = stamp.read_text().split() if ours and stamp.exists() else []
        if before == [tables, packages_digest()]:
            return
        self.refuse_older(has_other_tables=bool(before) and before[0] != tables)
        self.migrate()
        if ours:
            stamp.write_text(f"{tables} {packages_digest()}")

    def refuse_older(self, *, has_other_tables: bool) -> None:
        """Fails in one line where the data is of a version whose tables this one does not continue."""
        for program, name in DATABASES.items():
            url = self.env.get(f"{name}_OWNER_URL") or self.env[f"{name}_URL"]
            if has_other_tables or unknown_migrations(url, program):
                where = f"The data in {self.data}" if self.postgres else f"The {program}'s database"
                again = "choose another folder with --data, or remove it" if self.postgres else "make a new one"
                raise CannotStart(
                    f"{where} was made by a version before the first release, and cannot be continued: {again}."
                )

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
        """Starts a program's worker with its schedule inside, or the worker of another of its queues."""
        name = queue or program
        inside = self.schedules_inside and not queue
        schedule = ["-B", "-s", str(self.data.resolve() / f"{program}-schedule")] if inside else []
        self.supervised.setdefault(f"{name} worker", Supervision(partial(self.work, program, queue)))
        self._begin(
            program, f"{name} worker", "celery", "-A", "config.celery", "--quiet", "worker", *schedule, "-Q", name,
            "-n", f"{name}@%h", "-l", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat",
        )  # fmt: skip

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

    def demo(self) -> None:
        """The demo businesses: made in the service first, then known to the dashboard. Made once; found again after."""
        self.finish_demo(self.begin_demo())

    def begin_demo(self) -> RunningProcess:
        """Makes the demo businesses in the service, which needs no more than its database for it; without the months
        before the running one, where these follow in the background."""
        only_today = ["--today"] if self.months_in_background else []
        self.say_step(
            "Making what two businesses have to do today"
            if only_today
            else "Making two businesses with a year behind them"
        )
        return self.command(
            "service", "demo", "--json", str(self.data / "service-demo.json"),
            "--expenses", self.outer.get("DEMO_EXPENSES", FEW_EXPENSES),
            # {number} is the order of the businesses here and there: the first one made is the first one connected.
            "--webhooks", f"{self.address}/-/hooks/{{number}}/", *only_today,
        )  # fmt: skip

    def finish_demo(self, making: RunningProcess) -> None:
        """Waits for the service's demo and makes it known to the dashboard."""
        self.say_step("Waiting for the two businesses")
        self.finish("Making the demo data", making, "service")
        source = str(self.data / "service-demo.json")
        self.say_step("Connecting the two businesses to the dashboard")
        self.finish("Connecting the demo businesses", self.command("dashboard", "demo", "--from", source), "dashboard")
        top_ups = self.command("dashboard", "demo_top_ups", "--from", source)
        self.finish("Setting up recurring top-ups", top_ups, "dashboard")
        if not self.months_in_background:
            demo_months.mark_whole(self.data)

    def begin_months(self) -> None:
        """Goes on with the demo's months in the background, where some are missing."""
        if self.months_in_background and not demo_months.is_whole(self.data):
            self.months = DemoMonths(self.data, self.command, self._log_of("service-commands"))

    def follow_ports(self) -> None:
        """On other ports than before: the demo's connections and webhooks lead to where the programs are now."""
        file = self.data / "demo.json"
        demo = json.loads(file.read_text())
        now = {"dashboard": self.address, "service": self.service_address}
        before = {program: demo[program]["address"] for program in now}
        if before == now:
            return
        # Each program keeps the address of the other one.
        commands = {
            program: self.command(program, "move_demo", "--from", before[other], "--to", now[other])
            for program, other in (("dashboard", "service"), ("service", "dashboard"))
        }
        for program, command in commands.items():
            self.finish("Moving the demo to other ports", command, program)
        for program, address in now.items():
            demo[program]["address"] = address
        write_private(file, json.dumps(demo, indent=1))

    def open(self) -> None:
        """Starts the stores, the programs and their workers, each once the one before it answers."""
        self.open_folder()
        self.check_ports()
        self.say_step("Starting PostgreSQL and Redis")
        self.start_stores()
        self.begin_static()
        if self.forks:
            self.load("service")
            # A dashboard looks for its static files as it loads its middleware.
            if self._collecting is None:
                self.load("dashboard")
        self.migrate_if_changed()
        self.open_programs()

    def open_service(self) -> None:
        """The finance service alone, with its worker and without the demo's data."""
        self.serve("service", self.service_port)
        self.wait_ready(self.service_address, "The finance service")
        self.work("service")

    def open_programs(self) -> None:
        """Both programs on databases that are there, their demo data the first time, then their workers."""
        making = None if (self.data / "demo.json").exists() else self.begin_demo()
        self.say_step("Starting the finance service and the dashboard")
        if "service" not in self.processes:
            self.serve("service", self.service_port)
        self.serve("dashboard", self.port)
        self.wait_ready(self.service_address, "The finance service")
        self.wait_ready(self.address, "The dashboard")
        if making is not None:
            self.finish_demo(making)
        else:
            self.follow_ports()
        if "service worker" not in self.processes:
            self.work("service")
        self.work("dashboard")
        self.work("dashboard", queue="decisions")

    def close_programs(self, seconds: float = CLOSE_S) -> None:
        """Ends the programs and their workers; the stores go on."""
        if self.months is not None:
            self.months.stop(seconds)
        stop_all(self.processes.values(), seconds)
        for server in (*self.fork_servers.values(), *self._left_servers):
            server.stop(seconds)
        self.fork_servers.clear()
        self._left_servers.clear()
        self.processes.clear()
        self.supervised.clear()

    def close(self, seconds: float = CLOSE_S) -> None:
        """Ends everything that was started, workers first, so that nothing is half done when the stores stop.

        What has not ended after so many seconds is killed; the stores have as long again.
        """
        self.close_programs(seconds)
        if self.redis:
            self.redis.stop(seconds)
        if self.postgres:
            self.postgres.stop(seconds)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _announce(house: House, seconds: float) -> None:
    demo = json.loads((house.data / "demo.json").read_text())
    out = sys.stdout.write
    out(
        f"\nCountersign is at {house.address}  (ready in {seconds:.0f} s; the service is at {house.service_address})\n\n"
    )
    out("Sign in as (all demo data):\n")
    for person in demo["dashboard"]["people"]:
        second = f"   code from {person['totp_secret']}" if person.get("totp_secret") else ""
        out(f"  {person['business']:<18} {person['role']:<12} {person['email']:<34} {person['password']}{second}\n")
    if house.months is not None:
        out("\nThe months before this one are added in the background: Home says how many are there.\n")
    out("\nCtrl-C ends everything; the data stays in " + str(house.data) + ".\n")
    sys.stdout.flush()


def run(arguments: list[str]) -> int:
    """`manage.py up`: returns the exit code."""
    parser = argparse.ArgumentParser(prog="manage.py up", description="Start Countersign with demo data.")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--service-port", type=int, default=8001)
    parser.add_argument("--data", type=Path, default=ROOT / ".data")
    parser.add_argument(
        "--cluster", action="store_true", help="two of each program, PostgreSQL with a standby, a proxy"
    )
    options = parser.parse_args(arguments)
    environ = {"DEMO_EXPENSES": DEMO_EXPENSES} | os.environ
    house_type = import_module("config.cluster.house").ClusterHouse if options.cluster else House
    house: House = house_type(options.data, options.port, options.service_port, environ=environ)

    def interrupted(number: int, frame: FrameType | None) -> None:
        raise Interrupted

    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGINT, interrupted)
    house.months_in_background = True
    began = house.begun = time.monotonic()
    try:
        house.open()
        house.begin_months()
        _announce(house, time.monotonic() - began)
        while True:
            house.keep()
            if house.months is not None:
                house.months.follow(house.say)
            time.sleep(0.5)
    except Interrupted:
        sys.stdout.write("\nEnding …\n")
        return 0
    except CannotStart as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        sys.stderr.write(f"No space is left for {options.data}: free some, or choose another folder with --data.\n")
        return 1
    finally:
        # A second Ctrl-C must not leave half of it running.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        house.close()
