"""Imports: the rows of a file become things at the service, all of them or none, by a worker that may be killed.

Each row is sent with a key of its own, so that whoever takes over after a crash sends nothing twice. When the service
refuses a row, what was made before it is taken back.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from typing import Any

import structlog
from django.db.models import Q
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.client.errors import FinanceError, NotFound
from dashboard.lists.models import Import

log = structlog.get_logger(__name__)

LOST_AFTER = timedelta(seconds=60)
GIVEN_UP_AFTER = timedelta(hours=2)
State = Import.State


@dataclass(frozen=True)
class Importer:
    """How a list's rows are made and taken back: each a call through the gateway, with the key it is given."""

    operation: Operation
    noun: tuple[str, str]
    make: Callable[[Actor, dict[str, Any], str], str]
    undo: Callable[[Actor, str, str], None]


IMPORTERS: dict[str, Importer] = {}


def importer_of(list_name: str) -> Importer:
    """How a list's rows are made. A worker has loaded no pages, which is where it is said."""
    if list_name not in IMPORTERS:
        import_module("dashboard.urls")
    return IMPORTERS[list_name]


class TakenOverError(Exception):
    """Another worker is at it."""


def begin(actor: Actor, checked: Import) -> bool:
    """Hands a checked import to the worker; False where it was begun before."""
    mine = Import.objects.filter(pk=checked.pk, membership_id=actor.member_id, state=State.CHECKED)
    return bool(mine.update(state=State.QUEUED, heartbeat_at=timezone.now()))


def run(import_id: uuid.UUID | str) -> bool:
    """Works on an import until it is over; False where another does, or it is."""
    job = _claim(import_id)
    if job is None:
        return False
    importer = importer_of(job.list_name)
    try:
        actor = Actor.for_membership(job.membership, fresh=True)
        if job.state == State.RUNNING:
            _make_all(job, importer, actor)
        if job.state == State.UNDOING:
            _undo_all(job, importer, actor)
    except TakenOverError:
        return False
    except FinanceError as trouble:
        # Not a word about a row: the service is away, or the person is. It is tried again, and in the end taken back.
        log.warning("import waits", job=str(job.pk), trouble=type(trouble).__name__)
        _keep(job, trouble=trouble.detail[:400])
        return False
    return True


def _claim(import_id: uuid.UUID | str) -> Import | None:
    now, run = timezone.now(), uuid.uuid4()
    free = Q(run=None) | Q(heartbeat_at__lt=now - LOST_AFTER)
    for before, after in (
        (State.QUEUED, State.RUNNING),
        (State.RUNNING, State.RUNNING),
        (State.UNDOING, State.UNDOING),
    ):
        if Import.objects.filter(free, pk=import_id, state=before).update(state=after, run=run, heartbeat_at=now):
            return Import.objects.select_related("membership__user", "membership__business", "business").get(
                pk=import_id
            )
    return None


def _keep(job: Import, **changes: Any) -> None:
    mine = Import.objects.filter(pk=job.pk, run=job.run)
    if not mine.update(heartbeat_at=timezone.now(), **changes):
        raise TakenOverError
    for name, value in changes.items():
        setattr(job, name, value)


def _make_all(job: Import, importer: Importer, actor: Actor) -> None:
    for number, body in enumerate(job.rows, 1):
        if str(number) in job.made:
            continue
        try:
            made = importer.make(actor, body, f"import-{job.pk}-{number}")
        except FinanceError as refusal:
            if refusal.retryable or refusal.changed is None:
                raise
            asked = f" (request {refusal.request_id})" if refusal.request_id else ""
            _keep(job, state=State.UNDOING, trouble=f"Row {_line(job, number)}: {refusal.said}{asked}"[:400])
            return
        _keep(job, made={**job.made, str(number): made})
    _end(job, importer, actor, State.DONE)


def _line(job: Import, number: int) -> int:
    """Where the row stands in the file; of an import that does not know, which one it is."""
    return job.lines[number - 1] if len(job.lines) >= number else number


def _undo_all(job: Import, importer: Importer, actor: Actor) -> None:
    for number, made in sorted(job.made.items(), key=lambda each: -int(each[0])):
        with suppress(NotFound):  # somebody was faster
            importer.undo(actor, made, f"import-undo-{job.pk}-{number}")
        _keep(job, made={key: value for key, value in job.made.items() if key != number})
    _end(job, importer, actor, State.FAILED)


def _end(job: Import, importer: Importer, actor: Actor, state: Import.State) -> None:
    _keep(job, state=state, finished_at=timezone.now())
    Import.objects.filter(pk=job.pk).update(run=None)
    count, done = len(job.rows), state == State.DONE
    what = f"{count:,} {importer.noun[count != 1]}"
    record(
        actor, importer.operation.name, None, Outcome.DONE if done else Outcome.REFUSED,
        sentence=f"imported {what} from {job.file_name}" if done else f"could not import {what} from {job.file_name}",
        reason="" if done else job.trouble,
    )  # fmt: skip


def lost() -> list[str]:
    """Imports that nobody works on although somebody should; one that is stuck for long is taken back."""
    now = timezone.now()
    stuck = Import.objects.filter(state__in=[State.QUEUED, State.RUNNING], created_at__lt=now - GIVEN_UP_AFTER)
    stuck.filter(heartbeat_at__lt=now - LOST_AFTER).update(state=State.UNDOING)
    waiting = Import.objects.filter(
        state__in=[State.QUEUED, State.RUNNING, State.UNDOING], heartbeat_at__lt=now - LOST_AFTER
    )
    return [str(job.pk) for job in waiting]
