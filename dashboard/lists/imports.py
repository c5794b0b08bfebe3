"""Imports: the rows of a file become things at the service, all of them or none, by a worker that may be killed.

Each row is sent with a key of its own, so that whoever takes over after a crash sends nothing twice. When the service
refuses a row, what was made before it is taken back; where that is not to be had, it ends with saying which rows stand.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

import structlog
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils import timezone

from dashboard import worker_lease
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.client.models import OutboundOperation, OutboundState
from dashboard.errors import AlreadyDone, Conflict, FinanceError, NotAllowed, NotFound, Rejected
from dashboard.lists.models import Import
from dashboard.worker_lease import LeaseLostError, claim, release, renew, revoke, stale

log = structlog.get_logger(__name__)

LOST_AFTER = timedelta(seconds=60)
ABANDONED_AFTER = timedelta(hours=2)
ImportState = Import.State
WORKED_ON = (ImportState.QUEUED, ImportState.RUNNING, ImportState.UNDOING)


# What creates a row of a list, as the operation takes it.
Body = TypeVar("Body")


@dataclass(frozen=True)
class Importer(Generic[Body]):
    """How a list's rows are created and removed again: `create` takes the body of a row and a key and returns the id at the
    service, `undo` takes that id and a key; both raise what `commands.run` raises."""

    operation: Operation
    noun: tuple[str, str]
    create: Callable[[Actor, Body, str], str]
    undo: Callable[[Actor, str, str], None]


# Each list has a body of its own, stored as JSON with its import.
IMPORTERS: dict[str, Importer[Any]] = {}


def importer_of(list_name: str) -> Importer[Any]:
    """The importer of a list; KeyError where none is registered. The rooms of pages/ register theirs at start-up."""
    return IMPORTERS[list_name]


def begin(actor: Actor, checked: Import) -> bool:
    """Hands a checked import to the worker; False where it was begun before."""
    mine = Import.objects.filter(pk=checked.pk, membership_id=actor.member_id, state=ImportState.CHECKED)
    return bool(mine.update(state=ImportState.QUEUED, heartbeat_at=timezone.now()))


def run(import_id: uuid.UUID | str) -> bool:
    """Works on an import until it is over; False where another does, or it is."""
    rows = Import.objects.select_related("membership__user", "membership__business", "business")
    begun = Case(When(state=ImportState.QUEUED, then=Value(ImportState.RUNNING.value)), default=F("state"))
    job = claim(rows, import_id, Q(state__in=WORKED_ON), lost_after=LOST_AFTER, state=begun)
    if job is None:
        return False
    try:
        return _carry_on(job, importer_of(job.list_name))
    except LeaseLostError:
        # Also where it is put off or left: another worker has it.
        return False


def _carry_on(import_job: Import, importer: Importer[Any]) -> bool:
    try:
        actor = Actor.for_membership(import_job.membership, fresh=True)
        if import_job.state == ImportState.RUNNING:
            _create_all(import_job, importer, actor)
        if import_job.state == ImportState.UNDOING:
            _undo_all(import_job, importer, actor)
    except NotAllowed as ended:
        # Whose import it is may not go on with it, so that nobody does: it acts in nobody else's name.
        _leave(import_job, importer, ended.detail)
    except FinanceError as trouble:
        # Not a word about a row: the service is away. It is tried again, and in the end taken back.
        log.warning("import waits", job=str(import_job.pk), trouble=type(trouble).__name__)
        release(import_job, trouble=trouble.detail[:400])
        return False
    return True


def _create_all(import_job: Import, importer: Importer[Any], actor: Actor) -> None:
    for number, body in enumerate(import_job.rows, 1):
        if str(number) in import_job.made:
            continue
        try:
            remote_id = importer.create(actor, body, f"import-{import_job.pk}-{number}")
        except FinanceError as refusal:
            if refusal.retryable or refusal.changed is not False:
                # Done before, but its id is not known yet: asked again, the kept answer tells it.
                raise
            request_note = f" (request {refusal.request_id})" if refusal.request_id else ""
            renew(
                import_job,
                state=ImportState.UNDOING,
                trouble=f"Row {import_job.line_of(number)}: {refusal.explanation}{request_note}"[:400],
            )
            return
        renew(import_job, made={**import_job.made, str(number): remote_id})
    _end(import_job, importer, actor, ImportState.DONE)


def _undo_all(import_job: Import, importer: Importer[Any], actor: Actor) -> None:
    not_removed = ""
    for number, remote_id in sorted(import_job.made.items(), key=lambda entry: -int(entry[0])):
        try:
            importer.undo(actor, remote_id, f"import-undo-{import_job.pk}-{number}")
        except (NotFound, AlreadyDone):
            pass  # somebody was faster, or this worker's predecessor
        except (Conflict, Rejected) as refused:
            not_removed = f"Row {import_job.line_of(int(number))} cannot be removed: {refused.explanation}"
            continue
        renew(import_job, made={key: value for key, value in import_job.made.items() if key != number})
    if import_job.made or _doubt(import_job):
        _leave(import_job, importer, not_removed)
    else:
        _end(import_job, importer, actor, ImportState.FAILED)


def _leave(import_job: Import, importer: Importer[Any], why: str) -> None:
    """Ends it where nobody takes back what was made: it stands, and which rows that are is said."""
    before = import_job.trouble if import_job.state == ImportState.UNDOING and import_job.trouble != why else ""
    doubt = _doubt(import_job)
    renew(import_job, trouble=" ".join(filter(None, (before, why, doubt)))[:400])
    _end(
        import_job,
        importer,
        Actor.as_recorded(import_job.membership),
        ImportState.LEFT if import_job.made or doubt else ImportState.FAILED,
    )


def _doubt(import_job: Import) -> str:
    """Of which row nobody here knows whether it was made: it was sent, and its id was never noted."""
    states = [OutboundState.SENT, OutboundState.UNKNOWN, OutboundState.CONFIRMED]
    sent = OutboundOperation.objects.filter(business=import_job.business)
    doubtful = _numbers(sent.filter(state__in=states), f"import-{import_job.pk}-")
    # Taken back is only what was noted as made before.
    doubtful -= _numbers(sent, f"import-undo-{import_job.pk}-")
    lines = sorted(import_job.line_of(int(number)) for number in doubtful - set(import_job.made))
    return f"Row {lines[0]} was sent, but no answer came back: check whether it was added." if lines else ""


def _numbers(sent: QuerySet[OutboundOperation], own: str) -> set[str]:
    """The row numbers in the keys that begin with `own`."""
    keys = sent.filter(key__startswith=own).values_list("key", flat=True)
    return {key.removeprefix(own).partition(".")[0] for key in keys}


def _end(import_job: Import, importer: Importer[Any], actor: Actor, state: Import.State) -> None:
    release(import_job, state=state, finished_at=timezone.now())
    count, succeeded = len(import_job.rows), state == ImportState.DONE
    what = f"{count:,} {importer.noun[count != 1]}"
    sentence = {
        ImportState.DONE: f"imported {what} from {import_job.file_name}",
        ImportState.LEFT: f"imported {len(import_job.made):,} of {what} from {import_job.file_name}, which was not undone",
    }.get(state, f"could not import {what} from {import_job.file_name}")
    outcome, rows = (
        Outcome.DONE if succeeded else Outcome.REFUSED,
        ", ".join(str(line) for line, _ in import_job.standing),
    )
    added_rows = f" What stands is of the rows {rows} of the file." if rows else ""
    reason = "" if succeeded else f"{import_job.trouble}{added_rows}"
    record(actor, importer.operation.name, None, outcome, sentence=sentence, reason=reason)


def has_unfinished() -> bool:
    """Whether any import is unfinished: one of which a worker may have been lost."""
    return Import.objects.filter(state__in=WORKED_ON).exists()


def lost() -> list[str]:
    """Ids of the imports whose worker was lost, to be started again; one that is stuck for two hours is undone."""
    old = timezone.now() - ABANDONED_AFTER
    stuck = Import.objects.filter(state__in=(ImportState.QUEUED, ImportState.RUNNING), created_at__lt=old)
    revoke(stale(stuck, lost_after=LOST_AFTER), state=ImportState.UNDOING)
    return worker_lease.lost(Import.objects.filter(state__in=WORKED_ON), lost_after=LOST_AFTER)
