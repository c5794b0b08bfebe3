"""ERPNext: Data Import of the document type Journal Entry, inserting new records (CSV).

The fields of an entry stand in its first row alone, its accounts in the rows below. An account is named as ERPNext does,
with its number and the company's abbreviation ("1110 - Cash - AC"): that is the accountant's account here. Days are
ISO; debit and credit are those of the business's own books, in the currency of the account. Every entry allows accounts
in other currencies than the company's: without that it is refused. Their rate is left to ERPNext, which takes the one it
has of the posting's day.
"""

from collections.abc import Sequence
from decimal import Decimal

from dashboard.journal_exports.formats.file import ExportFile, export_text, import_table
from dashboard.journal_exports.mapped_lines import MappedLine, postings

OF_ENTRY = (
    "Entry Type", "Company", "Posting Date", "Reference Number", "Reference Date", "User Remark", "Multi Currency",
)  # fmt: skip
OF_ACCOUNT = tuple(
    f"{name} (Accounting Entries)"
    for name in ("Account", "Account Currency", "Debit", "Credit", "Cost Center", "Project", "User Remark")
)
LONGEST_TEXT = 140


def write(rows: Sequence[MappedLine], stem: str, company: str) -> list[ExportFile]:
    """One file with every posting as an entry."""
    table = [
        _row(company, name if place == 0 else "", row)
        for name, journal in postings(rows)
        for place, row in enumerate(journal)
    ]
    return [ExportFile(f"{stem}-erpnext.csv", import_table((*OF_ENTRY, *OF_ACCOUNT), table), len(rows))]


def _row(company: str, name: str, row: MappedLine) -> tuple[str | Decimal | None, ...]:
    line, day = row.line, row.line.effective_on.isoformat()
    remark = export_text(line.description or line.ref, LONGEST_TEXT)
    entry = ("Journal Entry", company, day, f"Posting {name}", day, remark, "1")
    return (
        *(entry if name else ("",) * len(OF_ENTRY)), row.account.name or row.account.code, line.currency,
        line.own_debit, line.own_credit, row.dimension, row.second_dimension, remark,
    )  # fmt: skip
