"""Which entries bank lines may be, of lines and entries that are given: by reference, by stored rules, by amount and day, several
as a sum, and less a fee.

Each with its reason. One that is the only one is certain; the others are for a person. Nothing is proposed twice.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import combinations
from math import comb
from typing import TypeVar

from service.accounting.bank_rules import is_of
from service.accounting.matches import Pairing
from service.accounting.models import BankRule, MatchedBy, StatementLine
from service.ledger.models import LedgerEntry

T = TypeVar("T")
DAYS_APART = timedelta(days=5)
NEAR = [timedelta(days=days) for days in range(-DAYS_APART.days, DAYS_APART.days + 1)]
SHORTEST_REFERENCE = 4
# Sums of several are looked for among so many, since their number doubles with each; and so many sums in all.
MOST_SUMMANDS, MOST_OF_A_SUM, MOST_SUMS = 14, 4, 3_000_000


@dataclass(frozen=True, slots=True)
class Unsearched:
    """The lines for which no sum of entries was looked for, and the entries for which none of lines was, since too many lie near
    them; those alone that nothing was suggested for in another way."""

    lines: list[StatementLine]
    entries: list[LedgerEntry]


class OpenSides:
    """What nothing was proposed for yet: entries by amount and day, and lines in their order; how many of each direction there are
    on each day, and how many sums may still be tried."""

    def __init__(self, lines: Sequence[StatementLine], entries: Sequence[LedgerEntry]) -> None:
        self.lines = {line.id: line for line in lines}
        self.entries = {entry.seq: entry for entry in entries}
        self._by_amount: dict[tuple[int, object], list[LedgerEntry]] = defaultdict(list)
        self._by_day: dict[object, list[LedgerEntry]] = defaultdict(list)
        for entry in entries:
            self._by_amount[entry.amount, entry.transaction.effective_on].append(entry)
            self._by_day[entry.transaction.effective_on].append(entry)
        self._sorted = {day: sorted(rows, key=lambda row: (row.amount, row.seq)) for day, rows in self._by_day.items()}
        self._lines_by_day: dict[object, list[StatementLine]] = defaultdict(list)
        for line in lines:
            self._lines_by_day[line.day].append(line)
        self._line_counts = Counter((line.day, line.amount_minor > 0) for line in lines)
        self._entry_counts = Counter((entry.transaction.effective_on, entry.amount > 0) for entry in entries)
        self._sums_left = MOST_SUMS

    def of_amount(self, line: StatementLine) -> list[LedgerEntry]:
        """Entries of the line's amount within days of it."""
        by_day = (self._by_amount.get((line.amount_minor, line.day + apart), []) for apart in NEAR)
        return [entry for rows in by_day for entry in rows if entry.seq in self.entries]

    def near(self, line: StatementLine, apart: Sequence[timedelta] = NEAR) -> list[LedgerEntry]:
        """Entries in the direction of the line within days of it."""
        entries = (entry for days in apart for entry in self._by_day.get(line.day + days, []))
        return [e for e in entries if e.seq in self.entries and (e.amount > 0) == (line.amount_minor > 0)]

    def entry_count(self, line: StatementLine) -> int:
        """How many entries in the direction of the line are within days of it."""
        return sum(self._entry_counts[line.day + apart, line.amount_minor > 0] for apart in NEAR)

    def line_count(self, entry: LedgerEntry) -> int:
        """How many lines in the direction of the entry are within days of it."""
        return sum(self._line_counts[entry.transaction.effective_on + apart, entry.amount > 0] for apart in NEAR)

    def lines_near(self, entry: LedgerEntry) -> list[StatementLine]:
        """Lines in the direction of the entry within days of it, by their days."""
        by_day = (self._lines_by_day.get(entry.transaction.effective_on + apart, []) for apart in NEAR)
        lines = (line for rows in by_day for line in rows if line.id in self.lines)
        return [line for line in lines if (line.amount_minor > 0) == (entry.amount > 0)]

    def may_search(self, count: int) -> bool:
        """Whether the sums of so many are looked for; those that are count towards what may be tried."""
        if count > MOST_SUMMANDS:
            return False
        sums = sum(comb(count, size) for size in range(2, MOST_OF_A_SUM + 1))
        if sums > self._sums_left:
            return False
        self._sums_left -= sums
        return True

    def within(self, line: StatementLine, tolerance: int) -> list[LedgerEntry]:
        """Entries of nearly the line's amount within days of it."""
        entries = []
        for apart in NEAR:
            rows = self._sorted.get(line.day + apart, [])
            first = bisect_left(rows, line.amount_minor - tolerance, key=lambda row: row.amount)
            last = bisect_right(rows, line.amount_minor + tolerance, key=lambda row: row.amount)
            entries += [
                e for e in rows[first:last] if e.seq in self.entries and (e.amount > 0) == (line.amount_minor > 0)
            ]
        return entries

    def take(self, pairing: Pairing) -> Pairing:
        """Neither of these is proposed again."""
        for line in pairing.lines:
            del self.lines[line.id]
            self._line_counts[line.day, line.amount_minor > 0] -= 1
        for entry in pairing.entries:
            del self.entries[entry.seq]
            self._entry_counts[entry.transaction.effective_on, entry.amount > 0] -= 1
        return pairing


def propose(
    lines: Sequence[StatementLine], entries: Sequence[LedgerEntry], rules: Sequence[BankRule] = (), tolerance: int = 0
) -> list[Pairing]:
    """What the lines may be, the surest first."""
    return possible_pairings(lines, entries, rules, tolerance)[0]


def possible_pairings(
    lines: Sequence[StatementLine], entries: Sequence[LedgerEntry], rules: Sequence[BankRule] = (), tolerance: int = 0
) -> tuple[list[Pairing], Unsearched]:
    """What the lines may be, the surest first, and where no sums were looked for."""
    free = OpenSides(lines, entries)
    pairings = single_pairings(free, rules)
    of_lines, lines_left = _entries_of_line(free)
    of_entries, entries_left = _lines_of_entry(free)
    pairings += [*of_lines, *of_entries]
    if tolerance:
        pairings += _less_fees(free, tolerance)
    return pairings, Unsearched(
        [line for line in lines_left if line.id in free.lines], [row for row in entries_left if row.seq in free.entries]
    )


def single_pairings(free: OpenSides, rules: Sequence[BankRule]) -> list[Pairing]:
    """A line and an entry of just its amount: by reference, by rule, by day."""
    pairings = [*_pairs(free, MatchedBy.REFERENCE, _by_reference, "The reference and the amount are the same")]
    for rule in rules:
        reason = f"By the rule “{rule.name}”: {rule.kind} of the same amount"
        pairings += _pairs(free, MatchedBy.RULE, partial(_by_rule, rule), reason)
    pairings += _pairs(free, MatchedBy.DAY, _by_day, "The amount is the same, the day the same or within five")
    return pairings


def _pairs(
    free: OpenSides,
    matched_by: MatchedBy,
    fits: Callable[[StatementLine, Sequence[LedgerEntry]], Sequence[LedgerEntry]],
    reason: str,
) -> Iterator[Pairing]:
    rivals, claims = Counter[int](), Counter[int]()
    choices: dict[str, int] = {}
    for line in free.lines.values():
        rivals[line.amount_minor] += 1
        fitting = fits(line, free.of_amount(line))
        claims.update(entry.seq for entry in fitting)
        choices[line.id] = len(fitting)
    for line in [line for line in free.lines.values() if choices[line.id]]:
        same = free.of_amount(line)
        fitting = fits(line, same)
        if len(fitting) == 1:
            nothing_else = choices[line.id] == 1 == claims[fitting[0].seq]
            certain = rivals[line.amount_minor] == 1 == len(same) if matched_by == MatchedBy.DAY else nothing_else
            yield free.take(Pairing([line], fitting, matched_by, reason, certain))


def _by_reference(line: StatementLine, entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """Those that name the line's reference as a whole word, or whose reference the line names."""
    reference, words = line.reference.casefold(), f"{line.reference} {line.description}".casefold().split()
    named = re.compile(rf"(?<![\w/-]){re.escape(reference)}(?![\w/-])") if _is_reference(reference) else None
    return [
        entry
        for entry in entries
        if (named and named.search(_words(entry))) or (_is_reference(own := _own_reference(entry)) and own in words)
    ]


def _is_reference(text: str) -> bool:
    """Whether a text can tell one payment from others: a mere word, or a short number, cannot."""
    return len(text) >= SHORTEST_REFERENCE and any(letter.isdigit() for letter in text)


def _words(entry: LedgerEntry) -> str:
    return f"{entry.transaction.external_ref} {entry.note or entry.transaction.description}".casefold()


def _own_reference(entry: LedgerEntry) -> str:
    return entry.transaction.external_ref.split(":")[-1].casefold()


def _by_rule(bank_rule: BankRule, line: StatementLine, entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    return [entry for entry in entries if entry.transaction.kind == bank_rule.kind] if is_of(bank_rule, line) else []


def _by_day(line: StatementLine, entries: Sequence[LedgerEntry]) -> Sequence[LedgerEntry]:
    """Those on the very day; where there are none, those within five."""
    return [entry for entry in entries if entry.transaction.effective_on == line.day] or entries


def _entries_of_line(free: OpenSides) -> tuple[list[Pairing], list[StatementLine]]:
    """A line that is the sum of the day's entries of a kind, or of a few near it, where one set alone comes to it; and the lines
    for which sums were not looked for."""
    pairings, unsearched = [], []
    for line in list(free.lines.values()):
        kinds: dict[str, list[LedgerEntry]] = defaultdict(list)
        for entry in free.near(line, [timedelta()]):
            kinds[entry.transaction.kind].append(entry)
        sums = [
            rows for rows in kinds.values() if len(rows) > 1 and sum(row.amount for row in rows) == line.amount_minor
        ]
        if not sums and free.may_search(free.entry_count(line)):
            near = free.near(line)
            sums = _sets(near, [entry.amount for entry in near], line.amount_minor)
        elif not sums:
            unsearched.append(line)
        if len(sums) == 1:
            reason = f"{len(sums[0])} entries come to the amount of the line"
            pairings.append(free.take(Pairing([line], sums[0], MatchedBy.SUM, reason, certain=False)))
    return pairings, unsearched


def _lines_of_entry(free: OpenSides) -> tuple[list[Pairing], list[LedgerEntry]]:
    """Lines near an entry that come to it together, where one set alone does; and the entries for which they were not looked for."""
    pairings, unsearched = [], []
    for entry in list(free.entries.values()):
        if not free.may_search(free.line_count(entry)):
            unsearched.append(entry)
            continue
        near = free.lines_near(entry)
        sums = _sets(near, [line.amount_minor for line in near], entry.amount)
        if len(sums) == 1:
            reason = f"{len(sums[0])} lines come to the amount of the entry"
            pairings.append(free.take(Pairing(sums[0], [entry], MatchedBy.SUM, reason, certain=False)))
    return pairings, unsearched


def _sets(rows: Sequence[T], amounts: Sequence[int], target: int) -> list[list[T]]:
    """Two different sets at most: more than one is none to be proposed."""
    sets: list[list[T]] = []
    for size in range(2, MOST_OF_A_SUM + 1):
        for places in combinations(range(len(rows)), size):
            if sum(amounts[place] for place in places) == target:
                sets.append([rows[place] for place in places])
                if len(sets) > 1:
                    return sets
    return sets


def _less_fees(free: OpenSides, tolerance: int) -> Iterator[Pairing]:
    for line in list(free.lines.values()):
        fitting = free.within(line, tolerance)
        if len(fitting) == 1:
            reason = "The amounts differ by no more than the tolerance for fees"
            yield free.take(Pairing([line], fitting, MatchedBy.FEE, reason, certain=False))
