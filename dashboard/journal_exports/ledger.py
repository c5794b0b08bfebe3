"""Entries of the general ledger of a period, in the currency's units, and what they come to."""

from collections.abc import Callable, Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

GOES_ON_AFTER = 5_000


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

    entry_count: int
    by_currency: dict[str, Sides]
    by_account: dict[int, Sides]


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
