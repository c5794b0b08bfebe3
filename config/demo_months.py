"""The demo's months that `manage.py up` has made while people work already: by whom, how far, and once for ever."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from config.embedded import RunningProcess, stop_all

# Says that the demo of a data folder is whole; what reads all of it waits for this file.
WHOLE = "demo-whole"
# A line after so many months of each business.
LINE_EVERY = 3


def is_whole(data: Path) -> bool:
    """Whether everything that the demo of a data folder has is there."""
    return (data / WHOLE).exists()


def mark_whole(data: Path) -> None:
    """Notes that everything which the demo of a data folder has is there."""
    (data / WHOLE).touch(0o600)


class DemoMonths:
    """The process that makes them, and then the one by which the dashboard reads them. Where it is ended, the next start goes on
    with the month that is next. `command` starts a management command of a program."""

    def __init__(self, data: Path, command: Callable[..., RunningProcess], log: Path) -> None:
        self.data, self._command, self._log = data, command, log
        self._progress = data / "demo-progress.json"
        self._progress.unlink(missing_ok=True)
        self._reported, self._began, self._is_read = 0, time.monotonic(), False
        self._process: RunningProcess | None = command("service", "demo_months", "--progress", str(self._progress))

    def follow(self, say: Callable[[str], None]) -> None:
        """Says how far they are where that has changed, and does what comes next."""
        if self._process is None:
            return
        months_there, months = self.progress()
        if not self._is_read and months_there // LINE_EVERY > self._reported // LINE_EVERY and months_there < months:
            say(f"Demo data: {months_there} of {months} months of each business are there.")
            self._reported = months_there
        code = self._process.poll()
        if code is None:
            return
        self._process = None
        if code != 0:
            ended = (
                "Having the dashboard read the demo's months"
                if self._is_read
                else f"Adding the demo's months ({months_there} of {months} are there)"
            )
            say(f"{ended} ended with code {code}: see {self._log.parent}. The next start goes on.")
        elif not self._is_read:
            self._is_read = True
            source = str(self.data / "service-demo.json")
            self._process = self._command("dashboard", "read_demo_months", "--from", source)
        else:
            mark_whole(self.data)
            took = time.monotonic() - self._began
            say(
                f"Demo data: all {months} months are there after {took:.0f} s; the dashboard's lists are read anew next."
            )

    def progress(self) -> tuple[int, int]:
        """How many months of how many each business has, as last written; (0, 0) before the first."""
        try:
            progress = json.loads(self._progress.read_text())
        except OSError:
            return 0, 0
        return int(progress["made"]), int(progress["months"])

    def stop(self, seconds: float) -> None:
        """Ends what is under way; what is committed stays."""
        if self._process is not None:
            stop_all([self._process], seconds)
            self._process = None
