"""One account of the books in a month: a page of its entries, each with what the account had after it."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from service import errors, money
from service.accounting.books import AccountBalanceShape, account_of_month
from service.accounting.periods import Month
from service.auth import Caller
from service.ledger.statements import EntriesBehind, PostedEntry, entries_behind, entries_read
from service.named_statements import named_rows

# The same as service/ledger/statements.py reads of an account with runs: of days that are added up, and of the entries behind them
# one by one. Only in the days that the page reaches entries are looked at, between the first and the last of each.
BY_DAY = """
with summed as (
    select coalesce(
        (select seq from accounting_summedaccount where business_id = %(business)s and account_id = %(account)s), 0) as seq),
since as materialized (
    select posted.effective_on, entry.seq, entry.amount
    from summed cross join lateral (
        select * from ledger_entry entry
        where entry.account_id = %(account)s and entry.seq > summed.seq and entry.seq <= 9223372036854775807 offset 0
    ) entry join ledger_transaction posted on posted.id = entry.transaction_id
    where posted.effective_on between %(first)s and %(last)s),
days as (
    select effective_on, sum(entries) as entries, sum(amount) as amount, min(first_seq) as first_seq, max(last_seq) as last_seq
    from (
        select effective_on, entries, credit - debit as amount, first_seq, last_seq from accounting_accountday
        where business_id = %(business)s and account_id = %(account)s and effective_on between %(first)s and %(last)s
        union all
        select effective_on, count(*), sum(amount), min(seq), max(seq) from since group by effective_on
    ) part group by effective_on),
placed as (
    select effective_on, first_seq, last_seq, entries, sum(amount) over days - amount as before, sum(entries) over days - entries as older,
        sum(entries) filter (where effective_on > %(day)s) over days - entries as ahead
    from days window days as (order by effective_on)),
reached as (
    select entry.*, posted.effective_on, posted.kind, posted.external_ref, coalesce(entry.note, posted.description) as description,
        (%(opening)s + placed.before + sum(entry.amount) over by_day)::bigint as balance,
        placed.older + row_number() over by_day as place
    from placed cross join lateral (
        select * from ledger_entry of_day
        where of_day.account_id = %(account)s and of_day.seq between placed.first_seq and placed.last_seq offset 0
    ) entry join ledger_transaction posted on posted.id = entry.transaction_id and posted.effective_on = placed.effective_on
    where placed.effective_on >= %(day)s and (placed.effective_on = %(day)s or placed.ahead < %(limit)s)
    window by_day as (partition by posted.effective_on order by entry.seq))
select whole.total, entry.transaction_id, entry.effective_on, entry.posted_at, entry.kind, entry.external_ref, entry.description,
    entry.amount, entry.balance, entry.seq, entry.place
from (select coalesce(sum(entries), 0)::bigint as total from days) whole
left join reached entry on (entry.effective_on, entry.seq) > (%(day)s, %(seq)s)
order by entry.effective_on, entry.seq
limit %(limit)s
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


# `from` is a word of Python: a TypedDict can name it in this form alone.
_Days = TypedDict("_Days", {"period": str, "from": date, "to": date})


class AccountLedgerShape(_Days):
    """An account in a month, with the month's state, and a page of its entries, the oldest first: `before` is how many stand before
    them, `next_after` the place behind which the next ones are, None at the end."""

    status: str
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
    place = page.place(month)
    account = account_of_month(caller, month, account_id)
    if account is None:
        raise errors.not_found("ledger account")
    if account.has_runs:
        read = entries_behind(account_id, month.first, month.last, place, page.size)
    else:
        read = _entries_by_day(caller, account.balance, month, place, page.size)
    currency, entries = account.balance["currency"], read.entries
    is_last = not entries or read.before + len(entries) >= read.total
    return {
        "period": month.name,
        "from": month.first,
        "to": month.last,
        "status": month.status(account.closed_until),
        "account": account.balance,
        "docs": [_entry(currency, row) for row in entries],
        "total": read.total,
        "limit": page.size,
        "before": read.before,
        "next_after": None if is_last else f"{entries[-1].effective_on}.{entries[-1].seq}",
    }


def _entries_by_day(
    caller: Caller, account_balance: AccountBalanceShape, month: Month, place: tuple[date, int], size: int
) -> EntriesBehind:
    """A page of a DEFERRED account, which has no runs: from its days, and the entries of those that the page reaches."""
    (day, seq), opening = place, account_balance["opening_minor"]
    values: dict[str, str | int | date] = {
        "business": caller.business.id, "account": account_balance["account_id"], "first": month.first,
        "last": month.last, "day": day, "seq": seq, "limit": size, "opening": opening,
    }  # fmt: skip
    return entries_read(named_rows(BY_DAY, values))


def _entry(currency: str, row: PostedEntry) -> AccountEntryShape:
    return {
        "ledger_transaction_id": row.transaction_id,
        "effective_on": row.effective_on,
        "posted_at": row.posted_at,
        "type": row.kind,
        "ref": row.external_ref,
        "description": row.description,
        "amount": money.to_number(row.amount, currency),
        "amount_minor": row.amount,
        "balance": money.to_number(row.balance, currency),
        "balance_minor": row.balance,
    }
