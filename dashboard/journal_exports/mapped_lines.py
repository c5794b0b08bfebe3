"""Lines of the journal with what the accountant calls them: by account of theirs, and posting by posting for their packages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby

from dashboard.journal_exports.journal import JournalLine
from dashboard.journal_exports.models import MappedType

# The other side of what enters and leaves a wallet: what a posting is filed under says more of it than the account.
CONTRA_KINDS = frozenset({"BANK_FLOAT", "MOBILE_FLOAT", "CARD_FLOAT"})


# The tax of lines that have none: packages that want a tax on each line are given this one.
NO_TAX = "none"


@dataclass(frozen=True, slots=True)
class MappedCode:
    """What the accountant calls something: a code, and the name of an account."""

    code: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class MappedLine:
    """A line with what the accountant calls it; `account` is that of the account on which it stands in the books of the
    business, and of the category where it is on the other side of a wallet and its category is mapped. `tax` and `dimension` are "" where nothing was said; `tags` are the codes of its
    tags, those that are mapped, by the alphabet."""

    line: JournalLine
    account: MappedCode
    tax: str
    dimension: str
    tags: tuple[str, ...] = ()

    @property
    def second_dimension(self) -> str:
        """The first of its tags, for what takes one; "" without one."""
        return self.tags[0] if self.tags else ""


class Mappings:
    """What is mapped to what: by the source and the id of ours."""

    def __init__(self, targets: Mapping[tuple[str, str], MappedCode]) -> None:
        self._targets = targets

    @classmethod
    def from_json(cls, stored: Mapping[str, Mapping[str, Sequence[str]]]) -> "Mappings":
        """The mapping that `as_json` made JSON of."""
        return cls(
            {
                (source, source_id): MappedCode(*values)
                for source, targets in stored.items()
                for source_id, values in targets.items()
            }
        )

    def as_json(self) -> dict[str, dict[str, list[str]]]:
        """Per source: the id of ours to [code, name]."""
        stored: dict[str, dict[str, list[str]]] = {source: {} for source in MappedType.values}
        for (source, source_id), target in self._targets.items():
            stored[source][source_id] = [target.code, target.name]
        return stored

    def digest(self, source: str) -> str:
        """The hash of what is mapped of a source: another one once anything of it was changed."""
        rows = sorted(
            (source_id, target.code, target.name) for (of, source_id), target in self._targets.items() if of == source
        )
        return sha256(repr(rows).encode()).hexdigest()

    def target(self, source: str, source_id: str) -> MappedCode | None:
        """What one of ours is called; None where nobody has said."""
        return self._targets.get((source, source_id))

    def map(self, journal_line: JournalLine) -> MappedLine:
        """The line with what is known of it; codes that nobody has said are ""."""
        account = self.target(MappedType.ACCOUNT, str(journal_line.own_account_id or journal_line.account_id))
        # What stands on another account than the ledger's has a category only where that is across from a wallet.
        if journal_line.category_id and (journal_line.account_kind in CONTRA_KINDS or journal_line.own_account_id):
            account = self.target(MappedType.CATEGORY, journal_line.category_id) or account
        tax = self.target(MappedType.TAX, journal_line.tax_id or NO_TAX)
        team = self.target(MappedType.TEAM, journal_line.team_id) if journal_line.team_id else None
        tags = {target.code for tag_id in journal_line.tag_ids if (target := self.target(MappedType.TAG, tag_id))}
        return MappedLine(
            journal_line,
            account or MappedCode(""),
            tax.code if tax else "",
            team.code if team else "",
            tuple(sorted(tags)),
        )


def mapped_lines(
    lines: Iterable[JournalLine], mappings: Mappings, exported: Mapping[int, Mappings]
) -> Iterator[MappedLine]:
    """Each part of each line with what it is called: what takes back as the export of that number called it, and anything
    else as it is called now. What that export had no code for it cannot have written into a package: it is called as now."""
    for part in (part for line in lines for part in line.by_part()):
        earlier = exported.get(part.corrected_export or 0) if part.correction < 0 else None
        row = (earlier or mappings).map(part)
        yield row if row.account.code else mappings.map(part)


@dataclass(frozen=True, slots=True)
class AccountTotal:
    """What an account moved in an export under one of the accountant's codes, by the ledger's sides and in minor units."""

    account_id: int
    kind: str
    name: str
    code: str
    currency: str
    debit_minor: int
    credit_minor: int
    line_count: int


def account_totals(rows: Iterable[MappedLine], names: Mapping[int, str]) -> list[AccountTotal]:
    """What the lines come to per account of the ledger and code of the accountant, as the files have them; `names` are
    those of accounts by their id."""
    groups: dict[tuple[str, str, int, str], list[JournalLine]] = {}
    for row in rows:
        line = row.line
        groups.setdefault((line.currency, line.account_kind, line.account_id, row.account.code), []).append(line)
    return [
        AccountTotal(
            account_id, kind, names.get(account_id, ""), code, currency,
            -sum(line.amount_minor for line in lines if line.amount_minor < 0),
            sum(line.amount_minor for line in lines if line.amount_minor > 0),
            len({(line.number, line.seq) for line in lines}),
        )
        for (currency, kind, account_id, code), lines in sorted(groups.items())
    ]  # fmt: skip


def postings(lines: Iterable[MappedLine]) -> Iterator[tuple[str, list[MappedLine]]]:
    """The lines by posting and, where one has several currencies, by currency: each comes to nothing. With a name for the
    journal of the package: the number of the posting, with that of its correction where it is one, and the currency where it
    has several."""
    for posting_id, group in groupby(lines, lambda row: row.line.posting_id):
        rows = list(group)
        correction = max(abs(row.line.correction) for row in rows)
        number = f"{posting_id}-R{correction}" if correction else str(posting_id)
        currencies = sorted({row.line.currency for row in rows})
        for currency in currencies:
            name = f"{number}-{currency}" if len(currencies) > 1 else number
            yield name, [row for row in rows if row.line.currency == currency]


def journal_parts(
    journals: Iterable[tuple[str, list[MappedLine]]], most: int
) -> Iterator[list[tuple[str, list[MappedLine]]]]:
    """Journals as many at once as have no more lines than that. A longer journal becomes several, each of which comes to
    nothing; only one that cannot be cut so has more lines."""
    part: list[tuple[str, list[MappedLine]]] = []
    count = 0
    for name, rows in (cut for journal in journals for cut in _cut(*journal, most)):
        if part and count + len(rows) > most:
            yield part
            part, count = [], 0
        part.append((name, rows))
        count += len(rows)
    if part:
        yield part


def _cut(name: str, rows: list[MappedLine], most: int) -> Iterator[tuple[str, list[MappedLine]]]:
    """A journal, or the pieces of one that is longer than that: what was paid and where it went stay together.
    Its rows are of one currency, as those of `postings` are."""
    if len(rows) <= most:
        yield name, rows
        return
    waiting: dict[tuple[str, int], list[MappedLine]] = {}
    pairs: list[list[MappedLine]] = []
    for row in rows:
        others = waiting.get((row.line.description, -row.line.amount_minor))
        if others:
            pairs.append([others.pop(0), row])
        else:
            waiting.setdefault((row.line.description, row.line.amount_minor), []).append(row)
    rest = [row for others in waiting.values() for row in others]
    pieces: list[list[MappedLine]] = [rest] if rest else []
    for pair in pairs:
        if not pieces or len(pieces[-1]) + len(pair) > most:
            pieces.append([])
        pieces[-1] += pair
    for number, piece in enumerate(pieces, start=1):
        yield f"{name}/{number}", sorted(piece, key=lambda row: row.line.number)
