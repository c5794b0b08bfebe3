"""An export carried on from where it stands: its lines claimed, its files written and signed."""

import zlib
from collections.abc import Callable
from hashlib import sha256

from django.db import transaction

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.commands import journal_exports as commands
from dashboard.errors import BadAnswer, Conflict
from dashboard.journal_exports.formats.registry import chosen
from dashboard.journal_exports.journal import JournalLine, imbalance, journal_digest
from dashboard.journal_exports.manifest import Written, manifest_text
from dashboard.journal_exports.mapped_lines import MappedLine, Mappings, account_totals, mapped_lines
from dashboard.journal_exports.models import JournalExport, JournalExportFile
from dashboard.journal_files.exports import journal_lines_of, remote_export
from dashboard.journal_files.mappings import account_titles, exported_mappings, mappings_of, missing, not_written
from dashboard.schemas.journal_exports import JournalExportWithSums
from dashboard.signing.signature import sign

RUNS = "A spreadsheet would run it: map it to a code and a name without =, +, - or @ at the beginning, then continue."
UNDONE = "This export was undone: its lines are in another export, or in the next one."


def carry_on(actor: Actor, row: JournalExport, on_read: Callable[[int], None] = lambda _: None) -> None:
    """Claims the lines where that is not known to be done, and writes the files where they are not written.

    Under the row's own key, so that a claim whose answer was lost is found again. Raises the FinanceError tree: Unknown
    where nobody knows whether the lines were claimed, Conflict where something is not mapped or the export was undone, in
    which case no file is written. `on_read` is told how many lines are read by now.
    """
    export = remote_export(actor, row) if row.remote_id else commands.claim(actor, row)
    if row.manifest:
        return
    if row.undone_at or export.status == "UNDONE":
        raise Conflict(UNDONE, code="undone")
    lines = journal_lines_of(actor, row, on_read)
    if journal_digest(lines) != export.sha256 or imbalance(part for line in lines for part in line.by_part()):
        raise BadAnswer("The lines of the finance service are not those that it has claimed.", code="digest")
    mappings = mappings_of(actor)
    tax_ids = {line.tax_id for line in lines if line.tax_id}
    if unmapped := missing(actor, mappings, export.accounts, tax_ids, chosen(row.formats)):
        names = ", ".join(item.title for item in unmapped[:3])
        raise Conflict(f"Not mapped: {names}. Map it, then continue.", code="unmapped")
    rows = _mapped(actor, lines, mappings)
    if altered := not_written(rows, chosen(row.formats)):
        names = ", ".join(f"“{text}”" for text in altered[:3])
        raise Conflict(f"Not mapped: {names}. {RUNS}", code="unmapped")
    _write(actor, row, export, rows, mappings)


def _mapped(actor: Actor, lines: list[JournalLine], mappings: Mappings) -> list[MappedLine]:
    """The lines with what they are called; Conflict where nobody knows what an export that is corrected here called them."""
    corrected = {line.corrected_export for line in lines if line.correction < 0 and line.corrected_export}
    exported = exported_mappings(actor, corrected)
    if unknown := sorted(corrected - exported.keys()):
        raise Conflict(
            f"This export corrects lines of export {unknown[0]}, whose files are not written: which accounts they have is "
            "not known. Continue that one first; where it was not made here, undo this one.",
            code="corrected_unknown",
        )
    return list(mapped_lines(lines, mappings, exported))


def _write(
    actor: Actor,
    row: JournalExport,
    export_with_sums: JournalExportWithSums,
    rows: list[MappedLine],
    mappings: Mappings,
) -> None:
    stem = f"journal-{row.business.slug}-{row.number}"
    files = [
        Written(form.name, file) for form in chosen(row.formats) for file in form.write(rows, stem, row.business.name)
    ]
    row.mapping = mappings.as_json()
    titles = dict(account_titles(actor, export_with_sums.accounts))
    names = {
        account.account_id: titles[str(account.account_id)].removesuffix(f" · {account.currency}")
        for account in export_with_sums.accounts
    }
    totals = account_totals(rows, names)
    row.manifest = manifest_text(
        row, export_with_sums.sha256, totals, files, actor.name, export_with_sums.correction_count
    )
    row.signature = sign(row.business, row.manifest.encode())
    with transaction.atomic():
        stored = JournalExport.objects.select_for_update(no_key=True).get(pk=row.pk)
        if stored.manifest:
            return
        if stored.undone_at:
            raise Conflict(UNDONE, code="undone")
        JournalExportFile.objects.bulk_create(
            JournalExportFile(
                export=row, format=written.format, name=written.file.name, row_count=written.file.row_count,
                size=len(written.file.content), sha256=sha256(written.file.content).hexdigest(),
                packed=zlib.compress(written.file.content),
            )
            for written in files
        )  # fmt: skip
        row.save(update_fields=["mapping", "manifest", "signature"])
        # The audit is chained and anchored outside: the manifest cannot be exchanged for another later.
        record(
            actor, operations_accounting.CREATE_JOURNAL_EXPORT, commands.export_subject(actor, str(row.pk), export_title(row)),
            Outcome.NOTED, sentence=f"wrote the files of journal export {row.number}, {_days_text(row, rows)}",
            after={
                "lines": f"{row.line_count:,}", "manifest (SHA-256)": sha256(row.manifest.encode()).hexdigest(),
                "files": ", ".join(written.file.name for written in files),
            },
        )  # fmt: skip


def _days_text(row: JournalExport, rows: list[MappedLine]) -> str:
    """The days that it holds: "2026-10-01 to 2026-10-31"; of one that took the first lines of these the days of its lines, too."""
    days = commands.days_title(row.first_day, row.last_day)
    if not row.is_partial or not rows:
        return days
    line_days = [row_of_line.line.effective_on for row_of_line in rows]
    return f"{commands.days_title(min(line_days), max(line_days))}, the first lines of {days}"


def export_title(row: JournalExport) -> str:
    """ "Export 3"; "Export" for one that has no number yet."""
    return f"Export {row.number}" if row.number else "Export"
