"""Bank lines beside the ledger: imported, matched by reference or by amount and day, matched by hand, and what is left.

A line belongs to one entry of its wallet's ledger account, and an entry to one line. Where several entries would do,
none is taken: a person decides.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from service import errors
from service.accounting.models import BankStatement, LineStatus, StatementLine
from service.accounting.statement_file import Line, read
from service.accounts.wallets import Wallet, wallet_by_ref
from service.auth import Caller
from service.documents import Document
from service.events.audit import note
from service.ids import object_id
from service.ledger.models import LedgerEntry

DAYS_APART = timedelta(days=5)
SHORTEST_REFERENCE = 4


def import_statement(caller: Caller, wallet_ref: str, document: Document) -> tuple[BankStatement, bool]:
    """Imports a statement and matches what it can; the same file again is the statement that is there (False then).

    404 for the wallet, 415 and 422 as `statement_file.read`.
    """
    owner = wallet_by_ref(caller.business, wallet_ref)
    lines = read(document, owner.currency)
    with transaction.atomic():
        # One import per wallet at a time: two would look for the same entries.
        Wallet.objects.select_for_update(no_key=True, of=("self",)).get(pk=owner.pk)
        known = BankStatement.objects.filter(wallet=owner, sha256=document.sha256).first()
        if known is not None:
            return known, False
        days = [line.day for line in lines]
        statement = BankStatement.objects.create(
            business=caller.business,
            wallet=owner,
            file_name=document.file_name,
            sha256=document.sha256,
            first_day=min(days),
            last_day=max(days),
            line_count=len(lines),
            imported_by=caller.label,
        )
        rows = [_row(statement, line) for line in lines]
        matched = _match(caller, owner, rows)
        StatementLine.objects.bulk_create(rows, batch_size=1000)
        after = {"lines": len(rows), "matched": matched, "sha256": document.sha256}
        note(caller, "bank_statement.import", "bank_statement", statement.id, after=after)
    return statement, True


def _row(statement: BankStatement, line: Line) -> StatementLine:
    return StatementLine(
        id=object_id(),
        business_id=statement.business_id,
        statement=statement,
        wallet_id=statement.wallet_id,
        number=line.number,
        day=line.day,
        amount_minor=line.amount_minor,
        description=line.description,
        reference=line.reference,
    )


def unmatched_entries(owner: Wallet, first: date | None, last: date | None) -> QuerySet[LedgerEntry]:
    """Entries of the wallet that no line belongs to, newest first, by the ledger's days."""
    matched_ids = StatementLine.objects.filter(ledger_account_id=owner.ledger_account_id, status=LineStatus.MATCHED)
    rows = LedgerEntry.objects.filter(account=owner.ledger_account_id).select_related("transaction")
    if first:
        rows = rows.filter(transaction__effective_on__gte=first)
    if last:
        rows = rows.filter(transaction__effective_on__lte=last)
    return rows.exclude(seq__in=matched_ids.values("entry_seq")).order_by("-seq")


def _match(caller: Caller, owner: Wallet, rows: Sequence[StatementLine]) -> int:
    """By reference first, over all lines, then by amount and day where one entry alone fits; how many matched."""
    first, last = min(row.day for row in rows) - DAYS_APART, max(row.day for row in rows) + DAYS_APART
    free: dict[int, list[LedgerEntry]] = defaultdict(list)
    for entry in unmatched_entries(owner, first, last):
        free[entry.amount].append(entry)
    for rule in (_by_reference, _by_day):
        for row in rows:
            if row.status == LineStatus.MATCHED:
                continue
            fitting = rule(row, free[row.amount_minor])
            if len(fitting) == 1:
                _join(caller, row, fitting[0], rule.__name__.removeprefix("_by_").upper())
                free[row.amount_minor].remove(fitting[0])
    return sum(row.status == LineStatus.MATCHED for row in rows)


def _by_reference(row: StatementLine, entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """Those of this amount that name the line's reference, or whose reference the line's description names."""
    reference = row.reference.casefold()
    text = f"{row.reference} {row.description}".casefold()
    return [
        entry
        for entry in entries
        if abs(entry.transaction.effective_on - row.day) <= DAYS_APART
        and (
            (len(reference) >= SHORTEST_REFERENCE and reference in _words(entry))
            or entry.transaction.external_ref.split(":")[-1].casefold() in text.split()
        )
    ]


def _by_day(row: StatementLine, entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """Those of this amount on the very day; where there are none, those within five days."""
    on_that_day = [entry for entry in entries if entry.transaction.effective_on == row.day]
    return on_that_day or [entry for entry in entries if abs(entry.transaction.effective_on - row.day) <= DAYS_APART]


def _words(entry: LedgerEntry) -> str:
    return f"{entry.transaction.external_ref} {entry.note or entry.transaction.description}".casefold()


def _join(caller: Caller, row: StatementLine, entry: LedgerEntry, rule: str) -> None:
    row.status, row.rule = LineStatus.MATCHED, rule
    row.ledger_account_id, row.entry_seq = entry.account_id, entry.seq
    row.ledger_transaction_id = entry.transaction_id
    row.matched_by, row.matched_at = caller.label, timezone.now()


def match(caller: Caller, line_id: str, transaction_id: int) -> StatementLine:
    """Puts a line beside the entry of a ledger transaction on its wallet, by hand.

    404 for the line or the transaction, 409 where either is matched already, 422 where no entry has the amount.
    """
    with transaction.atomic():
        row = _locked(caller, line_id)
        if row.status == LineStatus.MATCHED:
            raise errors.invalid_state("This line is matched already.")
        entries = LedgerEntry.objects.filter(account=row.wallet.ledger_account_id, transaction=transaction_id)
        entries_of_transaction = list(entries.select_related("transaction").order_by("seq"))
        if not entries_of_transaction:
            raise errors.not_found("ledger transaction")
        fitting = [entry for entry in entries_of_transaction if entry.amount == row.amount_minor]
        if not fitting:
            raise errors.validation_failed("ledger_transaction_id", "No entry of it has the amount of the line.")
        matched_ids = set(
            StatementLine.objects.filter(
                ledger_account_id=row.wallet.ledger_account_id,
                entry_seq__in=[entry.seq for entry in fitting],
                status=LineStatus.MATCHED,
            ).values_list("entry_seq", flat=True)
        )
        entry = next((candidate for candidate in fitting if candidate.seq not in matched_ids), None)
        if entry is None:
            raise errors.invalid_state("Its entries of this amount are matched already.")
        _join(caller, row, entry, "BY_HAND")
        _save(caller, row, "match", {"ledger_transaction_id": transaction_id})
    return row


def unmatch(caller: Caller, line_id: str) -> StatementLine:
    """Takes a line off its entry; 409 for one that is on none."""
    with transaction.atomic():
        row = _locked(caller, line_id)
        if row.status != LineStatus.MATCHED:
            raise errors.invalid_state("This line is not matched.")
        was = {"ledger_transaction_id": row.ledger_transaction_id}
        row.status, row.rule, row.matched_by, row.matched_at = LineStatus.UNMATCHED, "", "", None
        row.ledger_account_id = row.entry_seq = row.ledger_transaction_id = None
        _save(caller, row, "unmatch", was)
    return row


def lines(caller: Caller) -> QuerySet[StatementLine]:
    """The bank lines of the business."""
    return StatementLine.objects.filter(business_id=caller.business.id).select_related("wallet")


def _locked(caller: Caller, line_id: str) -> StatementLine:
    line = lines(caller).select_for_update(no_key=True, of=("self",)).filter(id=line_id).first()
    if line is None:
        raise errors.not_found("bank line")
    return line


def _save(caller: Caller, row: StatementLine, verb: str, what: dict[str, int | None]) -> None:
    row.version += 1
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise errors.concurrent_update() from None
    note(caller, f"bank_line.{verb}", "bank_line", row.id, after=what)
