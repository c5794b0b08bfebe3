"""Exports: the query that was on the screen, or the report of a period, becomes a file, written by a worker that may be
killed at any moment.

The state is a row, the file appears under its final name only when it is whole, and whoever writes holds its lease: a
worker thought lost that comes back finds that gone and stops. Rows, count and totals are read in one snapshot.
"""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import Q, QuerySet
from django.utils import timezone

from dashboard import worker_lease
from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import BadAnswer, FinanceError, Rejected, TooMany, Unavailable
from dashboard.lists import files, models
from dashboard.lists.export_files import announce_export, delete_file, end_export, store_file
from dashboard.lists.models import Export, ExportState
from dashboard.lists.query import Query
from dashboard.lists.registry import Listed, ListQuery, find
from dashboard.lists.report_files import PutOffError, write_report
from dashboard.lists.reports import PERIOD, ReportKind, find_report, period_text
from dashboard.lists.totals import SUMMED, format_sums
from dashboard.replica import JOB_WAITS_S, is_configured, read_behind, write_position
from dashboard.worker_lease import LeaseLostError, claim, release, renew, revoke, stale

log = structlog.get_logger(__name__)

BATCH = 5_000
# Longer than the service may take for the first piece of a report.
LOST_AFTER = timedelta(seconds=90)
FILES_LIFETIME = timedelta(hours=48)
MOST_TRIES = 3
MOST_UNFINISHED = 5


def create_export(actor: Actor, list_name: str, query: ListQuery, form: str) -> Export:
    """Queues an export of the query as a file; the same one that is unfinished already is returned, not begun twice.

    Rejected for an unknown format, a query that is not understood, or too many at once.
    """
    if form not in (Export.Form.CSV, Export.Form.XLSX):
        raise Rejected("Choose CSV or XLSX.", code="format")
    if query.refused:
        raise Rejected(" ".join(query.problems.values()), code="query")
    return _queue(actor, list_name, query.query(), _summary(actor, query), form)


def create_report(actor: Actor, report_kind: ReportKind, period: str, form: str) -> Export:
    """Queues the report of a period ("2026-10") as a file; the same one that is unfinished already is returned.

    Rejected for what is no period, a format that it has not, or too many at once.
    """
    if form not in report_kind.forms:
        raise Rejected(f"Choose {' or '.join(Export.Form(name).label for name in report_kind.forms)}.", code="format")
    if not PERIOD.fullmatch(period):
        raise Rejected("Choose a period.", code="period")
    return _queue(actor, report_kind.name, period, period_text(period), form)


def _queue(actor: Actor, list_name: str, address_query: str, summary: str, form: str) -> Export:
    mine = Export.objects.filter(membership_id=actor.member_id, state__in=models.UNFINISHED)
    same = mine.filter(list_name=list_name, query=address_query, form=form).first()
    if same is not None:
        return same
    if mine.count() >= MOST_UNFINISHED:
        raise Rejected(
            f"{MOST_UNFINISHED} exports are already in progress: wait until one has finished.", code="too_many"
        )
    return Export.objects.create(
        business=actor.business,
        membership_id=actor.member_id,
        list_name=list_name,
        query=address_query,
        asked=summary[:500],
        form=form,
    )


def _summary(actor: Actor, query: ListQuery) -> str:
    """What is asked for, as it is read; a list that an area builds itself has its query alone."""
    return query.summary(actor) if isinstance(query, Query) else query.query()


def cancel(actor: Actor, export: Export) -> bool:
    """Stops an export that is not finished; False where it was over already."""
    stopped = Export.objects.filter(pk=export.pk, membership_id=actor.member_id, state__in=models.UNFINISHED)
    return bool(revoke(stopped, state=ExportState.CANCELLED, finished_at=timezone.now()))


def run(export_id: uuid.UUID | str, *, at_once: int | None = None) -> bool:
    """Writes the file, if it waits for somebody; False where another has it or it is over. `at_once` is how many bytes of the
    service's answer a report may have while a person waits for it: a longer one, or one that takes
    longer (report_files.AT_ONCE_S), stays queued, False."""
    rows = Export.objects.select_related("membership__user", "membership__business", "business")
    export = claim(
        rows, export_id, Q(state__in=models.UNFINISHED), lost_after=LOST_AFTER, most_tries=MOST_TRIES, state=ExportState.RUNNING,
        rows_done=0,
    )  # fmt: skip
    if export is None:
        return False
    try:
        return _write_for_its_owner(export, at_once)
    except LeaseLostError:
        # Also where it failed: somebody cancelled it, or another worker has it.
        return False


def _write_for_its_owner(export: Export, at_once: int | None) -> bool:
    """Writes the file as whoever asked for it, as they stand now; the export fails with the sentence of a refusal. One whose
    service is away, or that changed while it was read, waits for its next try. False where it is too long to be waited for, in
    bytes or in seconds."""
    try:
        actor = Actor.for_membership(export.membership, fresh=True)
        report = find_report(export.list_name)
        if report is not None:
            check_open(actor, report.opens)
            write_report(export, actor, report, at_once)
            return True
        listed = find(export.list_name)
        if listed is None:
            raise Rejected("This list is no longer available.")
        check_open(actor, listed.opens)
        _write(export, actor, listed, listed.parse(export.query))
    except PutOffError:
        # Begun to see how long it is: that was none of its tries.
        release(export, state=ExportState.QUEUED, attempts=0, size=0)
        return False
    except FinanceError as trouble:
        if at_once is not None and isinstance(trouble, Unavailable):
            # Nor is one that the service did not answer while a person waited: a worker waits longer.
            release(export, state=ExportState.QUEUED, attempts=0, size=0)
            return False
        _fail(export, trouble)
    return True


def _fail(export: Export, trouble: FinanceError) -> None:
    """Ends it, or has it tried again: not for ever, and not where it was refused."""
    if not isinstance(trouble, Unavailable | TooMany | BadAnswer) or export.attempts >= MOST_TRIES:
        return end_export(export, ExportState.FAILED, trouble=trouble.user_message[:300])
    log.warning("export waits", export=str(export.pk), trouble=type(trouble).__name__)
    sentence = f"{trouble.detail or trouble.user_message} It is tried again within two minutes."
    return release(export, state=ExportState.QUEUED, trouble=sentence[:300], size=0)


def _write(export: Export, actor: Actor, listed: Listed, query: ListQuery) -> None:
    # All that was written until now is in the file, as if it were read from the primary.
    until = write_position() if is_configured() else 0
    count, totals = read_behind(
        until, lambda alias: _write_file(export, actor, listed, query, alias), wait_s=JOB_WAITS_S
    )
    record(
        actor, listed.opens.name, None, Outcome.DONE,
        sentence=f"exported {count:,} {listed.noun[count != 1]} as {export.form.upper()}",
        after={"query": query.query(), "rows": count, "totals": totals},
    )  # fmt: skip


def _write_file(export: Export, actor: Actor, listed: Listed, query: ListQuery, alias: str) -> tuple[int, str]:
    """Writes and keeps the file, read from the database `alias`; how many rows it has, and what they come to."""
    headings, rows = query.file(actor)
    with tempfile.TemporaryDirectory(prefix="countersign-export-") as folder, _snapshot(alias) as read:
        count, totals = _counted(read, actor, query, listed.declared.sums_title if listed.declared else "")
        if export.form == "xlsx" and count > files.MOST_XLSX_ROWS:
            raise Rejected(f"{count:,} rows are too many for one sheet: narrow the filters, or export CSV.")
        renew(export, rows_done=0, rows_total=count, totals=totals[:500])
        summary = [("Rows", count), ("Totals", totals), ("Filters", export.asked or "everything")]
        path = Path(folder) / f"export.{export.form}"
        files.write(
            export.form,
            path,
            headings,
            _batches(read, rows, len(headings)),
            summary,
            lambda rows_written: renew(export, rows_done=rows_written),
        )
        store_file(export, path, count)
    return count, totals


BatchReader = Callable[[str, tuple[Any, ...]], Iterator[list[tuple[Any, ...]]]]


@contextmanager
def _snapshot(alias: str) -> Iterator[BatchReader]:
    """Reads on a connection of its own, all in one snapshot: what changes meanwhile is not half in the file."""
    reader = connections[alias].copy()
    try:
        reader.set_autocommit(False)
        with reader.cursor() as cursor:
            cursor.execute("set transaction isolation level repeatable read, read only")
            cursor.execute("select set_config('statement_timeout', '0', true), "
                           "set_config('idle_in_transaction_session_timeout', '0', true)")  # fmt: skip

        def read(statement: str, params: tuple[Any, ...]) -> Iterator[list[tuple[Any, ...]]]:
            with reader.chunked_cursor() as rows:
                rows.execute(statement, params)
                while batch := rows.fetchmany(BATCH):
                    yield batch

        yield read
    finally:
        reader.close()


def _batches(read: BatchReader, rows: QuerySet[Any, Any], width: int) -> Iterator[list[tuple[Any, ...]]]:
    """The rows without the columns after those with a heading: by these alone they are ordered."""
    try:
        statement, params = rows.query.sql_with_params()
    except EmptyResultSet:
        return iter(())
    return ([row[:width] for row in batch] for batch in read(statement, tuple(params)))


def _counted(read: BatchReader, actor: Actor, query: ListQuery, title: str) -> tuple[int, str]:
    """How many rows the file will have and their sums per currency, in the file's own snapshot; `title` says what
    the sums are, where that is more than amounts."""
    try:
        inner, params = query.sums(actor).query.sql_with_params()
    except EmptyResultSet:
        return 0, ""
    groups = [group for batch in read(SUMMED.format(inner), tuple(params)) for group in batch]
    return sum(many for _, many, _ in groups), "; ".join(
        f"{amount} {title}".rstrip() for amount in format_sums(groups, actor)
    )


def has_unfinished() -> bool:
    """Whether any export is unfinished: one of which a worker may have been lost."""
    return Export.objects.filter(state__in=models.UNFINISHED).exists()


def lost() -> list[str]:
    """Exports that nobody works on although somebody should: to be started again, or given up after three tries."""
    exports = Export.objects.filter(state__in=models.UNFINISHED)
    given_up = stale(exports, lost_after=LOST_AFTER).filter(attempts__gte=MOST_TRIES)
    for export in given_up:
        trouble = "Three attempts did not finish. Export again, or narrow the filters."
        # As it stands now: its worker may have come back since it was read.
        row = given_up.filter(pk=export.pk)
        if revoke(row, state=ExportState.FAILED, trouble=trouble, finished_at=timezone.now()):
            log.error("export given up", export=str(export.pk), list=export.list_name)
            announce_export(export.pk)
    return worker_lease.lost(exports, lost_after=LOST_AFTER)


def forget_old() -> int:
    """Deletes the files of exports older than 48 hours and returns how many."""
    old = Export.objects.filter(state=ExportState.DONE, finished_at__lt=timezone.now() - FILES_LIFETIME)
    count = 0
    for export in old:
        # First the file: a row that says it is gone is never looked at again.
        if delete_file(export):
            count += Export.objects.filter(pk=export.pk, state=ExportState.DONE).update(state=ExportState.EXPIRED)
    return count
