"""One check of `manage.py test`: a command with its settings; and the checks that run neither program."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from config import ROOT

COUNTS = re.compile(r"(\d+) (passed|failed|error|errors|skipped|rerun)")


@dataclass
class Check:
    """One thing that must hold: a command, the program whose settings it runs with, and what it said."""

    name: str
    command: list[str]
    program: str = "dashboard"
    env: dict[str, str] = field(default_factory=dict)
    began: float = 0.0
    seconds: float = 0.0
    # Of the processor: by the check's own processes, and meanwhile by the house and its stores.
    cpu_s: float = 0.0
    house_cpu_s: float = 0.0
    code: int | None = None
    output: str = ""
    process: subprocess.Popen[bytes] | None = None
    log: Path | None = None

    def has_ended(self) -> bool:
        """Whether its process is over; how much of the processor it took is known from then on."""
        if self.process is None:
            return True
        before = children_cpu_s()
        ended = self.process.poll() is not None
        self.cpu_s += children_cpu_s() - before
        return ended

    @property
    def counts(self) -> dict[str, int]:
        """How many tests passed, failed, were skipped or run again: from pytest's closing line; nothing for other checks."""
        last = self.output.strip().rsplit("\n", 1)[-1]
        return {word.rstrip("s"): int(number) for number, word in COUNTS.findall(last)}


def children_cpu_s() -> float:
    """Seconds of the processor of all processes that were started and have ended, with what they started and waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def tool(*arguments: str) -> list[str]:
    """The command of a Python tool of this environment."""
    return [sys.executable, "-m", *arguments]


def manage(program: str, *arguments: str) -> list[str]:
    """A management command of one of the programs."""
    return [sys.executable, str(ROOT / "manage.py"), *(["service"] if program == "service" else []), *arguments]


def _types() -> list[str]:
    # Continuous integration begins without a cache and throws what it wrote away (.ci/run).
    cache = os.environ.get("MYPY_CACHE_DIR") or ".mypy_cache"
    parts = ["config", "telemetry", "dashboard", "service"]
    return tool("mypy", "--no-error-summary", "--cache-dir", cache, "--exclude", "/migrations/", *parts)


def still_checks(folder: Path) -> list[Check]:
    """What is checked without running the programs; the bill of materials is written into a folder and validated."""
    materials = ["requirements", "--output-reproducible", "--validate", "-o", str(folder / "sbom.json")]
    return [
        Check("lint", tool("ruff", "check", "--quiet", ".")),
        Check("format", tool("ruff", "format", "--check", "--quiet", ".")),
        Check("floors", [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]),
        Check("types", _types(), "types"),
        Check("bill of materials", tool("cyclonedx_py", *materials, "requirements.txt")),
    ]  # fmt: skip


def pytest(name: str, folder: str, program: str, full: bool, workers: int, *more: str) -> Check:
    """The tests of a folder or a file, spread over so many workers."""
    marks = [] if full else ["-m", "not full"]
    spread = ["--workers", str(workers)] if workers > 1 else []
    settings = [f"--ds=config.settings.{program}"] if program else ["-p", "no:django"]
    # Of the plug-ins that packages bring, the one of schemathesis takes a second of each worker's start, and no test uses it:
    # schemathesis is run as a program.
    settings += ["-p", "no:schemathesis"]
    return Check(
        name,
        tool("pytest", "-q", "-p", "tests.databases", "-p", "tests.workers", *settings, *marks, *spread, *more, folder),
        program or "dashboard",
    )
