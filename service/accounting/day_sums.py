"""Adds up what accounts moved, day by day, behind the postings: a month's totals are read from days, not from its entries.

An entry is never changed or taken away, so that a day's sum only grows, and each entry is added to it once: those behind the one
that an account is added up to (SummedAccount) are read one by one, until a worker has added them, too.
"""

from django.db import connection, transaction

from service.ledger.seals import settle_deferred

# So many entries are added up in one transaction.
AT_ONCE = 100_000
# Accounts with entries behind those that are added up, and their last one. In an account that is written to without a lock only
# entries below the horizon: above it one with a smaller number may still be committed.
WAITING = """
select account.id, coalesce(now.seq, settled.seq)
from ledger_account account
left join accounting_summedaccount summed on summed.business_id = account.business_id and summed.account_id = account.id
left join ledger_balance now on now.account_id = account.id
left join lateral (
    select max(entry.seq) as seq from ledger_entry entry
    where account.mode = 'DEFERRED' and entry.account_id = account.id and entry.seq <= %(horizon)s
) settled on true
where coalesce(now.seq, settled.seq) > coalesce(summed.seq, 0)
order by account.id
"""
BEGIN = """
insert into accounting_summedaccount (business_id, account_id, seq)
select business_id, id, 0 from ledger_account where id = %(account)s
on conflict do nothing
"""
LOCK = """
select business_id, seq from accounting_summedaccount
where business_id = (select business_id from ledger_account where id = %(account)s) and account_id = %(account)s
for no key update
"""
ADD = """
with next as materialized (
    select entry.seq, entry.amount, entry.transaction_id from ledger_entry entry
    where entry.account_id = %(account)s and entry.seq > %(summed)s and entry.seq <= %(until)s
    order by entry.seq limit %(limit)s),
days as (
    insert into accounting_accountday as day (business_id, account_id, effective_on, entries, debit, credit, first_seq, last_seq)
    select %(business)s, %(account)s, posted.effective_on, count(*), coalesce(-sum(next.amount) filter (where next.amount < 0), 0),
        coalesce(sum(next.amount) filter (where next.amount > 0), 0), min(next.seq), max(next.seq)
    from next join ledger_transaction posted on posted.id = next.transaction_id
    group by posted.effective_on
    on conflict (business_id, account_id, effective_on) do update set entries = day.entries + excluded.entries,
        debit = day.debit + excluded.debit, credit = day.credit + excluded.credit, last_seq = excluded.last_seq)
select max(seq), count(*) from next
"""
MARK = (
    "update accounting_summedaccount set seq = %(last)s where business_id = %(business)s and account_id = %(account)s"
)


def add_up() -> int:
    """Adds all entries that are not added up yet to the sums of their days; answers how many."""
    with connection.cursor() as cursor:
        cursor.execute(WAITING, {"horizon": settle_deferred()})
        waiting: list[tuple[int, int]] = cursor.fetchall()
    added = 0
    for account_id, until in waiting:
        while count := add_entries(account_id, until):
            added += count
    return added


def add_entries(account_id: int, until: int, limit: int = AT_ONCE) -> int:
    """Adds the next entries of an account to the sums of their days, at most so many and none with a number above `until`, below
    which nothing may be committed any more; answers how many."""
    values: dict[str, str | int] = {"account": account_id, "until": until, "limit": limit}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(BEGIN, values)
        cursor.execute(LOCK, values)
        [(business_id, summed)] = cursor.fetchall()
        cursor.execute(ADD, {**values, "business": business_id, "summed": summed})
        [(last, count)] = cursor.fetchall()
        if last is not None:
            cursor.execute(MARK, {**values, "business": business_id, "last": last})
    return int(count)
