"""What `manage.py up` runs, in order, and what it prints: databases, migrations, demo, the two programs, their workers."""

from __future__ import annotations

import argparse
import contextlib
import errno
import json
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from types import FrameType

import manage
from config import DATABASES, PROGRAMS, ROOT
from config.demo_businesses import DEMO_EXPENSES, DemoBusinesses
from config.embedded import CannotStart
from config.migrated import packages_digest, tables_digest, unknown_migrations
from config.schema import snapshot
from config.stores import CLOSE_S


class Interrupted(Exception):
    """Raised where a signal (SIGINT, SIGTERM) asks the house to end."""


class House(DemoBusinesses):
    """Both programs with what they stand on, in one data folder; `close` ends whatever was started."""

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

    def close(self, seconds: float = CLOSE_S) -> None:
        """Ends everything that was started, workers first, so that nothing is half done when the stores stop.

        What has not ended after so many seconds is killed; the stores have as long again.
        """
        self.close_programs(seconds)
        self.close_stores(seconds)


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
        # All that a house loads has left its bytecode by now (manage.py).
        with contextlib.suppress(OSError):
            Path(manage.LOADED).touch()
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
