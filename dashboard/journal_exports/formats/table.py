"""The columns of the journal for people: CSV and Excel. Debit and credit are the ledger's, as in the trial balance."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

from dashboard.journal_exports.mapped_lines import MappedLine

HEADINGS = (
    "Line", "Date", "Posted at (UTC)", "Posting", "Type", "Reference", "Description", "Ledger account", "Account kind",
    "Account", "Accountant's code", "Accountant's account", "Tax code", "Dimension", "Tags", "Currency", "Debit", "Credit",
)  # fmt: skip
Cell = str | int | Decimal | date | datetime | None


def cells(row: MappedLine) -> tuple[Cell, ...]:
    """A line as cells, in the order of HEADINGS."""
    line = row.line
    return (
        line.number, line.effective_on, line.posted_at, line.posting_id, line.kind, line.ref, line.description,
        line.account_id, line.account_kind, line.account_name, row.account.code, row.account.name, row.tax,
        row.dimension, ", ".join(row.tags), line.currency, line.debit, line.credit,
    )  # fmt: skip


def summary(rows: Sequence[MappedLine]) -> list[tuple[str, str]]:
    """What stands below the lines: how many, and debit and credit of each currency."""
    below = [("Lines", str(len(rows)))]
    for currency in sorted({row.line.currency for row in rows}):
        own = [row.line for row in rows if row.line.currency == currency]
        debit = sum((line.debit for line in own if line.debit is not None), Decimal(0))
        credit = sum((line.credit for line in own if line.credit is not None), Decimal(0))
        below.append((f"Sums of {currency}", f"debit {debit:,}, credit {credit:,}"))
    return below
