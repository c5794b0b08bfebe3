"""Reports of a period: files that are no list's, written by the engine of exports from what the service answers."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Protocol

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation

# A read whose time is over before it begins is given up at once.
SHORTEST_S = 0.1
PERIOD = re.compile(r"(?!0000)[0-9]{4}-(0[1-9]|1[0-2])")


class ReportProgress(Protocol):
    """What hears how far a report is; each call may raise, which ends the writing."""

    def on_bytes(self, size: int) -> None:
        """So many bytes of the service's answer are saved."""

    def go_on(self) -> None:
        """It is still worked on: to be called within a minute where nothing else is."""

    def begin(self, total: int) -> None:
        """So many rows the file will have."""

    def on_rows(self, count: int) -> None:
        """So many of them are written."""


@dataclass(frozen=True, slots=True)
class ReportJob:
    """What is to be written: the report of a period ("2026-10") in a format, as the file `path`. What is stored on the way
    stands beside it, and goes with its folder. `ends` is when the service must have answered, by the monotonic clock in
    seconds, where a person waits for it; None where nobody does."""

    period: str
    form: str
    path: Path
    progress: ReportProgress
    ends: float | None = None

    def seconds(self, most: float) -> float:
        """How long a read of the service may take: `most`, and no longer than a person waits."""
        return most if self.ends is None else max(SHORTEST_S, min(most, self.ends - time.monotonic()))


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """How many rows a file has, and what they come to, in words."""

    count: int
    totals: str


@dataclass(frozen=True, eq=False)
class ReportKind:
    """A report that can be exported: `noun` is one row and many, `forms` its formats, `address` the name of the page of a
    period that it belongs to. `write` raises the FinanceError tree, and whatever the job's progress raises."""

    name: str
    title: str
    noun: tuple[str, str]
    opens: Operation
    forms: tuple[str, ...]
    address: str
    write: Callable[[Actor, ReportJob], WrittenReport]


REPORTS: dict[str, ReportKind] = {}


def find_report(name: str) -> ReportKind | None:
    """The report of a name, None where there is none. The rooms of pages/ declare theirs at start-up."""
    return REPORTS.get(name)


def register_report(report_kind: ReportKind) -> ReportKind:
    """Registers a report under its name and returns it; TypeError where another one has it."""
    if REPORTS.setdefault(report_kind.name, report_kind) is not report_kind:
        raise TypeError(f"there are two reports named {report_kind.name}")
    return report_kind


def period_text(period: str) -> str:
    """ "October 2026" for "2026-10"."""
    return f"{date.fromisoformat(f'{period}-01'):%B %Y}"
