"""The proof of a bank statement: its closing balance is what the books say, what only one side knows apart.

closing = books + unmatched lines - unmatched entries + fees + carried. This is the one place where that is computed.
Lines go by statement (held_lines.py), entries by the day up to the statement's last: a match counts where all of it lies
within; what is matched with a later thing is unmatched. `carried` is what bank and books differed by before the first statement, less what later lines have cleared.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from service import errors
from service.accounting.held_lines import first_statement, held_lines, in_order
from service.accounting.matches import is_matched, lock_wallet
from service.accounting.models import BankMatch, BankStatement, MatchedEntry, OpeningDifference, StatementLine
from service.accounting.periods import closed_until
from service.accounts.wallets import Wallet
from service.auth import ADMINS, Caller
from service.businesses.models import Employee
from service.events.audit import record_audit
from service.ledger.models import LedgerEntry
from service.ledger.statements import statement as ledger_statement


@dataclass(frozen=True, slots=True)
class Proof:
    """The figures of a proof, in minor units of the wallet's currency."""

    closing: int
    books: int
    unmatched_lines: int
    unmatched_line_count: int
    unmatched_entries: int
    unmatched_entry_count: int
    fees: int
    carried: int
    accepted: OpeningDifference | None = None

    @property
    def missing(self) -> int:
        """What the closing balance is beside all this: lines that no statement brought."""
        explained = self.books + self.unmatched_lines - self.unmatched_entries + self.fees + self.carried
        return self.closing - explained

    @property
    def is_proven(self) -> bool:
        """Whether bank and books agree: nothing is missing, and they did not differ before the first statement either, or
        somebody has accepted just what they differed by. That is known as a sum alone, and is of lines and entries that nobody
        has put beside each other."""
        return self.missing == 0 and self.carried == (self.accepted.amount_minor if self.accepted else 0)


def proof_of(statement: BankStatement, ordered: Sequence[BankStatement] | None = None) -> Proof:
    """The proof of a statement; 409 for one whose file had no balances. `ordered` are the wallet's statements in their order,
    read where they are not given."""
    if statement.closing_minor is None:
        raise errors.invalid_state("This statement has no closing balance.")
    owner, last = statement.wallet, statement.last_day
    ordered = in_order(owner) if ordered is None else ordered
    first, opening = _begin(ordered)
    held = dict(held_lines(statement, ordered).values_list("id", "amount_minor"))
    sides = _matched_sides(owner)
    counted = _counted(sides, held, last)
    open_lines = [amount for line, amount in held.items() if sides.match_of_line.get(line) not in counted]
    # Entries that no match holds, and those of matches that do not count.
    entry_sum = _entries(owner, first, last).filter(~is_matched()).aggregate(total=Sum("amount"), n=Count("seq"))
    uncounted = [entry.amount for entry in sides.entries if entry.match not in counted and first <= entry.day <= last]
    before = ledger_statement(owner.ledger_account_id, None, first - timedelta(days=1), limit=1).closing
    cleared = sum(entry.amount for entry in sides.entries if entry.match in counted and entry.day < first)
    differences = BankMatch.objects.filter(wallet=owner).exclude(difference_minor=0)
    return Proof(
        closing=statement.closing_minor,
        books=ledger_statement(owner.ledger_account_id, None, last, limit=1).closing,
        unmatched_lines=sum(open_lines),
        unmatched_line_count=len(open_lines),
        unmatched_entries=(entry_sum["total"] or 0) + sum(uncounted),
        unmatched_entry_count=entry_sum["n"] + len(uncounted),
        fees=sum(minor for match, minor in differences.values_list("id", "difference_minor") if match in counted),
        carried=opening - before + cleared,
        accepted=_accepted(owner, opening - before + cleared),
    )


def accept_difference(
    caller: Caller, statement: BankStatement, amount: int, reason: str, proposed_by: str = ""
) -> OpeningDifference:
    """Accepts what bank and books of the statement's wallet differed by before the first one. 409 where that is nothing, is
    accepted already, or is not `amount` (minor units, as somebody saw it); 404 for a proposer who is none, 403
    self_approval_forbidden for one who accepts it too."""
    check_proposer(caller, proposed_by, "Whoever proposed to accept a difference does not accept it.")
    with transaction.atomic():
        lock_wallet(statement.wallet)
        figures = proof_of(statement)
        if figures.carried == 0 or (figures.accepted and figures.accepted.amount_minor == figures.carried):
            raise errors.invalid_state("There is no difference before the first statement to accept.")
        if figures.carried != amount:
            raise errors.invalid_state("The difference before the first statement is another one by now.")
        row = OpeningDifference.objects.create(
            business=caller.business,
            wallet=statement.wallet,
            amount_minor=amount,
            reason=reason,
            proposed_by=proposed_by,
            accepted_by=caller.label,
        )
        after = {"amount_minor": amount, "reason": reason, "proposed_by": proposed_by, "wallet": statement.wallet_id}
        record_audit(caller, "opening_difference.accept", "bank_statement", statement.id, after=after)
    return row


def withdraw_difference(
    caller: Caller, statement: BankStatement, amount: int, reason: str, proposed_by: str = ""
) -> OpeningDifference:
    """Withdraws the acceptance that counts for the statement's wallet: bank and books differ again by what nobody accepted.
    409 where none counts, where it is not of `amount` (minor units, as somebody saw it), and where the books are closed up
    to the first statement; 404 for a proposer who is none, 403 self_approval_forbidden for one who withdraws it too."""
    check_proposer(caller, proposed_by, "Whoever proposed to withdraw an acceptance does not withdraw it.")
    with transaction.atomic():
        lock_wallet(statement.wallet)
        figures = proof_of(statement)
        row = figures.accepted
        if row is None:
            raise errors.invalid_state("No difference before the first statement is accepted.")
        if row.amount_minor != amount:
            raise errors.invalid_state("The accepted difference is another one by now.")
        closed = closed_until(caller)
        if closed and _begin(in_order(statement.wallet))[0] <= closed:
            raise errors.invalid_state(f"The books are closed up to {closed}: what lies before it stays as it is.")
        row.withdrawn_at, row.withdrawn_by = timezone.now(), caller.label
        row.withdrawal_reason, row.withdrawal_proposed_by = reason, proposed_by
        row.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawal_reason", "withdrawal_proposed_by"])
        before = {"amount_minor": amount, "reason": row.reason, "accepted_by": row.accepted_by}
        after = {"reason": reason, "proposed_by": proposed_by, "wallet": statement.wallet_id}
        record_audit(caller, "opening_difference.withdraw", "bank_statement", statement.id, before, after)
    return row


def check_proposer(caller: Caller, proposed_by: str, refusal: str) -> None:
    """404 for a proposer who is no admin of the business, 403 with the sentence for the caller's own proposal."""
    if not proposed_by:
        return
    if not Employee.objects.filter(business_id=caller.business.id, id=proposed_by, role__in=ADMINS).exists():
        raise errors.not_found("employee")
    if caller.employee_id in {None, proposed_by}:
        raise errors.self_approval_forbidden(refusal)


def _accepted(owner: Wallet, carried: int) -> OpeningDifference | None:
    """The difference that was accepted last; None for none, for one that was withdrawn, and where nothing is left to accept."""
    if not carried:
        return None
    row = OpeningDifference.objects.filter(wallet=owner).order_by("-created_at", "-id").first()
    return row if row and row.withdrawn_at is None else None


def _begin(ordered: Sequence[BankStatement]) -> tuple[date, int]:
    """The day and the balance that the wallet's statements begin with."""
    first = first_statement(ordered)
    if first is None or first.opening_minor is None:
        raise errors.invalid_state("No statement of this wallet has a balance.")
    return first.first_day, first.opening_minor


class _HeldEntry(NamedTuple):
    match: str
    day: date
    amount: int


@dataclass(frozen=True, slots=True)
class _MatchedSides:
    """What the matches of a wallet hold: of each matched line its match, and the entries."""

    match_of_line: Mapping[str, str]
    entries: Sequence[_HeldEntry]


def _matched_sides(owner: Wallet) -> _MatchedSides:
    """Each table is read once, by its index. To look in the database for the matches that count, line by line, took a thousand times
    as long as soon as a few hundred had just been accepted: until it has looked at its tables again, it takes them for empty."""
    lines = StatementLine.objects.filter(wallet=owner, match__isnull=False).values_list("id", "match_id")
    entries = MatchedEntry.objects.filter(ledger_account_id=owner.ledger_account_id)
    rows = entries.values_list("match_id", "effective_on", "amount_minor")
    return _MatchedSides(dict(lines), [_HeldEntry(*row) for row in rows])


def _counted(sides: _MatchedSides, held: Collection[str], last: date) -> set[str]:
    """The matches all of whose lines the closing balance holds, and whose entries do not lie after it."""
    outside = {match for line, match in sides.match_of_line.items() if line not in held}
    later = {entry.match for entry in sides.entries if entry.day > last}
    return {*sides.match_of_line.values(), *(entry.match for entry in sides.entries)} - outside - later


def _entries(owner: Wallet, first: date, last: date) -> QuerySet[LedgerEntry]:
    return LedgerEntry.objects.filter(account=owner.ledger_account_id, transaction__effective_on__range=(first, last))
