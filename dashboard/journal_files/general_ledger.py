"""The general ledger of a period as the service sends it: saved as a file, and read from there entry by entry."""

import csv
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.http import Download
from dashboard.client.reads import read_live
from dashboard.errors import BadAnswer
from dashboard.journal_exports.ledger import PeriodEntry
from dashboard.spreadsheet import unmarked

# A million entries take their time. Tried once: what breaks off is begun anew by the export that it is for, under a new lease.
DOWNLOAD_S = 1800.0
BY_ACCOUNT, BY_POSTING = "account", "posting"
COLUMNS = [
    "effective_on", "posted_at", "account_id", "account_kind", "account_name", "currency", "transaction_id", "ref",
    "type", "description", "debit", "credit",
]  # fmt: skip


def download_ledger(
    actor: Actor, period: str, order: str, path: Path, on_bytes: Callable[[int], None], deadline: float = DOWNLOAD_S
) -> None:
    """Saves every entry of the period, all of one moment, in the order BY_ACCOUNT or BY_POSTING, within so many seconds;
    `on_bytes` hears how much there is by now. Raises the FinanceError tree, and whatever `on_bytes` raises."""
    read_live(
        actor, operations_extra.DOWNLOAD_GENERAL_LEDGER, path={"period": period}, query={"order": order},
        deadline=deadline, tries=1, download=Download(path, on_bytes),
    )  # fmt: skip


def ledger_entries(path: Path) -> Iterator[PeriodEntry]:
    """The entries of a saved ledger, one after the other, their texts without the marks that keep a spreadsheet from running
    them: our files mark them again, each in its own way. BadAnswer for a file that is none of this kind."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file, strict=True)
            if next(rows, None) != COLUMNS:
                raise BadAnswer("The finance service sent a general ledger with other columns.", code="columns")
            for day, posted, account, kind, name, currency, posting, ref, type_, text, debit, credit in rows:
                yield PeriodEntry(
                    date.fromisoformat(day), datetime.fromisoformat(posted), int(account), kind, unmarked(name), currency,
                    int(posting), unmarked(ref), type_, unmarked(text), _amount(debit), _amount(credit),
                )  # fmt: skip
    except (ValueError, InvalidOperation, csv.Error):
        raise BadAnswer("The finance service sent a general ledger that cannot be read.", code="unreadable") from None


def _amount(cell: str) -> Decimal | None:
    return Decimal(cell) if cell else None
