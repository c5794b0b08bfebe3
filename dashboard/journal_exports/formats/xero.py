"""Xero: Accounting → Manual journals → Import (CSV).

Rows with the same narration and day are one journal; days are dd/mm/yyyy, a file has up to 300 rows, an amount above
zero is a debit of the business's own books. Each row names a tax rate by its full name. There is no column for a
currency: each has files of its own, which belong to the organisation that keeps its books in it.
"""

from collections.abc import Sequence
from decimal import Decimal

from dashboard.journal_exports.formats.file import ExportFile, export_text, import_table, part_name
from dashboard.journal_exports.mapped_lines import MappedLine, journal_parts, postings

HEADINGS = (
    "*Narration", "*Date", "Description", "*AccountCode", "*TaxRate", "*Amount", "TrackingName1", "TrackingOption1",
    "TrackingName2", "TrackingOption2",
)  # fmt: skip
MOST_ROWS = 300
LONGEST_TEXT = 400
NO_TAX_RATE = "Tax Exempt"
# What Xero calls the two dimensions: an organisation has tracking categories of its own naming.
TRACKING, TAGGED = "Team", "Tag"


def write(rows: Sequence[MappedLine], stem: str, company: str) -> list[ExportFile]:
    """The files of each currency."""
    written = []
    for currency in sorted({row.line.currency for row in rows}):
        files = list(journal_parts(postings([row for row in rows if row.line.currency == currency]), MOST_ROWS))
        for number, part in enumerate(files, start=1):
            table = import_table(HEADINGS, [_row(name, row) for name, journal in part for row in journal])
            name = part_name(f"{stem}-xero-{currency}", number, len(files), "csv")
            written.append(ExportFile(name, table, sum(len(journal) for _, journal in part)))
    return written


def _row(name: str, row: MappedLine) -> tuple[str | Decimal | None, ...]:
    line = row.line
    tracking = (TRACKING, row.dimension) if row.dimension else ("", "")
    tagged = (TAGGED, row.second_dimension) if row.tags else ("", "")
    return (
        f"Posting {name}", f"{line.effective_on:%d/%m/%Y}", export_text(line.description or line.ref, LONGEST_TEXT),
        row.account.code, row.tax or NO_TAX_RATE, line.amount, *tracking, *tagged,
    )  # fmt: skip
