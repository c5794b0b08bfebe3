"""Sage 50: File → Import → Audit trail transactions (CSV).

JD is a debit and JC a credit of the business's own books; days are dd/mm/yyyy, a reference has up to 30 characters and
the details up to 60. Amounts are in the company's currency: each currency has a file of its own.
"""

from collections.abc import Sequence
from decimal import Decimal

from dashboard.journal_exports.formats.file import ExportFile, export_text, import_table
from dashboard.journal_exports.mapped_lines import MappedLine, postings

HEADINGS = (
    "Type", "Account Reference", "Nominal A/C Ref", "Department Code", "Date", "Reference", "Details", "Net Amount",
    "Tax Code", "Tax Amount",
)  # fmt: skip
LONGEST_REFERENCE, LONGEST_DETAILS = 30, 60
NO_TAX_CODE = "T9"


def write(rows: Sequence[MappedLine], stem: str, company: str) -> list[ExportFile]:
    """The journal for Sage: a file for each currency."""
    written = []
    for currency in sorted({row.line.currency for row in rows}):
        own = [row for row in rows if row.line.currency == currency]
        table = import_table(HEADINGS, [_row(name, row) for name, journal in postings(own) for row in journal])
        written.append(ExportFile(f"{stem}-sage-{currency}.csv", table, len(own)))
    return written


def _row(name: str, row: MappedLine) -> tuple[str | Decimal | None, ...]:
    line = row.line
    is_debit = line.own_debit is not None
    return (
        "JD" if is_debit else "JC", "", row.account.code, row.dimension, f"{line.effective_on:%d/%m/%Y}",
        f"Posting {name}"[:LONGEST_REFERENCE], export_text(line.description or line.ref, LONGEST_DETAILS),
        line.own_debit if is_debit else line.own_credit, row.tax or NO_TAX_CODE, line.amount * 0,
    )  # fmt: skip
