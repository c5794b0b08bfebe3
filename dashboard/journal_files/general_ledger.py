"""The general ledger of a period as the service sends it: saved as a file, and read from there entry by entry."""

import csv
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import NamedTuple

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.http import Download
from dashboard.client.reads import read_live
from dashboard.errors import BadAnswer

# A million entries take their time.
DOWNLOAD_S = 1800.0
GOES_ON_AFTER = 5_000
BY_ACCOUNT, BY_POSTING = "account", "posting"
COLUMNS = [
    "effective_on", "posted_at", "account_id", "account_kind", "account_name", "currency", "transaction_id", "ref",
    "type", "description", "debit", "credit",
]  # fmt: skip
# What the service puts a quote before, so that no spreadsheet runs it: our files mark it again, each in its own way.
MARKED = ("'=", "'+", "'-", "'@")


class LedgerEntry(NamedTuple):
    """An entry of the ledger in the currency's units: either a debit or a credit."""

    effective_on: date
    posted_at: datetime
    account_id: int
    account_kind: str
    account_name: str
    currency: str
    posting_id: int
    ref: str
    kind: str
    description: str
    debit: Decimal | None
    credit: Decimal | None


class Sides(NamedTuple):
    """What debits and credits come to."""

    debit: Decimal
    credit: Decimal

    def plus(self, entry: LedgerEntry) -> "Sides":
        """With an entry more."""
        return Sides(self.debit + (entry.debit or 0), self.credit + (entry.credit or 0))


NOTHING = Sides(Decimal(0), Decimal(0))


class LedgerSums(NamedTuple):
    """How many entries there are, and what they come to by currency and by account."""

    count: int
    by_currency: dict[str, Sides]
    by_account: dict[int, Sides]


def download_ledger(actor: Actor, period: str, order: str, path: Path, on_bytes: Callable[[int], None]) -> None:
    """Saves every entry of the period, all of one moment, in the order BY_ACCOUNT or BY_POSTING; `on_bytes` hears how much there
    is by now. Raises the FinanceError tree, and whatever `on_bytes` raises."""
    read_live(
        actor, operations_extra.DOWNLOAD_GENERAL_LEDGER, path={"period": period}, query={"order": order},
        deadline=DOWNLOAD_S, download=Download(path, on_bytes),
    )  # fmt: skip


def ledger_entries(path: Path) -> Iterator[LedgerEntry]:
    """The entries of a saved ledger, one after the other; BadAnswer for a file that is none of this kind."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file, strict=True)
            if next(rows, None) != COLUMNS:
                raise BadAnswer("The finance service sent a general ledger with other columns.", code="columns")
            for day, posted, account, kind, name, currency, posting, ref, type_, text, debit, credit in rows:
                yield LedgerEntry(
                    date.fromisoformat(day), datetime.fromisoformat(posted), int(account), kind, _text(name), currency,
                    int(posting), _text(ref), type_, _text(text), _amount(debit), _amount(credit),
                )  # fmt: skip
    except (ValueError, InvalidOperation, csv.Error):
        raise BadAnswer("The finance service sent a general ledger that cannot be read.", code="unreadable") from None


def ledger_sums(entries: Iterable[LedgerEntry], go_on: Callable[[], None]) -> LedgerSums:
    """What the entries come to; none of them stays in memory. `go_on` is called again and again meanwhile."""
    count = 0
    by_currency: dict[str, Sides] = {}
    by_account: dict[int, Sides] = {}
    for entry in entries:
        count += 1
        if count % GOES_ON_AFTER == 0:
            go_on()
        by_currency[entry.currency] = by_currency.get(entry.currency, NOTHING).plus(entry)
        by_account[entry.account_id] = by_account.get(entry.account_id, NOTHING).plus(entry)
    return LedgerSums(count, by_currency, by_account)


def _text(cell: str) -> str:
    return cell[1:] if cell.startswith(MARKED) else cell


def _amount(cell: str) -> Decimal | None:
    return Decimal(cell) if cell else None
