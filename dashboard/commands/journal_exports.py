"""Journal exports: claiming what is not exported yet, and undoing an export as the second of two people.

Raises what `run` raises. The copy holds no exports: what became of one is written down in dashboard/journal_exports/.
"""

from collections.abc import Mapping
from datetime import date

from django.utils import timezone

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.access.subject import Subject
from dashboard.commands.run import CommandResult, FormKey, run
from dashboard.errors import FAILED, Conflict, NotFound
from dashboard.journal_exports.models import JournalExport
from dashboard.schemas.journal_exports import JournalExportWithSums, NewJournalExport, UndoExportBody

REFUSALS = (*FAILED, NotFound, Conflict)
# Hundreds of thousands of lines take their time.
CLAIM_S = 60.0
# More lines than these no file of a spreadsheet, and no memory, holds well: the rest is the next export's.
MOST_EXPORTED_LINES = 100_000
# By these refusals it is known that nothing was claimed, now or before under the same key.
NOTHING_CLAIMED = frozenset({"nothing_to_export", "corrected_unknown"})


def export_subject(actor: Actor, remote_id: str, title: str) -> Subject:
    """An export for the gate and the audit; "" for one that is not there yet."""
    return Subject(business_id=actor.business.pk, kind="journal_export", id=remote_id, title=title)


def days_title(first: date, last: date) -> str:
    """ "2026-10-01 to 2026-10-31"."""
    return f"{first} to {last}"


def claim(actor: Actor, row: JournalExport) -> JournalExportWithSums:
    """Claims the lines of the row's days that are not exported, the first MOST_EXPORTED_LINES, under the row's own key: asked again after
    a lost answer, it is the same export. The row knows it afterwards."""
    days = {
        "from": row.first_day,
        "to": row.last_day,
        "most_lines": MOST_EXPORTED_LINES,
        "correctable": row.correctable,
    }
    body = NewJournalExport.model_validate(days).model_dump(by_alias=True, mode="json")
    subject = export_subject(actor, "", days_title(row.first_day, row.last_day))
    result = run(
        actor, operations_accounting.CREATE_JOURNAL_EXPORT, subject, body, key=FormKey(row.key), refusals=REFUSALS,
        deadline=CLAIM_S,
    )  # fmt: skip
    export = JournalExportWithSums.model_validate(result.data)
    row.remote_id, row.number, row.line_count = export.id, export.number, export.line_count
    row.is_partial = export.is_partial
    row.save(update_fields=["remote_id", "number", "line_count", "is_partial"])
    return export


def undo(actor: Actor, subject: Subject, body: UndoExportBody, *, path: Mapping[str, str], key: str) -> CommandResult:
    """Undoes an export that somebody else proposed to undo: its lines are exported anew by the next one."""
    result = run(
        actor, operations_accounting.UNDO_JOURNAL_EXPORT, subject, body, key=key, path=path, refusals=REFUSALS,
        deadline=CLAIM_S,
    )  # fmt: skip
    rows = JournalExport.objects.filter(business=actor.business, remote_id=path["id"], undone_at=None)
    rows.update(undone_at=timezone.now())
    return result
