"""The schedule of a worker, which asks a worker for a sweep only when there is something to sweep.

A job that looks each second for what is due costs ten times as much through the queue as the look itself: on an idle
machine those were nine tenths of what both programs used. So a job may name the question that says whether anything is
due, and the schedule asks it first, on a connection of its own.

Turns begin at whole seconds, those of five seconds together, so that an idle machine is woken once and not by each job. And a
question of each second rests where nothing was written in the whole database since it was asked: PostgreSQL's own position in
its log says so, in a tenth of the time. A job that had work within the last minute is asked about at each turn, since what
failed waits for its time then, which nobody writes; any other at least each REST_S.
"""

from __future__ import annotations

import logging
import time
from calendar import timegm
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from celery.beat import PersistentScheduler, ScheduleEntry
from django.db import connection, connections
from django.utils.module_loading import import_string

log = logging.getLogger(__name__)

# By the name of a task, the dotted path of the function that answers whether it has anything to do.
questions: dict[str, str] = {}

# Jobs with a turn at least this often rest while nothing is written.
OFTEN_S = 2.0
REST_S = 5.0
BUSY_S = 60.0


@dataclass
class LastLook:
    """Where the database's log stood at the last two looks of a job, when its question was asked and when it last had work."""

    position: str = ""
    before: str = ""
    question_at: float = -REST_S
    work_at: float = -BUSY_S

    def rests(self, position: str, now: float) -> bool:
        """Whether nothing can be there: nothing written in two looks (what is written just now may not be readable before the
        next), no work in a while, and the question was asked lately. Notes this look."""
        is_quiet = position != "" and position == self.position == self.before
        self.before, self.position = self.position, position
        return is_quiet and now - self.work_at >= BUSY_S and now - self.question_at < REST_S


def log_position() -> str:
    """How far PostgreSQL's log is written, of all databases of its machine; "" where it cannot tell (a standby)."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_current_wal_insert_lsn()")
            return str(cursor.fetchone()[0])
    except Exception as error:
        log.warning("cannot tell whether anything was written (%s): each question is asked", type(error).__name__)
        connections.close_all()
        return ""


def has_work(task: str) -> bool:
    """Whether a worker should be asked for this task now. True where nobody can tell: the worker finds out."""
    if task not in questions:
        return True
    try:
        return bool(import_string(questions[task])())
    except Exception as error:
        log.warning("cannot tell whether %s is due (%s): it is asked for", task, type(error).__name__)
        connections.close_all()
        return True


def seconds_of(entry: ScheduleEntry) -> float:
    """Seconds between two turns of a job; 0 for one that goes by the hour of the day."""
    interval = getattr(entry.schedule, "run_every", None)
    return float(interval.total_seconds()) if interval is not None else 0.0


def grid_of(entry: ScheduleEntry) -> int:
    """The seconds at whose multiples a job's turns begin; 0 for one of less than a second, which begins whenever it is due."""
    every = seconds_of(entry)
    return 1 if every > REST_S else int(every)


class Turn(ScheduleEntry):
    """A job whose turns begin at whole seconds, up to five of them at a multiple of theirs."""

    def _next_instance(self, last_run_at: datetime | None = None) -> Any:
        at, grid = last_run_at or self.default_now(), grid_of(self)
        if grid:
            at = at.replace(second=at.second - at.second % grid, microsecond=0)
        return super()._next_instance(last_run_at=at)

    __next__ = next = _next_instance


class WorkScheduler(PersistentScheduler):
    """Celery's own schedule, kept in its file, but for turns in which there is nothing to do."""

    Entry = Turn

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._states: dict[str, LastLook] = {}
        # The position in the log and when it was read: once for all jobs of a turn.
        self._position = ("", -1.0)
        super().__init__(*args, **kwargs)

    def setup_schedule(self) -> None:
        """Reads the file; jobs that an older version wrote there have turns as all others."""
        super().setup_schedule()
        for name, entry in self.schedule.items():
            self.schedule[name] = entry if isinstance(entry, Turn) else Turn(**dict(entry))

    def adjust(self, n: Any, drift: float = 0.0) -> Any:
        """Seconds until a turn, as they are. Celery comes a hundredth earlier, finds that it is too early, and asks again as
        fast as it can until it is time: with three jobs each second that was most of what the schedule cost."""
        return n

    def _when(self, entry: ScheduleEntry, next_time_to_run: float, mktime: Any = timegm) -> float:
        """The Unix time of a turn in so many seconds from now, put back to the grid where that is not past."""
        at: float = super()._when(entry, next_time_to_run, mktime)
        grid = grid_of(entry)
        on_grid = at - at % grid if grid else at
        return on_grid if on_grid > at - next_time_to_run else at

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Asks for an entry's task where it has work; its next turn comes either way."""
        if self._has_work(entry):
            super().apply_entry(entry, producer=producer)

    def _has_work(self, entry: Any) -> bool:
        if entry.task not in questions or seconds_of(entry) > OFTEN_S:
            return has_work(entry.task)
        now, look = time.monotonic(), self._states.setdefault(entry.task, LastLook())
        if now - self._position[1] > OFTEN_S / 10:
            self._position = (log_position(), now)
        if look.rests(self._position[0], now):
            return False
        look.question_at = now
        if not has_work(entry.task):
            return False
        look.work_at = now
        return True
