"""Bank lines beside the ledger: a file imported and matched at once, a line matched by hand, and what is left."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date

from django.db import transaction
from django.db.models import Count, Min, Q, QuerySet

from service import errors
from service.accounting.matches import Pairing, is_matched, matched_seqs, save, undo
from service.accounting.models import BankStatement, LineStatus, MatchedBy, SourceFormat, StatementLine
from service.accounting.pairings import DAYS_APART, propose
from service.accounting.periods import closed_until
from service.accounting.statement_file import read_statement_file
from service.accounting.statement_imports import StatementFile, import_lines
from service.accounts.wallets import Wallet, wallet_by_ref
from service.auth import Caller
from service.documents import Document
from service.ledger.models import LedgerEntry


def import_statement(caller: Caller, wallet_ref: str, document: Document) -> tuple[BankStatement, bool]:
    """Imports a CSV and matches what it can; the same file again is the statement that is there (False then).

    404 for the wallet, 415 and 422 as `statement_file.read` and `import_lines`.
    """
    owner = wallet_by_ref(caller.business, wallet_ref)
    lines = read_statement_file(document, owner.currency)
    days = [line.day for line in lines]
    file = StatementFile(
        file_name=document.file_name,
        sha256=document.sha256,
        source_format=SourceFormat.CSV,
        currency=owner.currency,
        account="",
        first_day=min(days),
        last_day=max(days),
        opening_minor=None,
        closing_minor=None,
    )
    with transaction.atomic():
        statement, rows, fresh = import_lines(caller, owner, file, lines)
        if rows:
            _match(caller, owner, rows)
    return statement, fresh


def get_statement(caller: Caller, statement_id: str) -> BankStatement:
    """One statement of the business, with its wallet; 404 where it has none such."""
    rows = BankStatement.objects.filter(business_id=caller.business.id, id=statement_id).select_related("wallet")
    statement = rows.first()
    if statement is None:
        raise errors.not_found("bank statement")
    return statement


def first_day(owner: Wallet) -> date | None:
    """The day on which the first statement of a wallet begins; None where there is none."""
    return BankStatement.objects.filter(wallet=owner).order_by("first_day").values_list("first_day", flat=True).first()


def holds_text(text: str) -> Q:
    """Of lines: those whose description or reference holds a text, in any case."""
    return Q(description__icontains=text) | Q(reference__icontains=text)


def of_amount(amount: int) -> Q:
    """Of lines and of held entries: those of an amount in minor units, in or out."""
    return Q(amount_minor__in=(amount, -amount))


def filter_entries(rows: QuerySet[LedgerEntry], text: str, amount: int | None) -> QuerySet[LedgerEntry]:
    """Entries whose description, reference or type holds a text, and of an amount in minor units, in or out."""
    if text:
        words = Q(note__icontains=text) | Q(transaction__description__icontains=text)
        words |= Q(transaction__external_ref__icontains=text) | Q(transaction__kind__icontains=text)
        rows = rows.filter(words)
    return rows if amount is None else rows.filter(amount__in=(amount, -amount))


def unmatched_entries(owner: Wallet, first: date | None, last: date | None) -> QuerySet[LedgerEntry]:
    """Entries of the wallet that no line belongs to, newest first, by the ledger's days."""
    rows = LedgerEntry.objects.filter(account=owner.ledger_account_id).select_related("transaction")
    if first:
        rows = rows.filter(transaction__effective_on__gte=first)
    if last:
        rows = rows.filter(transaction__effective_on__lte=last)
    return rows.filter(~is_matched()).order_by("-seq")


def unmatched_counts(owners: Collection[Wallet], first: date, last: date) -> dict[int, int]:
    """How many entries of the ledger's days from `first` to `last` no line belongs to, by ledger account and in one query: of
    wallets with statements, of none a day before its first one; an account without such entries is not among them."""
    begun = BankStatement.objects.filter(wallet__in=owners).values_list("wallet__ledger_account_id")
    accounts: dict[date, list[int]] = defaultdict(list)
    for account_id, first_begun in begun.annotate(begin=Min("first_day")).order_by():
        accounts[max(first, first_begun)].append(account_id)
    if not accounts:
        return {}
    of_days = Q()
    for begin, ids in accounts.items():
        of_days |= Q(account__in=ids, transaction__effective_on__gte=begin)
    rows = LedgerEntry.objects.filter(of_days, transaction__effective_on__range=(first, last))
    return dict(rows.filter(~is_matched()).order_by().values_list("account_id").annotate(n=Count("seq")))


def _match(caller: Caller, owner: Wallet, rows: Sequence[StatementLine]) -> None:
    """By reference, then by amount and day, where one entry alone fits; outside closed periods."""
    first, last = min(row.day for row in rows) - DAYS_APART, max(row.day for row in rows) + DAYS_APART
    pairings: list[Pairing] = propose(rows, list(unmatched_entries(owner, first, last)))
    closed = closed_until(caller)
    accepted = [
        pairing
        for pairing in pairings
        if pairing.rule in {MatchedBy.REFERENCE, MatchedBy.DAY} and not (closed and pairing.last_day <= closed)
    ]
    save(caller, owner, accepted, 0)


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
        matched = matched_seqs(row.wallet).filter(entry_seq__in=[entry.seq for entry in fitting])
        held_seqs = set(matched.values_list("entry_seq", flat=True))
        entry = next((candidate for candidate in fitting if candidate.seq not in held_seqs), None)
        if entry is None:
            raise errors.invalid_state("Its entries of this amount are matched already.")
        save(caller, row.wallet, [Pairing([row], [entry], MatchedBy.BY_HAND, "Matched manually", certain=False)], 0)
    return row


def unmatch(caller: Caller, line_id: str) -> StatementLine:
    """Takes the match of a line apart, with all else that it holds; 409 for a line that is of none."""
    with transaction.atomic():
        row = _locked(caller, line_id)
        if row.match_id is None:
            raise errors.invalid_state("This line is not matched.")
        undo(caller, row.match_id)
    return lines(caller).get(pk=row.pk)


def lines(caller: Caller) -> QuerySet[StatementLine]:
    """The bank lines of the business."""
    return StatementLine.objects.filter(business_id=caller.business.id).select_related("wallet", "match")


def _locked(caller: Caller, line_id: str) -> StatementLine:
    line = lines(caller).select_for_update(no_key=True, of=("self",)).filter(id=line_id).first()
    if line is None:
        raise errors.not_found("bank line")
    return line
