"""Lines of a bank put beside entries of the ledger, and taken off them again.

A line is of one match, an entry of one match: both are constraints of the tables. A closed period stays as it is: a match
is of the day of the latest thing in it, and none of a closed day is made or undone.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from service import effects, errors
from service.accounting.models import BankMatch, LineStatus, MatchedBy, MatchedEntry, StatementLine
from service.accounting.periods import closed_until
from service.accounts.wallets import Wallet
from service.auth import Caller
from service.events.audit import AuditedChange, record_audit, record_audits
from service.ids import object_id
from service.ledger.models import LedgerEntry

MOST_OF_A_SIDE = 100
MARK = """
update accounting_statementline line set match_id = named.match_id, status = %s, version = line.version + 1, updated_at = %s
from unnest(%s::text[], %s::text[]) named(id, match_id)
where line.id = named.id and line.match_id is null
"""


@dataclass(frozen=True, slots=True)
class Pairing:
    """What belongs together, and why; `certain` where nothing else fits."""

    lines: Sequence[StatementLine]
    entries: Sequence[LedgerEntry]
    rule: MatchedBy
    reason: str
    certain: bool

    @property
    def difference(self) -> int:
        """Lines less entries, in minor units."""
        return sum(line.amount_minor for line in self.lines) - sum(entry.amount for entry in self.entries)

    @property
    def last_day(self) -> date:
        """The day of the latest thing in it."""
        return max([line.day for line in self.lines] + [entry.transaction.effective_on for entry in self.entries])


def lock_wallet(owner: Wallet) -> None:
    """One change of a wallet's matches at a time: two would look for the same entries."""
    Wallet.objects.select_for_update(no_key=True, of=("self",)).get(pk=owner.pk)


def matches(caller: Caller) -> QuerySet[BankMatch]:
    """The matches of the business, with their wallet, lines and entries."""
    rows = BankMatch.objects.filter(business_id=caller.business.id).select_related("wallet")
    return rows.prefetch_related("lines", "entries")


def filter_matches(
    rows: QuerySet[BankMatch], text: str, amount: int | None, first: date | None, last: date | None
) -> QuerySet[BankMatch]:
    """Matches with a line of these days (both counted) that holds a text and is of an amount in minor units, in or out."""
    named = {"day__gte": first, "day__lte": last}
    lines = StatementLine.objects.filter(**{name: value for name, value in named.items() if value is not None})
    if text:
        lines = lines.filter(Q(description__icontains=text) | Q(reference__icontains=text))
    if amount is not None:
        lines = lines.filter(amount_minor__in=(amount, -amount))
    is_filtered = text or not (amount is None and first is None and last is None)
    return rows.filter(Exists(lines.filter(match_id=OuterRef("pk")))) if is_filtered else rows


def get_match(caller: Caller, match_id: str) -> BankMatch:
    """One match; 404 for any other's."""
    row = matches(caller).filter(id=match_id).first()
    if row is None:
        raise errors.not_found("bank match")
    return row


def match_by_hand(
    caller: Caller, owner: Wallet, line_ids: Collection[str], seqs: Collection[int], tolerance: int, matched_by: MatchedBy,
    reason: str,
) -> BankMatch:  # fmt: skip
    """Puts lines of a wallet beside entries of it. 404 for one that is not there, 409 for one that is matched or of a
    closed period, 422 where the sums differ by more than the tolerance."""
    with transaction.atomic():
        lock_wallet(owner)
        earlier_match = effects.earlier(caller, BankMatch.objects.filter(business_id=caller.business.id))
        if earlier_match is not None:
            return get_match(caller, earlier_match.id)
        rows = StatementLine.objects.select_for_update(no_key=True, of=("self",)).filter(wallet=owner, id__in=line_ids)
        lines = list(rows.order_by("day", "id"))
        entries = list(
            LedgerEntry.objects.filter(account=owner.ledger_account_id, seq__in=seqs).select_related("transaction")
        )
        if len(lines) != len(set(line_ids)):
            raise errors.not_found("bank line")
        if len(entries) != len(set(seqs)):
            raise errors.not_found("ledger entry")
        if any(line.status == LineStatus.MATCHED for line in lines):
            raise errors.invalid_state("A line of these is matched already.")
        if matched_seqs(owner).filter(entry_seq__in=seqs).exists():
            raise errors.invalid_state("An entry of these is matched already.")
        pairing = Pairing(lines, entries, matched_by, reason, certain=False)
        if abs(pairing.difference) > tolerance:
            raise errors.validation_failed(
                "tolerance_minor", "The sums of both sides differ by more than the tolerance.", "difference"
            )
        [match] = save(caller, owner, [pairing], tolerance, identifier=effects.new_id(caller))
    return get_match(caller, match.id)


def matched_seqs(owner: Wallet) -> QuerySet[MatchedEntry]:
    """The entries of a wallet that matches hold."""
    return MatchedEntry.objects.filter(ledger_account_id=owner.ledger_account_id)


def is_matched() -> Exists:
    """Of an entry: that a match holds it. Looked up by its number: a list of all that are matched would be read for each entry
    once it is longer than fits into memory."""
    return Exists(MatchedEntry.objects.filter(ledger_account_id=OuterRef("account_id"), entry_seq=OuterRef("seq")))


def save(
    caller: Caller, owner: Wallet, pairings: Sequence[Pairing], tolerance: int, identifier: str = ""
) -> list[BankMatch]:
    """Writes the matches with their lines and entries, all or none; 409 for a closed period, or one matched meanwhile."""
    closed = closed_until(caller)
    if closed and any(pairing.last_day <= closed for pairing in pairings):
        raise errors.invalid_state(f"The books are closed up to {closed}: what lies before it stays as it is.")
    rows, held, moment = [], [], timezone.now()
    for pairing in pairings:
        row = BankMatch(
            id=identifier or object_id(),
            business_id=caller.business.id,
            wallet=owner,
            rule=pairing.rule,
            reason=pairing.reason,
            difference_minor=pairing.difference,
            tolerance_minor=tolerance,
            ledger_transaction_id=pairing.entries[0].transaction_id if len(pairing.entries) == 1 else None,
            matched_by=caller.label,
            matched_at=moment,
        )
        rows.append(row)
        held += [_held(row, entry) for entry in pairing.entries]
    try:
        with transaction.atomic():
            BankMatch.objects.bulk_create(rows, batch_size=1000)
            MatchedEntry.objects.bulk_create(held, batch_size=1000)
            _mark_matched(rows, pairings)
    except IntegrityError:
        raise errors.concurrent_update() from None
    noted = (
        AuditedChange(row.id, after=_noted(row, pairing.lines, pairing.entries))
        for row, pairing in zip(rows, pairings, strict=True)
    )
    record_audits(caller, "bank_match.create", "bank_match", list(noted))
    return rows


def _held(row: BankMatch, entry: LedgerEntry) -> MatchedEntry:
    return MatchedEntry(
        match=row,
        ledger_account_id=entry.account_id,
        entry_seq=entry.seq,
        ledger_transaction_id=entry.transaction_id,
        effective_on=entry.transaction.effective_on,
        amount_minor=entry.amount,
    )


def _mark_matched(rows: Sequence[BankMatch], pairings: Sequence[Pairing]) -> None:
    """Puts the lines to their matches, all in one statement; 409 where one of them is matched by now."""
    pairs = [(line, row) for row, pairing in zip(rows, pairings, strict=True) for line in pairing.lines]
    if not pairs:
        return
    moment = rows[0].matched_at
    with connection.cursor() as cursor:
        cursor.execute(MARK, [LineStatus.MATCHED, moment, [line.id for line, _ in pairs], [row.id for _, row in pairs]])
        if cursor.rowcount != len(pairs):
            raise errors.concurrent_update()
    for line, row in pairs:
        line.match, line.status, line.version, line.updated_at = row, LineStatus.MATCHED, line.version + 1, moment


def _noted(
    row: BankMatch, lines: Sequence[StatementLine], entries: Sequence[LedgerEntry | MatchedEntry]
) -> dict[str, object]:
    return {
        "rule": row.rule,
        "reason": row.reason,
        "difference_minor": row.difference_minor,
        "lines": [line.id for line in lines],
        "ledger_transactions": [
            entry.transaction_id if isinstance(entry, LedgerEntry) else entry.ledger_transaction_id for entry in entries
        ],
    }


def undo(caller: Caller, match_id: str) -> BankMatch:
    """Takes a match apart: its lines and entries are as they were before it. The match as it was; 404, 409 for one of a
    closed period."""
    with transaction.atomic():
        owner = get_match(caller, match_id).wallet
        lock_wallet(owner)
        row = get_match(caller, match_id)
        lines, entries, closed = list(row.lines.all()), list(row.entries.all()), closed_until(caller)
        last_day = max([line.day for line in lines] + [entry.effective_on for entry in entries])
        if closed and last_day <= closed:
            raise errors.invalid_state(f"The books are closed up to {closed}: what lies before it stays as it is.")
        moment = timezone.now()
        for line in lines:
            line.match, line.status, line.version, line.updated_at = (
                None,
                LineStatus.UNMATCHED,
                line.version + 1,
                moment,
            )
        StatementLine.objects.bulk_update(lines, ["match", "status", "version", "updated_at"], batch_size=1000)
        record_audit(caller, "bank_match.undo", "bank_match", row.id, before=_noted(row, lines, entries))
        BankMatch.objects.filter(pk=row.pk).delete()
    return row
