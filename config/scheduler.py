"""The schedule of a worker, which asks a worker for a sweep only when there is something to sweep.

A job that looks each second for what is due costs ten times as much through the queue as the look itself: on an idle
machine those were nine tenths of what both programs used. So a job may name the question that says whether anything is
due, and the schedule asks it first, on a connection of its own.
"""

from __future__ import annotations

import logging
from typing import Any

from celery.beat import PersistentScheduler
from django.db import connections
from django.utils.module_loading import import_string

log = logging.getLogger(__name__)

# By the name of a task, the dotted path of the function that answers whether it has anything to do.
questions: dict[str, str] = {}


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


class WorkScheduler(PersistentScheduler):
    """Celery's own schedule, kept in its file, but for turns in which there is nothing to do."""

    def adjust(self, n: Any, drift: float = 0.0) -> Any:
        """Seconds until a turn, as they are. Celery comes a hundredth earlier, finds that it is too early, and asks again as
        fast as it can until it is time: with three jobs each second that was most of what the schedule cost."""
        return n

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Asks for an entry's task where it has work; its next turn comes either way."""
        if has_work(entry.task):
            super().apply_entry(entry, producer=producer)  # type: ignore[no-untyped-call]
