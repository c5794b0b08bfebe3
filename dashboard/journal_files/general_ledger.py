"""The general ledger of a period as the service sends it: saved as a file, and read from there entry by entry."""

import csv
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.client.http import Download
from dashboard.client.reads import read_live
from dashboard.errors import BadAnswer
from dashboard.journal_exports.ledger import EntryCodes, EntryPart, EntryTax, PeriodEntry
from dashboard.money import Money
from dashboard.spreadsheet import unmarked

# A million entries take their time. Tried once: what breaks off is begun anew by the export that it is for, under a new lease.
DOWNLOAD_S = 1800.0
BY_ACCOUNT, BY_POSTING = "account", "posting"
COLUMNS = [
    "effective_on", "posted_at", "account_id", "account_kind", "account_name", "currency", "transaction_id", "ref",
    "type", "description", "debit", "credit",
]  # fmt: skip
CODES = ["subcategory_id", "team_id", "parts", "taxes"]
NO_CODES = EntryCodes("", "", (), ())


def download_ledger(
    actor: Actor,
    period: str,
    order: str,
    path: Path,
    on_bytes: Callable[[int], None],
    deadline: float = DOWNLOAD_S,
    *,
    with_codes: bool = False,
) -> None:
    """Saves every entry of the period, all of one moment, in the order BY_ACCOUNT or BY_POSTING, within so many seconds, with
    its codes where that is asked for; `on_bytes` hears how much there is by now. Raises the FinanceError tree, and whatever
    `on_bytes` raises."""
    query = {"order": order, **({"codes": "true"} if with_codes else {})}
    read_live(
        actor,
        operations_accounting.DOWNLOAD_GENERAL_LEDGER,
        path={"period": period},
        query=query,
        deadline=deadline,
        tries=1,
        download=Download(path, on_bytes),
    )


def ledger_entries(path: Path) -> Iterator[PeriodEntry]:
    """The entries of a saved ledger, one after the other; BadAnswer for a file that is none of this kind."""
    return (entry for entry, _ in coded_entries(path))


def coded_entries(path: Path) -> Iterator[tuple[PeriodEntry, EntryCodes]]:
    """The same with the codes of each (none where the ledger was saved without them), their texts without the marks that keep
    a spreadsheet from running them: our files mark them again, each in its own way."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file, strict=True)
            if next(rows, None) not in (COLUMNS, [*COLUMNS, *CODES]):
                raise BadAnswer("The finance service sent a general ledger with other columns.", code="columns")
            for day, posted, account, kind, name, currency, posting, ref, type_, text, debit, credit, *codes in rows:
                yield PeriodEntry(
                    date.fromisoformat(day), datetime.fromisoformat(posted), int(account), kind, unmarked(name), currency,
                    int(posting), unmarked(ref), type_, unmarked(text), _amount(debit), _amount(credit),
                ), _codes(codes, currency, is_debit=bool(debit))  # fmt: skip
    except (ValueError, InvalidOperation, csv.Error):
        raise BadAnswer("The finance service sent a general ledger that cannot be read.", code="unreadable") from None


def _codes(cells: Sequence[str], currency: str, *, is_debit: bool) -> EntryCodes:
    """The last columns, whose minor units have the sign of a credit."""
    if not any(cells):
        return NO_CODES
    category_id, team_id, parts, taxes = cells
    sign = -1 if is_debit else 1

    def amount(minor: str) -> Decimal:
        return Money(sign * int(minor), currency).amount

    of_parts = (part.split(":") for part in parts.split(",") if part)
    of_taxes = (tax.split(":") for tax in taxes.split(",") if tax)
    return EntryCodes(
        category_id,
        team_id,
        tuple(EntryPart(category, team, amount(minor)) for category, minor, team, _, _ in of_parts),
        tuple(EntryTax(tax_id, amount(minor)) for tax_id, minor in of_taxes),
    )


def _amount(cell: str) -> Decimal | None:
    return Decimal(cell) if cell else None
