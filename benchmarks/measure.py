"""What the benchmarks share: a house of their own, CPU time read from the kernel, ratios of two things in one run."""

from __future__ import annotations

import importlib
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from config.dev_stack import House  # noqa: E402
from config.embedded import free_port  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")


@contextmanager
def house(*programs: str, durable: bool = True) -> Iterator[House]:
    """The programs' databases (both, or those named), migrated and empty, on stores of their own; nothing serves yet."""
    data = Path(tempfile.mkdtemp(prefix="countersign-bench-"))
    outer = {
        name: value
        for name, value in os.environ.items()
        if not name.endswith(("DATABASE_URL", "OWNER_URL", "REDIS_URL", "REPLICA_URL", "STORAGE_URL"))
    }
    made = House(data, free_port(), free_port(), durable=durable, environ=outer)
    try:
        made.open_folder()
        made.start_stores()
        made.migrate(*programs)
        if not programs or "dashboard" in programs:
            # As `up` serves them: a page names its files by what they hold.
            made.begin_static()
            made.finish_static()
        yield made
    finally:
        made.close()
        shutil.rmtree(data, ignore_errors=True)


def begin_django(made: House, program: str) -> None:
    """Makes this process one of a program, with the queue of its house: without the jobs' own app, whatever is asked for after
    a commit would wait for a broker that nobody started."""
    os.environ.update(made.program_env(program))
    import django

    django.setup()
    importlib.import_module("config.celery")


def seconds(work: Callable[[], Any]) -> Callable[[], float]:
    """How long one run takes, of work that answers with something."""

    def run() -> float:
        began = time.perf_counter()
        assert work()
        return time.perf_counter() - began

    return run


def processes_below(pid: int) -> list[int]:
    """A process and all that it started, that are alive."""
    found = [pid]
    for parent in found:
        # glob would fail where the process ends while it looks: so may a thread, below.
        tasks: list[Path] = []
        with suppress(FileNotFoundError, ProcessLookupError):
            tasks = list(Path(f"/proc/{parent}/task").iterdir())
        for task in tasks:
            with suppress(FileNotFoundError, ProcessLookupError):
                found += [int(child) for child in (task / "children").read_text().split()]
    return found


def cpu_seconds(*pids: int) -> float:
    """User and system seconds of these processes, those they started, and those of them that ended."""
    ticks = 0
    for root in pids:
        for pid in processes_below(root):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            # utime, stime, and of ended children cutime, cstime.
            ticks += sum(int(fields[place]) for place in (11, 12, 13, 14))
    return ticks / TICK


def in_turn(one: Callable[[], float], other: Callable[[], float], rounds: int = 5) -> float:
    """The median of one/other, measured A B A B …, so that a machine that slows down slows both."""
    ratios = []
    for _ in range(rounds):
        first, second = one(), other()
        ratios.append(first / second)
    return statistics.median(ratios)


def report(name: str, ratio: float, goal: float, *, at_most: bool) -> bool:
    """Prints a figure with its goal; whether it is met."""
    met = ratio <= goal if at_most else ratio >= goal
    sign = "<=" if at_most else ">="
    print(f"{'ok' if met else 'MISSED':<7}{name:<60}{ratio:7.2f}   goal {sign} {goal}", flush=True)
    return met
