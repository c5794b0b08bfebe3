"""Down from a figure of the books: the entries of one account in a month, one posting with all its legs, and what was
posted in a month though its own day lies before."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypedDict

from django.db import connection, transaction
from django.db.models import QuerySet

from service import errors, money
from service.accounting.books import AccountBalanceShape, account_balance
from service.accounting.periods import Month
from service.auth import Caller
from service.inputs import whole_number
from service.journal.models import Transaction
from service.ledger.models import BalanceMode, LedgerAccount, LedgerTransaction
from service.ledger.statements import balances_after, entries_up_to, statement
from service.periods import start_of

LARGEST_ID = 10**18 - 1
SECONDS = "60s"
# How often a page is read anew when something was posted meanwhile.
TRIES = 5
# The kinds of what an exchange posts (service/fx/transfers.py).
FX, FX_SPREAD = "FX", "FX_SPREAD"
# Behind the entry that is known, by the ledger's days; each with the balance after it, from that of all before.
ENTRIES = """
select transaction_id, effective_on, posted_at, kind, external_ref, description, amount,
    (%(balance)s + sum(amount) over (order by effective_on, seq))::bigint, seq
from (
    select entry.transaction_id, posted.effective_on, entry.posted_at, posted.kind, posted.external_ref,
        coalesce(entry.note, posted.description) as description, entry.amount, entry.seq
    from ledger_entry entry
    join ledger_transaction posted on posted.id = entry.transaction_id
    where entry.account_id = %(account)s and posted.effective_on between %(first)s and %(last)s
        and (posted.effective_on, entry.seq) > (%(after_day)s, %(after_seq)s)
    order by posted.effective_on, entry.seq
    limit %(limit)s
) following
order by effective_on, seq
"""
# Up to the entry that is known: how many, and what they come to; and how many there are in the month.
BEFORE = """
select count(*) filter (where is_before), coalesce(sum(amount) filter (where is_before), 0)::bigint, count(*)
from (
    select entry.amount, (posted.effective_on, entry.seq) <= (%(after_day)s, %(after_seq)s) as is_before
    from ledger_entry entry
    join ledger_transaction posted on posted.id = entry.transaction_id
    where entry.account_id = %(account)s and posted.effective_on between %(first)s and %(last)s
) of_month
"""
LEGS = """
select account.id, account.kind, coalesce(wallet.name, ''), account.currency, coalesce(entry.note, ''), entry.amount,
    case when wallet.holder_id = '' then wallet.org_wallet_ref end, entry.seq, account.mode = 'IMMEDIATE'
from ledger_entry entry
join ledger_account account on account.id = entry.account_id
left join accounts_wallet wallet on wallet.ledger_account_id = account.id
where entry.transaction_id = %(posting)s and account.business_id = %(business)s
order by account.currency, entry.amount, account.id, entry.seq
"""


class AccountEntryShape(TypedDict):
    """An entry of an account; `balance` is what the account had after it, by the ledger's days."""

    ledger_transaction_id: int
    effective_on: date
    posted_at: datetime
    type: str
    ref: str
    description: str
    amount: Decimal
    amount_minor: int
    balance: Decimal
    balance_minor: int


class AccountLedgerShape(TypedDict):
    """An account in a month, and a page of its entries, the oldest first: `before` is how many stand before them, `next_after`
    the place behind which the next ones are, None at the end."""

    period: str
    account: AccountBalanceShape
    docs: list[AccountEntryShape]
    total: int
    limit: int
    before: int
    next_after: str | None


class LegShape(TypedDict):
    """One entry of a posting: below zero where it lowers what the account's holder has. `balance` is what the account had after
    it, by the ledger's days, None where the account keeps none; `org_wallet_ref` is that of a wallet of the business."""

    account_id: int
    kind: str
    name: str
    currency: str
    amount: Decimal
    amount_minor: int
    note: str
    org_wallet_ref: str | None
    balance: Decimal | None
    balance_minor: int | None


class SpreadShape(TypedDict):
    """What an exchange cost against the mid rate: a posting of its own, beside that of its legs."""

    ledger_transaction_id: int
    currency: str
    amount: Decimal
    amount_minor: int


class SumShape(TypedDict):
    """What the entries of a posting come to in a currency."""

    currency: str
    amount: Decimal
    amount_minor: int


class MovementShape(TypedDict):
    """A transaction of the business that a posting belongs to."""

    _id: str
    type: str
    org_wallet_ref: str
    expense_id: str | None


class PostingShape(TypedDict):
    """A posting whole: its entries, their sums, the spread of an exchange, and the transactions that it belongs to."""

    ledger_transaction_id: int
    ref: str
    type: str
    description: str
    effective_on: date
    posted_at: datetime
    reverses: int | None
    entries: list[LegShape]
    sums: list[SumShape]
    spread: SpreadShape | None
    transactions: list[MovementShape]


class LateShape(TypedDict):
    """A transaction whose own day lies before the month that it was posted in."""

    _id: str
    type: str
    counterparty: str
    ref: str
    occurred_at: datetime
    effective_on: date | None
    direction: str
    currency: str
    amount: Decimal
    amount_minor: int
    ledger_transaction_id: int | None


@dataclass(frozen=True, slots=True)
class PageOfEntries:
    """Which entries of an account are asked for: those behind a place ("" from the first), and how many."""

    after: str
    size: int

    def place(self, month: Month) -> tuple[date, int]:
        """The day and the number in the account of the last entry that is known; 400 for what is no place."""
        day, _, number = (self.after or f"{month.first}.-1").rpartition(".")
        try:
            return date.fromisoformat(day), int(number)
        except ValueError:
            raise errors.invalid_parameters("after", "It is no place in an account.", "place") from None


def ledger_id(text: str) -> int:
    """A number of the ledger as it stands in a path; 404 for what is none."""
    number = whole_number(text, LARGEST_ID)
    if number is None:
        raise errors.not_found("ledger account or posting")
    return number


def account_ledger(caller: Caller, month: Month, account_id: int, page: PageOfEntries) -> AccountLedgerShape:
    """One account in a month; 404 for one in which nothing was posted until the month's end, 400 for what is no
    place in it."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"set local statement_timeout = '{SECONDS}'")
            account = account_balance(cursor, caller, month, account_id)
        if account is None:
            raise errors.not_found("ledger account")
        has_runs = LedgerAccount.objects.filter(id=account_id, mode=BalanceMode.IMMEDIATE).exists()
        read = _entries_by_runs if has_runs else _entries_by_day
        rows, before, total = read(account, month, page)
    currency = account["currency"]
    return {
        "period": month.name,
        "account": account,
        "docs": [_entry(currency, *row[:-1]) for row in rows],
        "total": total,
        "limit": page.size,
        "before": before,
        "next_after": f"{rows[-1][1]}.{rows[-1][-1]}" if rows and before + len(rows) < total else None,
    }


def _entries_by_runs(
    account_balance: AccountBalanceShape, month: Month, page: PageOfEntries
) -> tuple[list[tuple[Any, ...]], int, int]:
    """A page of an IMMEDIATE account as ENTRIES reads it, how many entries stand before it and how many there are in the month:
    from the account's runs, so that beside those of the page no entry is read. 503 where something is posted all the time."""
    account_id, (after_day, after_seq) = account_balance["account_id"], page.place(month)
    for _ in range(TRIES):
        total, before = entries_up_to(account_id, month.first, month.last, after_day, after_seq)
        size = min(page.size, total - before)
        # A statement goes from the newest on: what is posted between the two reads would move the page.
        read = statement(account_id, month.first, month.last, skipped=total - before - size, limit=size)
        if read.total == total:
            break
    else:
        raise errors.unavailable("This account is being posted to: try again shortly.")
    rows = [
        (
            line.entry.transaction_id, line.entry.transaction.effective_on, line.entry.posted_at, line.entry.transaction.kind,
            line.entry.transaction.external_ref,
            line.entry.transaction.description if line.entry.note is None else line.entry.note,
            line.entry.amount, line.balance, line.entry.seq,
        )
        for line in reversed(read.lines)
    ]  # fmt: skip
    return rows, before, total


def _entries_by_day(
    account_balance: AccountBalanceShape, month: Month, page: PageOfEntries
) -> tuple[list[tuple[Any, ...]], int, int]:
    """The same of a DEFERRED account, which has no runs: what stands before the page is added up."""
    after_day, after_seq = page.place(month)
    values: dict[str, int | date] = {
        "account": account_balance["account_id"], "first": month.first, "last": month.last, "after_day": after_day,
        "after_seq": after_seq, "limit": page.size,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(BEFORE, values)
        [(before, moved, total)] = cursor.fetchall()
        cursor.execute(ENTRIES, {**values, "balance": account_balance["opening_minor"] + moved})
        return cursor.fetchall(), before, total


def posting(caller: Caller, posting_id: int) -> PostingShape:
    """One posting; 404 for one of another business."""
    posted = LedgerTransaction.objects.filter(business=caller.business.id, id=posting_id).first()
    if posted is None:
        raise errors.not_found("posting")
    with connection.cursor() as cursor:
        cursor.execute(LEGS, {"posting": posting_id, "business": caller.business.id})
        rows = cursor.fetchall()
    legs = _legs(rows)
    movements = Transaction.objects.filter(business_id=caller.business.id, ledger_transaction_id=posting_id)
    return {
        "ledger_transaction_id": posted.pk,
        "ref": posted.external_ref,
        "type": posted.kind,
        "description": posted.description,
        "effective_on": posted.effective_on,
        "posted_at": posted.created_at,
        "reverses": posted.reverses_id,
        "entries": legs,
        "sums": _sums(legs),
        "spread": _spread(posted),
        "transactions": [
            {
                "_id": row.id,
                "type": row.type,
                "org_wallet_ref": row.org_wallet_ref,
                "expense_id": row.expense_id or None,
            }
            for row in movements.order_by("occurred_at", "id")[:1000]
        ],
    }


def late(caller: Caller, month: Month) -> QuerySet[Transaction]:
    """What was posted in the month though it happened before its first day: it arrived late, when its own month was
    closed or over."""
    return Transaction.objects.filter(
        business_id=caller.business.id,
        effective_on__range=(month.first, month.last),
        occurred_at__lt=start_of(month.first, caller.business),
    )


def late_row(row: Transaction) -> LateShape:
    """A late transaction as the interface shows it."""
    return {
        "_id": row.id,
        "type": row.type,
        "counterparty": row.counterparty,
        "ref": row.ref,
        "occurred_at": row.occurred_at,
        "effective_on": row.effective_on,
        "direction": row.direction,
        "currency": row.currency,
        "amount": money.to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "ledger_transaction_id": row.ledger_transaction_id,
    }


def _entry(
    currency: str,
    posting_id: int,
    effective_on: date,
    posted_at: datetime,
    kind: str,
    ref: str,
    description: str,
    amount: int,
    balance: int,
) -> AccountEntryShape:
    return {
        "ledger_transaction_id": posting_id,
        "effective_on": effective_on,
        "posted_at": posted_at,
        "type": kind,
        "ref": ref,
        "description": description,
        "amount": money.to_number(amount, currency),
        "amount_minor": amount,
        "balance": money.to_number(balance, currency),
        "balance_minor": balance,
    }


def _legs(rows: Sequence[tuple[Any, ...]]) -> list[LegShape]:
    """The entries as LEGS reads them, each with the balance after it where its account keeps one."""
    numbers: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        if row[-1]:
            numbers[row[0]].append(row[-2])
    balances = {account_id: balances_after(account_id, seqs) for account_id, seqs in numbers.items()}
    return [_leg(*row[:-2], balance=balances.get(row[0], {}).get(row[-2])) for row in rows]


def _leg(
    account_id: int, kind: str, name: str, currency: str, note: str, amount: int, wallet_ref: str | None, *,
    balance: int | None,
) -> LegShape:  # fmt: skip
    return {
        "account_id": account_id,
        "kind": kind,
        "name": name or kind.replace("_", " ").capitalize(),
        "currency": currency,
        "amount": money.to_number(amount, currency),
        "amount_minor": amount,
        "note": note,
        "org_wallet_ref": wallet_ref,
        "balance": None if balance is None else money.to_number(balance, currency),
        "balance_minor": balance,
    }


def _spread(posted: LedgerTransaction) -> SpreadShape | None:
    """The spread of an exchange, by the reference of its posting; None for any other posting, and where there was none."""
    if posted.kind != FX:
        return None
    spread = LedgerTransaction.objects.filter(
        business=posted.business_id, external_ref=f"{posted.external_ref}:spread", kind=FX_SPREAD
    ).first()
    earned = spread.entries.filter(amount__gt=0).first() if spread else None
    if spread is None or earned is None:
        return None
    return {
        "ledger_transaction_id": spread.pk,
        "currency": earned.currency,
        "amount": money.to_number(earned.amount, earned.currency),
        "amount_minor": earned.amount,
    }


def _sums(legs: Sequence[LegShape]) -> list[SumShape]:
    sums: list[SumShape] = []
    for currency in sorted({leg["currency"] for leg in legs}):
        minor = sum(leg["amount_minor"] for leg in legs if leg["currency"] == currency)
        sums.append({"currency": currency, "amount": money.to_number(minor, currency), "amount_minor": minor})
    return sums
