"""What `manage.py test` runs: lint, types, migrations, house rules, then the tests on databases and ports of their own."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import deque
from datetime import UTC, datetime
from pathlib import Path

from config import DATABASES, ROOT
from config.browser import find_browser
from config.checks import Check, children_cpu_s, manage, pytest, still_checks
from config.cluster.programs import missing_programs
from config.dev_stack import House, Interrupted
from config.embedded import CannotStart, Redis, free_port, spawn, stop_groups, work_of

# Of the checks that run programs of their own, so many at once.
AT_ONCE = 2
# One more than there are cores, as tests wait for clocks, processes and answers, too; but no more than that on a large
# machine: each worker has databases of its own.
WORKERS = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2, 2) + 1
POLL_EVERY_S = 0.05
# Interrupted, all that was started has ended after about so many seconds.
END_S = 4.0
ON_THE_SERVICE_ALONE = ("tests/house", "tests/service")
# Of the folders that may be named, those of thousands of tests: with all workers, as among everything.
SPREAD = ("tests/service", "tests/dashboard")
BROWSER = "tests/browser"


class CheckRun:
    """Runs the checks, two at a time, and keeps what they said."""

    def __init__(self, house: House, *, full: bool) -> None:
        self.house, self.full = house, full
        self.done: list[Check] = []
        self.env: dict[str, str] = {}
        self.tests_redis: Redis | None = None

    def environment(self, check: Check) -> dict[str, str]:
        """What a check's process sees: the settings of its program, a database per worker, a Redis of the tests' own."""
        return self.env | {"DJANGO_SETTINGS_MODULE": f"config.settings.{check.program}"} | check.env

    def run(self, checks: list[Check], at_once: int = AT_ONCE) -> None:
        """Runs these, so many at once, and says of each how it went as soon as it is known; ended early, it ends them."""
        waiting, running = deque(checks), list[Check]()
        try:
            while waiting or running:
                while waiting and len(running) < at_once:
                    running.append(self._start(waiting.popleft()))
                for check in [check for check in running if check.has_ended()]:
                    running.remove(check)
                    self._report(check)
                time.sleep(POLL_EVERY_S)
        finally:
            stop_groups([check.process for check in running if check.process is not None], END_S / 3)

    def _start(self, check: Check) -> Check:
        # With `--durations` in PYTEST_ADDOPTS the log is where a part that passes says what takes long.
        check.log = self.house.data / "log" / f"check-{re.sub(r'[^a-z0-9_.]+', '-', check.name)}.log"
        check.log.unlink(missing_ok=True)
        check.began, check.house_cpu_s = time.monotonic(), -self._house_cpu_s()
        check.process = spawn(check.command, env=self.environment(check), log=check.log)
        return check

    def _house_cpu_s(self) -> float:
        house = self.house
        stores = [store.process for store in (house.postgres, house.redis, self.tests_redis) if store]
        pids = [process.pid for process in (*house.processes.values(), *stores) if process and process.poll() is None]
        return work_of(pids) / os.sysconf("SC_CLK_TCK")

    @staticmethod
    def _cpu_of(check: Check) -> str:
        # On a machine that others use too, this says what a part costs; the seconds before it say how long one waits.
        return f"cpu {check.cpu_s:.0f} + {check.house_cpu_s:.0f} s"

    def _report(self, check: Check) -> None:
        assert check.process is not None
        assert check.log is not None
        check.code, check.output = check.process.returncode, check.log.read_text(errors="replace")
        check.seconds = time.monotonic() - check.began
        check.house_cpu_s += self._house_cpu_s()
        # Whatever it left running in its session ends with it.
        stop_groups([check.process], 0)
        self.done.append(check)
        last = check.output.strip().rsplit("\n", 1)[-1] if check.counts else ""
        state = "ok" if check.code == 0 else "FAILED"
        sys.stdout.write(f"{state:<7}{check.name:<26}{check.seconds:6.1f} s  {self._cpu_of(check):<24}{last}\n")
        if check.code != 0:
            sys.stdout.write(check.output + "\n")
        for line in check.output.splitlines():
            if line.startswith("RERUN ") and check.code == 0:
                sys.stdout.write(f"       at the second try: {line.removeprefix('RERUN ')}\n")
            if line.startswith("measured: "):
                sys.stdout.write(f"       {line}\n")
        sys.stdout.flush()

    def prepare(self, *programs: str) -> None:
        """The stores, and of each program named (or both) a migrated template with a clone of it for each worker."""
        programs = programs or tuple(DATABASES)
        house = self.house
        house.open_folder()
        house.start_stores()
        assert house.postgres is not None
        self.tests_redis = Redis(house.data / "tests", house.env["SECRET_KEY"], durable=False)
        self.tests_redis.start()
        live = dict(house.env)
        for program in programs:
            for kind in ("app", "owner"):
                variable = DATABASES[program] + ("_URL" if kind == "app" else "_OWNER_URL")
                house.env[variable] = house.postgres.url(f"{program}_{kind}", f"{program}_template")
            house.postgres.prepare(program, f"{program}_template")
        house.migrate(*programs)
        house.env = live
        for program in programs:
            house.postgres.replace_by_clone(program, program)
            for worker in ("main", *(f"gw{number}" for number in range(WORKERS))):
                house.postgres.prepare(program, f"{program}_{worker}", template=f"{program}_template")
        self.env = live | {
            "REDIS_URL": self.tests_redis.url,
            "DEMO_JSON": str(house.data.resolve() / "demo.json"),
            "COUNTERSIGN_BROWSER": find_browser() or "",
            "AUDIT_ANCHOR_FOLDER": str(house.data.resolve() / "tests" / "audit-anchors_WORKER"),
            "DATABASE_STATEMENT_S": "30",
            "DATABASE_IDLE_S": "120",
            "FULL": "1" if self.full else "",
        }
        for program, name in DATABASES.items():
            self.env[f"{name}_URL"] = house.postgres.url(f"{program}_app", f"{program}_WORKER")
            self.env[f"{name}_OWNER_URL"] = house.postgres.url(f"{program}_owner", f"{program}_WORKER")

    def browser(self) -> Check:
        """The browser's tests. What passes at the second try alone, which few have (tests/browser/second_tries.py), is named
        in the report: a race to be mended."""
        return pytest("browser", BROWSER, "dashboard", self.full, 1, "-rR")

    def everything(self) -> None:
        """All checks in their order: what is quick and still first, then what runs.

        Without `--full`, most tests are played by turns (tests/slow_tests.py): the day says which.
        """
        quick = still_checks(self.house.data / "log")
        if not self.full:
            day = self.env["DAY_OF_TESTS"] = os.environ.get("DAY_OF_TESTS") or str(datetime.now(UTC).toordinal())
            sys.stdout.write(
                f"Most tests are played by turns; DAY_OF_TESTS={day} plays the same again, --full all of it.\n"
            )
        main = {
            name: url.replace("_WORKER", "_main") for name, url in self.env.items() if name.endswith("DATABASE_URL")
        }
        for check in quick:
            check.env = main
        self.run([pytest("house rules", "tests/house", "", self.full, 1), *quick])
        self.house.open_programs()
        # The browser's tests wait for clocks and jobs most of their time: all else, one after the other, is computed meanwhile.
        service = pytest("service", "tests/service", "service", self.full, WORKERS)
        dashboard = pytest("dashboard", "tests/dashboard", "dashboard", self.full, WORKERS)
        contract = pytest("contract", "tests/contract", "service", self.full, 1)
        self.run([self.browser(), service, dashboard, contract])
        self.run(self._after_all())
        if self.full:
            for file in sorted(set((ROOT / "benchmarks").glob("[a-z]*.py")) - {ROOT / "benchmarks" / "measure.py"}):
                self.run([Check(f"benchmark, {file.stem}", [sys.executable, str(file)])], 1)
        # What starts whole houses of its own, ends and kills them, needs the machine for itself.
        self.house.close_programs(END_S)
        self.run([pytest("lifecycle", "tests/lifecycle", "service", self.full, 1)])

    def _after_all(self) -> list[Check]:
        """Whether the books and the audit are in order after what the tests did."""
        checks = [
            Check("the ledger, after all", manage("service", "check_ledger"), "service"),
            Check("the audit, after all", manage("dashboard", "verify_audit")),
        ]
        for check in checks:
            name = f"{DATABASES[check.program]}_URL"
            check.env = {name: self.house.env[name], "AUDIT_ANCHOR_FOLDER": self.house.env["AUDIT_ANCHOR_FOLDER"]}
        return checks

    def verdict(self) -> int:
        """The closing line, and the exit code."""
        total = {"passed": 0, "failed": 0, "error": 0, "skipped": 0, "rerun": 0}
        for check in self.done:
            for word, number in check.counts.items():
                total[word] += number
        others = [check for check in self.done if not check.counts]
        passed = total["passed"] + sum(check.code == 0 for check in others)
        failed = total["failed"] + total["error"] + sum(check.code != 0 for check in others)
        for check in self.done:
            if check.code != 0:
                sys.stdout.write(f"FAILED {check.name}\n")
        again = f", {total['rerun']} run again" if total["rerun"] else ""
        sys.stdout.write(f"{passed} passed, {failed} failed, {total['skipped']} skipped{again}\n")
        return 0 if all(check.code == 0 for check in self.done) else 1


def _program_of(path: str) -> str:
    if path.startswith("tests/house"):
        return ""
    return "service" if path.startswith(("tests/service", "tests/contract", "tests/lifecycle")) else "dashboard"


def chosen(paths: list[str], check_run: CheckRun) -> list[Check]:
    """The checks for some files or folders of tests: each with the settings that its tree needs."""
    return [
        check_run.browser()
        if path == BROWSER
        else pytest(path, path, _program_of(path), check_run.full, WORKERS if path in SPREAD else 1)
        for path in paths
    ]


def run(arguments: list[str]) -> int:
    """`manage.py test [--full] [path …]`: returns the exit code."""
    parser = argparse.ArgumentParser(prog="manage.py test", description="Check everything, or the tests in some paths.")
    parser.add_argument("--full", action="store_true", help="the long checks and the benchmarks too")
    parser.add_argument("paths", nargs="*", help="tests/… files or folders; everything when none is named")
    options = parser.parse_args(arguments)
    if not find_browser():
        line = "No Chromium was found (PATH, COUNTERSIGN_BROWSER): the browser tests need one, and are left out without it.\n"
        sys.stderr.write(line)
        if os.environ.get("COUNTERSIGN_REQUIRE_BROWSER"):
            return 1
    if options.full and (missing := missing_programs()):
        sys.stderr.write(" ".join(["The tests of failover are left out.", *missing]) + "\n")
        if os.environ.get("COUNTERSIGN_REQUIRE_CLUSTER"):
            return 1
    began = time.monotonic()
    data = Path(tempfile.mkdtemp(prefix="countersign-test-"))
    # The tests' servers must not be those of a running `up`, nor anything given from outside.
    ours = {
        name: value
        for name, value in os.environ.items()
        if not name.endswith(("DATABASE_URL", "OWNER_URL", "REDIS_URL", "REPLICA_URL", "STORAGE_URL"))
    }
    house = House(data, free_port(), free_port(), durable=False, environ=ours)
    check_run = CheckRun(house, full=options.full)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupted)
    code = 1
    try:
        alone = options.paths and all(path.startswith(ON_THE_SERVICE_ALONE) for path in options.paths)
        check_run.prepare(*(["service"] if alone else []))
        if options.paths:
            if any(path.startswith((BROWSER, "tests/contract")) or path == "tests" for path in options.paths):
                house.open_programs()
            elif any(path.startswith("tests/dashboard") for path in options.paths):
                house.open_service()
            check_run.run(chosen(options.paths, check_run), 1)
        else:
            check_run.everything()
        code = check_run.verdict()
        sys.stdout.write(f"in {time.monotonic() - began:.0f} s\n")
    except CannotStart as problem:
        sys.stderr.write(f"{problem}\n")
        _tail_of(data / "log")
    except (KeyboardInterrupt, Interrupted):
        sys.stderr.write("interrupted\n")
    finally:
        # A second Ctrl-C must not leave half of it running.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        if check_run.tests_redis:
            check_run.tests_redis.stop(END_S / 6)
        house.close(END_S / 6)
        # A part's second number is what the house took meanwhile, also for the part beside it; here each second counts once.
        sys.stdout.write(f"cpu {children_cpu_s():.0f} s of what has ended by itself\n")
        if code == 0:
            shutil.rmtree(data, ignore_errors=True)
        else:
            sys.stderr.write(f"The logs are in {data / 'log'}\n")
    return code


def _interrupted(number: int, frame: object) -> None:
    raise Interrupted


def _tail_of(folder: Path) -> None:
    # The folder is gone with a machine of continuous integration: what they say is printed.
    for file in sorted(folder.glob("*.log")):
        lines = file.read_text(errors="replace").splitlines()[-25:]
        sys.stderr.write("\n".join([f"--- {file.name}", *lines, ""]))
