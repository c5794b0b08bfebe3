"""The proof of a bank statement: its closing balance is what the books say, what only one side knows apart.

closing = books + unmatched lines - unmatched entries + fees + carried. This is the one place where that is computed.
Lines go by statement (held_lines.py), entries by the day up to the statement's last: a match counts where all of it lies
within; what is matched with a later thing is unmatched. `carried` is what bank and books differed by before the first statement, less what later lines have cleared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.utils import timezone

from service import errors
from service.accounting.held_lines import first_statement, held_lines, in_order
from service.accounting.matches import lock_wallet
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
    held_by_closing = held_lines(statement, ordered)
    counted = _counted(owner, held_by_closing, last)
    # Each is looked up by its number: a list of all that are counted would be read for each line and entry once it is longer
    # than fits into memory.
    held = MatchedEntry.objects.filter(Exists(counted.filter(pk=OuterRef("match_id"))))
    lines = held_by_closing.filter(~Exists(counted.filter(pk=OuterRef("match_id"))))
    of_entry = held.filter(ledger_account_id=OuterRef("account_id"), entry_seq=OuterRef("seq"))
    entries = _entries(owner, first, last).filter(~Exists(of_entry))
    line_sum = lines.aggregate(total=Sum("amount_minor"), n=Count("id"))
    entry_sum = entries.aggregate(total=Sum("amount"), n=Count("seq"))
    before = ledger_statement(owner.ledger_account_id, None, first - timedelta(days=1), limit=1).closing
    cleared = held.filter(effective_on__lt=first).aggregate(total=Sum("amount_minor"))["total"] or 0
    return Proof(
        closing=statement.closing_minor,
        books=ledger_statement(owner.ledger_account_id, None, last, limit=1).closing,
        unmatched_lines=line_sum["total"] or 0,
        unmatched_line_count=line_sum["n"],
        unmatched_entries=entry_sum["total"] or 0,
        unmatched_entry_count=entry_sum["n"],
        fees=counted.aggregate(total=Sum("difference_minor"))["total"] or 0,
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


def _counted(owner: Wallet, held: QuerySet[StatementLine], last: date) -> QuerySet[BankMatch]:
    """Matches all of whose lines the closing balance holds, and whose entries do not lie after it."""
    lines = StatementLine.objects.filter(wallet=owner, match_id=OuterRef("pk"))
    outside = lines.filter(~Exists(held.filter(pk=OuterRef("pk"))))
    later = MatchedEntry.objects.filter(match_id=OuterRef("pk"), effective_on__gt=last)
    return BankMatch.objects.filter(~Exists(outside), ~Exists(later), wallet=owner)


def _entries(owner: Wallet, first: date, last: date) -> QuerySet[LedgerEntry]:
    return LedgerEntry.objects.filter(account=owner.ledger_account_id, transaction__effective_on__range=(first, last))
