"""What the unmatched bank lines of a wallet may be (pairings.py), as it is shown, filtered and accepted.

What is suggested is looked for a window of days after the other, so that it takes no longer where there are more lines
(suggestion_windows.py).
"""

from collections.abc import Collection, Sequence
from datetime import date

from django.db import transaction
from django.db.models import Max, Min, QuerySet

from service import errors
from service.accounting.bank_rules import rules_of
from service.accounting.matches import Pairing, is_matched, lock_wallet, matched_seqs, save
from service.accounting.models import BankMatch, LineStatus, MatchedBy, StatementLine
from service.accounting.pairings import DAYS_APART, OpenSides, Unsearched, possible_pairings, single_pairings
from service.accounting.periods import closed_until
from service.accounts.wallets import Wallet
from service.auth import Caller
from service.ledger.models import LedgerEntry

MOST_LINES = 10_000
MOST_ENTRIES = 200_000
# The surest first.
RANKS = {MatchedBy.REFERENCE: 0, MatchedBy.RULE: 1, MatchedBy.DAY: 2, MatchedBy.SUM: 3, MatchedBy.FEE: 4}


def suggestions(
    caller: Caller, owner: Wallet, tolerance: int, first: date, last: date
) -> tuple[list[Pairing], Unsearched]:
    """What the unmatched lines of a wallet whose earliest lies in these days may be, and for which lines and entries of these days
    no sums were looked for, both without what lies in a closed period. Lines near these days are looked at as well: they are
    rivals."""
    near = (first - 2 * DAYS_APART, last + 2 * DAYS_APART)
    lines = list(unmatched_lines(owner).filter(day__range=near)[:MOST_LINES])
    pairings, unsearched = _suggested(caller, owner, lines, tolerance)
    closed = closed_until(caller)

    def counts(day: date) -> bool:
        return first <= day <= last and not (closed and day <= closed)

    of_days = Unsearched(
        [line for line in unsearched.lines if counts(line.day)],
        [entry for entry in unsearched.entries if counts(entry.transaction.effective_on)],
    )
    return [pairing for pairing in pairings if first <= min(line.day for line in pairing.lines) <= last], of_days


def _suggested(
    caller: Caller, owner: Wallet, lines: Sequence[StatementLine], tolerance: int
) -> tuple[list[Pairing], Unsearched]:
    if not lines:
        return [], Unsearched([], [])
    entries = _open_entries(owner, lines)
    pairings, unsearched = possible_pairings(lines, entries, rules_of(caller, owner.currency), tolerance)
    return _outside_closed(caller, pairings), unsearched


def certain_suggestions(caller: Caller, owner: Wallet) -> list[Pairing]:
    """Those of the suggestions that only one thing fits: of an entry of just the line's amount, so that no other is read. Of the
    oldest MOST_LINES lines that can still be matched; `certain_left_out` says how many more there are."""
    lines = list(open_lines(caller, owner)[:MOST_LINES])
    if not lines:
        return []
    rules, amounts = rules_of(caller, owner.currency), {line.amount_minor for line in lines}
    free = OpenSides(lines, _open_entries(owner, lines, amounts))
    return [pairing for pairing in _outside_closed(caller, single_pairings(free, rules)) if pairing.certain]


def certain_left_out(caller: Caller, owner: Wallet) -> int:
    """How many lines that can still be matched lie behind those that are looked at for what is certain."""
    return max(open_lines(caller, owner).count() - MOST_LINES, 0)


def open_lines(caller: Caller, owner: Wallet) -> QuerySet[StatementLine]:
    """The unmatched lines of a wallet that can still be matched, by their days."""
    lines, closed = unmatched_lines(owner), closed_until(caller)
    # A line of a closed period is matched only with what is near it outside.
    return lines.filter(day__gt=closed - DAYS_APART) if closed else lines


def unmatched_lines(owner: Wallet) -> QuerySet[StatementLine]:
    """The unmatched lines of a wallet, by their days."""
    return StatementLine.objects.filter(wallet=owner, status=LineStatus.UNMATCHED).order_by("day", "id")


def _open_entries(
    owner: Wallet, lines: Sequence[StatementLine], amounts: Collection[int] | None = None
) -> list[LedgerEntry]:
    days = (lines[0].day - DAYS_APART, lines[-1].day + DAYS_APART)
    rows = LedgerEntry.objects.filter(account=owner.ledger_account_id, transaction__effective_on__range=days)
    if amounts is not None:
        rows = rows.filter(amount__in=amounts)
    rows = rows.filter(~is_matched()).select_related("transaction").order_by("seq")
    entries = list(rows[: MOST_ENTRIES + 1])
    if len(entries) > MOST_ENTRIES:
        raise errors.limit_exceeded("The unmatched lines span too many entries: match some manually, or import less.")
    return entries


def _outside_closed(caller: Caller, pairings: Sequence[Pairing]) -> list[Pairing]:
    closed = closed_until(caller)
    return [pairing for pairing in pairings if not closed or pairing.last_day > closed]


def filter_suggestions(
    pairings: Sequence[Pairing], text: str, amount: int | None, first: date | None, last: date | None
) -> list[Pairing]:
    """Those with a line of these days (both counted) that holds a text and is of an amount in minor units, in or out; by their
    places, the surest first."""
    fitting = (pairing for pairing in pairings if any(_fits(line, text, amount, first, last) for line in pairing.lines))
    return sorted(fitting, key=place_of)


def place_of(pairing: Pairing) -> str:
    """Where it stands among the suggestions of its wallet, as a text that sorts: how sure it is, and day and id of its earliest
    line, which is in no other. It stays there whatever of the others is matched meanwhile."""
    day, line_id = min((line.day, line.id) for line in pairing.lines)
    return f"{RANKS[pairing.rule]}_{day}_{line_id}"


def _fits(line: StatementLine, text: str, amount: int | None, first: date | None, last: date | None) -> bool:
    return (
        text.casefold() in f"{line.description}\n{line.reference}".casefold()
        and (amount is None or abs(line.amount_minor) == amount)
        and (first is None or line.day >= first)
        and (last is None or line.day <= last)
    )


def suggestion_of(
    caller: Caller, owner: Wallet, line_ids: Collection[str], seqs: Collection[int], tolerance: int
) -> Pairing | None:
    """What is suggested now of exactly these lines and entries; None where nothing is, so that a match says by what it was
    found only where that is so. Only lines near these are looked at: others of a wallet are no rivals of them."""
    days = StatementLine.objects.filter(wallet=owner, id__in=line_ids).aggregate(first=Min("day"), last=Max("day"))
    if days["first"] is None:
        return None
    near = (days["first"] - 2 * DAYS_APART, days["last"] + 2 * DAYS_APART)
    lines = list(unmatched_lines(owner).filter(day__range=near)[:MOST_LINES])
    sides = set(line_ids), set(seqs)
    of_sides = (
        pairing
        for pairing in _suggested(caller, owner, lines, tolerance)[0]
        if ({line.id for line in pairing.lines}, {entry.seq for entry in pairing.entries}) == sides
    )
    return next(of_sides, None)


def accept_certain(caller: Caller, owner: Wallet) -> list[BankMatch]:
    """Matches everything that only one thing fits. It is looked for before the wallet is locked, which may take seconds; what
    was matched meanwhile is left as it is."""
    certain = certain_suggestions(caller, owner)
    with transaction.atomic():
        lock_wallet(owner)
        ids = [line.id for pairing in certain for line in pairing.lines]
        open_lines = StatementLine.objects.filter(wallet=owner, id__in=ids, status=LineStatus.UNMATCHED)
        open_ids = set(open_lines.values_list("id", flat=True))
        seqs = [entry.seq for pairing in certain for entry in pairing.entries]
        held = set(matched_seqs(owner).filter(entry_seq__in=seqs).values_list("entry_seq", flat=True))
        still_open = [
            pairing
            for pairing in certain
            if open_ids.issuperset(line.id for line in pairing.lines)
            and held.isdisjoint(entry.seq for entry in pairing.entries)
        ]
        return save(caller, owner, still_open, 0)
