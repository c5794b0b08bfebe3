"""Entries of the general ledger of a period, in the currency's units, and what they come to."""

from collections.abc import Callable, Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

GOES_ON_AFTER = 5_000


class EntryPart(NamedTuple):
    """A part of an entry under a category and a team ("" for none), on the side of the entry, in the currency's units."""

    category_id: str
    team_id: str
    amount: Decimal


class EntryTax(NamedTuple):
    """What of an entry is of a withholding tax, on the side of the entry, in the currency's units."""

    tax_id: str
    amount: Decimal


class EntryCodes(NamedTuple):
    """What an entry is filed under ("" for nothing), in parts where it is of several, and its taxes."""

    category_id: str
    team_id: str
    parts: tuple[EntryPart, ...]
    taxes: tuple[EntryTax, ...]


class PeriodEntry(NamedTuple):
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

    @property
    def amount(self) -> Decimal:
        """The amount of its debit or its credit, in the currency's units; never below zero."""
        return self.debit if self.debit is not None else self.credit or Decimal(0)


class DebitAndCredit(NamedTuple):
    """What debits and credits come to."""

    debit: Decimal
    credit: Decimal

    def plus(self, period_entry: PeriodEntry) -> "DebitAndCredit":
        """What debits and credits come to with the amounts of one entry more, in its currency's units."""
        return DebitAndCredit(self.debit + (period_entry.debit or 0), self.credit + (period_entry.credit or 0))


NO_ENTRIES = DebitAndCredit(Decimal(0), Decimal(0))


class LedgerSums(NamedTuple):
    """How many entries there are, and what they come to by currency and by account."""

    entry_count: int
    by_currency: dict[str, DebitAndCredit]
    by_account: dict[int, DebitAndCredit]


def ledger_sums(entries: Iterable[PeriodEntry], go_on: Callable[[], None]) -> LedgerSums:
    """What the entries come to; none of them stays in memory. `go_on` is called again and again meanwhile."""
    count = 0
    by_currency: dict[str, DebitAndCredit] = {}
    by_account: dict[int, DebitAndCredit] = {}
    for entry in entries:
        count += 1
        if count % GOES_ON_AFTER == 0:
            go_on()
        by_currency[entry.currency] = by_currency.get(entry.currency, NO_ENTRIES).plus(entry)
        by_account[entry.account_id] = by_account.get(entry.account_id, NO_ENTRIES).plus(entry)
    return LedgerSums(count, by_currency, by_account)
