"""QuickBooks Online: Settings → Import data → Journal entries (CSV).

It knows accounts by their names (parents before a colon) while account numbers are turned off, takes days as MM/DD/YYYY
and no more than 1,000 rows of a file; a journal's rows have one number. Debit and credit are those of the business's
own books: what a wallet gained is a debit.
"""

from collections.abc import Sequence
from decimal import Decimal

from dashboard.journal_exports.formats.file import ExportFile, export_text, import_table, part_name
from dashboard.journal_exports.mapped_lines import MappedLine, journal_parts, postings

HEADINGS = (
    "JournalNo",
    "JournalDate",
    "AccountName",
    "Debits",
    "Credits",
    "Description",
    "Currency",
    "Class",
    "Location",
)
MOST_ROWS = 1000
LONGEST_TEXT = 400


def write(rows: Sequence[MappedLine], stem: str, company: str) -> list[ExportFile]:
    """As many files as it needs."""
    files = list(journal_parts(postings(rows), MOST_ROWS))
    return [
        ExportFile(
            part_name(f"{stem}-quickbooks", number, len(files), "csv"),
            import_table(HEADINGS, [_row(name, row) for name, journal in part for row in journal]),
            sum(len(journal) for _, journal in part),
        )
        for number, part in enumerate(files, start=1)
    ]


def _row(name: str, row: MappedLine) -> tuple[str | Decimal | None, ...]:
    line = row.line
    return (
        name, f"{line.effective_on:%m/%d/%Y}", row.account.name or row.account.code, line.own_debit,
        line.own_credit, export_text(line.description or line.ref, LONGEST_TEXT), line.currency, row.dimension,
        row.second_dimension,
    )  # fmt: skip
