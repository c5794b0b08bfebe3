"""The reports of periods as files: written under the lease of their export, which says how far they are."""

import tempfile
import time
from pathlib import Path

from dashboard.access.actor import Actor
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.lists.export_files import store_file
from dashboard.lists.models import Export
from dashboard.lists.reports import ReportJob, ReportKind
from dashboard.worker_lease import renew

# How often a report says how much of the service's answer is there, at most.
RENEWED_AFTER_S = 2.0
# So long the service is waited for while a person is: what takes longer is a worker's.
AT_ONCE_S = 8.0


class PutOffError(Exception):
    """The file is too long to be written while a person waits: a worker writes it."""


class LeasedProgress:
    """Writes down how far a report is, under the lease of its export."""

    def __init__(self, export: Export, at_once: int | None) -> None:
        self._export, self._at_once, self._renewed_at = export, at_once, 0.0

    def on_bytes(self, size: int) -> None:
        """PutOffError where these are more than a person waits for."""
        if self._at_once is not None and size > self._at_once:
            raise PutOffError
        if time.monotonic() - self._renewed_at >= RENEWED_AFTER_S:
            renew(self._export, size=size)
            self._renewed_at = time.monotonic()

    def go_on(self) -> None:
        """Renews the lease, if that was not just done."""
        if time.monotonic() - self._renewed_at >= RENEWED_AFTER_S:
            renew(self._export)
            self._renewed_at = time.monotonic()

    def begin(self, total: int) -> None:
        """From here on it is known how many rows there are."""
        renew(self._export, rows_done=0, rows_total=total)

    def on_rows(self, count: int) -> None:
        """Notes how many rows of the file are written so far, and renews the lease: LeaseLostError where another worker has it."""
        renew(self._export, rows_done=count)


def write_report(export: Export, actor: Actor, report_kind: ReportKind, at_once: int | None) -> None:
    """Writes the report of an export into its file. Raises the FinanceError tree, LeaseLostError, and PutOffError where more than
    `at_once` bytes are to be read; with `at_once` the service has AT_ONCE_S for its answers."""
    with tempfile.TemporaryDirectory(prefix="countersign-report-") as folder:
        path = Path(folder) / f"report.{export.form}"
        ends = None if at_once is None else time.monotonic() + AT_ONCE_S
        job = ReportJob(export.query, export.form, path, LeasedProgress(export, at_once), ends)
        written = report_kind.write(actor, job)
        renew(export, totals=written.totals[:500])
        store_file(export, path, written.count)
    record(
        actor, report_kind.opens, None, Outcome.DONE,
        sentence=f"exported {report_kind.name.replace('_', '-')}-{export.query} as {export.form.upper()}, {written.count:,} "
        f"{report_kind.noun[written.count != 1]}",
        after={"period": export.query, "rows": written.count, "totals": written.totals},
    )  # fmt: skip
