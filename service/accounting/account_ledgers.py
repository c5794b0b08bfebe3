"""One account of the books in a month: a page of its entries, each with what the account had after it."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypedDict

from django.db import connection, transaction

from service import errors, money
from service.accounting.books import AccountBalanceShape, account_balance
from service.accounting.periods import Month
from service.auth import Caller
from service.ledger.models import BalanceMode, LedgerAccount
from service.ledger.statements import entries_up_to, statement

SECONDS = "60s"
# How often a page is read anew when something was posted meanwhile.
TRIES = 5
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
