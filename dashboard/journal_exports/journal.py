"""A line of the journal as it is exported: an entry of the ledger, and what the accountant calls what it is about."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256

from dashboard.money import Money


@dataclass(frozen=True, slots=True)
class LinePart:
    """A part of a line: minor units with the line's sign, under a category, team and tags of their own. `own_account_id` is
    the account of the ledger on which it stands in the books of the business, where that is not the line's: a tax that was
    withheld is no money of the bank's, but owed."""

    category_id: str
    amount_minor: int
    team_id: str = ""
    own_account_id: int | None = None
    tag_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JournalLine:
    """An entry of the ledger: `amount_minor` is above zero where the account's holder gained (a credit there)."""

    number: int
    effective_on: date
    posted_at: datetime
    posting_id: int
    kind: str
    ref: str
    description: str
    account_id: int
    seq: int
    account_kind: str
    account_name: str
    currency: str
    amount_minor: int
    category_id: str
    team_id: str
    tax_id: str
    tag_ids: tuple[str, ...] = ()
    parts: tuple[LinePart, ...] = ()
    own_account_id: int | None = None
    # Of a line that corrects an earlier export: the how-manieth correction of its posting; below zero it takes back, and the number of the
    # export that it corrects.
    correction: int = 0
    corrected_export: int | None = None

    @property
    def amount(self) -> Decimal:
        """In the currency's units, with its digits."""
        return Money(self.amount_minor, self.currency).amount

    @property
    def debit(self) -> Decimal | None:
        """The ledger's debit, as the trial balance has it; None for a credit."""
        return -self.amount if self.amount_minor < 0 else None

    @property
    def credit(self) -> Decimal | None:
        """The ledger's credit; None for a debit."""
        return self.amount if self.amount_minor > 0 else None

    @property
    def own_debit(self) -> Decimal | None:
        """The debit in the books of the business, where a wallet is an asset: what the wallet gained."""
        return self.credit

    @property
    def own_credit(self) -> Decimal | None:
        """The credit in the books of the business: what the wallet lost."""
        return self.debit

    @property
    def canonical(self) -> str:
        """The line as the service hashes it."""
        return ";".join(
            str(part)
            for part in (
                self.number, self.effective_on, self.posting_id, self.account_id, self.seq, self.currency,
                self.amount_minor, self.category_id, self.team_id, self.tax_id,
                ",".join(self.tag_ids), *self._parts_text(),
            )
        )  # fmt: skip

    def _parts_text(self) -> list[str]:
        texts = (
            f"{part.category_id}:{part.amount_minor}:{part.team_id}:{part.own_account_id or ''}:{'+'.join(part.tag_ids)}"
            for part in self.parts
        )
        return [",".join(texts)] if self.parts else []

    def by_part(self) -> list["JournalLine"]:
        """The line once for each of its parts, under the same number: together they are the line. Itself where it is whole."""
        if not self.parts:
            return [self]
        return [
            replace(
                self, amount_minor=part.amount_minor, category_id=part.category_id, team_id=part.team_id,
                tag_ids=part.tag_ids, own_account_id=part.own_account_id, parts=(),
            )
            for part in self.parts
        ]  # fmt: skip


def journal_digest(lines: Iterable[JournalLine]) -> str:
    """The hash of the lines, as the service made it when they were claimed."""
    running = sha256()
    for line in lines:
        running.update(f"{line.canonical}\n".encode())
    return running.hexdigest()


def imbalance(lines: Iterable[JournalLine]) -> dict[str, int]:
    """What the lines come to in each currency where that is not nothing, in minor units: {} for a journal that is whole."""
    sums: Counter[str] = Counter()
    for line in lines:
        sums[line.currency] += line.amount_minor
    return {currency: minor for currency, minor in sums.items() if minor}
