"""The statement of an account by effective day, ties by the order of posting (decisions F.3): what an account had before
its first line, its lines each with the balance after it, and what it had after the last.

It is read from the runs of the account (LedgerRun), so that neither a balance nor a number of lines is ever counted
entry by entry: a statement of a million lines opens as fast as one of a hundred.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import connection

from service.ledger.models import LedgerEntry
from service.named_statements import named_rows

# Each run of an account with how many entries it has and what they come to. The hot row is read once, not once per run.
RUNS = """
now as materialized (select seq, posted from ledger_balance where account_id = %(account)s),
runs as (
    select run.seq, run.effective_on, run.opening,
        lead(run.seq, 1, now.seq + 1) over by_seq - run.seq as entries,
        lead(run.opening, 1, now.posted) over by_seq - run.opening as amount
    from now cross join ledger_run run
    where run.account_id = %(account)s
    window by_seq as (order by run.seq))
"""
# `before` is what the account had before the run, by effective day; `newer` how many lines of the range come after it.
PAGE = f"""
with {RUNS},
whole as (
    select coalesce(sum(entries) filter (where effective_on between %(first)s and %(last)s), 0)::bigint as total,
        coalesce(sum(amount) filter (where effective_on < %(first)s), 0)::bigint as opening,
        coalesce(sum(amount) filter (where effective_on <= %(last)s), 0)::bigint as closing
    from runs),
placed as (
    select seq, effective_on, opening, entries,
        (sum(amount) over days - amount)::bigint as before,
        (sum(entries) filter (where effective_on <= %(last)s) over later - entries)::bigint as newer
    from runs
    window days as (order by effective_on, seq),
        later as (order by effective_on desc, seq desc))
select whole.total, whole.opening, whole.closing, placed.seq, placed.entries, placed.before - placed.opening,
    placed.newer
from whole left join placed on placed.effective_on between %(first)s and %(last)s
    and placed.newer < %(until)s and placed.newer + placed.entries > %(skipped)s
order by placed.newer
"""  # noqa: S608  statements of ours
AFTER = f"""
with {RUNS},
placed as (
    select seq, entries, opening, sum(amount) over (order by effective_on, seq) - amount as before from runs)
select entry.seq, (entry.balance_after + placed.before - placed.opening)::bigint
from ledger_entry entry join placed on entry.seq >= placed.seq and entry.seq < placed.seq + placed.entries
where entry.account_id = %(account)s and entry.seq = any(%(seqs)s)
"""  # noqa: S608

# The entries of the range behind a day and a number of it, the oldest first, each with the balance after it and with how many of
# the range stand up to it: only the runs that the page reaches are looked into, and `offset 0` has the posting of each entry looked
# up by its key: the planner would rather read all that there are.
FOLLOWING = f"""
with {RUNS},
placed as (
    select seq, effective_on, entries, opening,
        (sum(amount) over days - amount)::bigint as before,
        (sum(entries) filter (where effective_on >= %(first)s) over days - entries)::bigint as older
    from runs where effective_on <= %(last)s
    window days as (order by effective_on, seq)),
behind as (
    select placed.*, greatest(seq, case when effective_on = %(day)s then %(seq)s::bigint + 1 else seq end) as begins
    from placed where effective_on >= %(first)s and (effective_on, seq + entries - 1) > (%(day)s, %(seq)s)),
near as (
    select behind.*, sum(seq + entries - begins) over (order by effective_on, seq) - (seq + entries - begins) as ahead
    from behind)
select whole.total, entry.transaction_id, near.effective_on, entry.posted_at, posted.kind, posted.external_ref,
    coalesce(entry.note, posted.description), entry.amount, (entry.balance_after + near.before - near.opening)::bigint,
    entry.seq, near.older + entry.seq - near.seq + 1
from (select coalesce(sum(entries), 0)::bigint as total from placed where effective_on >= %(first)s) whole
left join (near cross join lateral (
    select * from ledger_entry of_run
    where of_run.account_id = %(account)s and of_run.seq >= near.begins and of_run.seq < near.seq + near.entries
    order by of_run.seq limit %(limit)s
) entry cross join lateral (
    select * from ledger_transaction by_key where by_key.id = entry.transaction_id offset 0
) posted) on near.ahead < %(limit)s
order by near.effective_on, entry.seq
limit %(limit)s
"""  # noqa: S608  statements of ours


@dataclass(frozen=True, slots=True)
class EntryWithBalance:
    """An entry, its transaction joined, and what the account had after it (minor units)."""

    entry: LedgerEntry
    balance: int


@dataclass(frozen=True, slots=True)
class PostedEntry:
    """An entry with what its transaction says of it, and what the account had after it by effective day (minor units)."""

    transaction_id: int
    effective_on: date
    posted_at: datetime
    kind: str
    external_ref: str
    description: str
    amount: int
    balance: int
    seq: int


@dataclass(frozen=True, slots=True)
class EntriesBehind:
    """Some entries of an account, the oldest first, of `total` in the range; `before` is how many of these stand before them."""

    entries: list[PostedEntry]
    total: int
    before: int


@dataclass(frozen=True, slots=True)
class Statement:
    """Some lines, newest first, of `total`; what there was before the first of all lines and after the last."""

    lines: list[EntryWithBalance]
    total: int
    opening: int
    closing: int


def statement(
    account_id: int, first: date | None = None, last: date | None = None, *, skipped: int = 0, limit: int = 50
) -> Statement:
    """Up to `limit` lines after the newest `skipped`, of an IMMEDIATE account and of inclusive effective days.

    Opening + all lines = closing, whatever the days; in two statements.
    """
    values: dict[str, Any] = {
        "account": account_id,
        "first": first or date.min,
        "last": last or date.max,
        "skipped": skipped,
        "until": skipped + limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(PAGE, values)
        rows = cursor.fetchall()
    total, opening, closing = rows[0][:3]
    # How much the balance by effective day differs from the one by order of posting, the same within a run.
    shifts: dict[int, int] = {}
    for seq, entries, shift, newer in (row[3:] for row in rows if row[3] is not None):
        newest = seq + entries - 1 - max(0, skipped - newer)
        oldest = max(seq, seq + entries - (skipped + limit - newer))
        shifts |= dict.fromkeys(range(newest, oldest - 1, -1), shift)
    entry_by_seq = entries_of(account_id, shifts)
    lines = [
        EntryWithBalance(entry_by_seq[seq], (entry_by_seq[seq].balance_after or 0) + shift)
        for seq, shift in shifts.items()
    ]
    return Statement(lines, total, opening, closing)


def entries_behind(account_id: int, first: date, last: date, place: tuple[date, int], limit: int) -> EntriesBehind:
    """Up to `limit` entries of an IMMEDIATE account in inclusive effective days, behind one by its effective day and number: in one
    statement, so that what is posted meanwhile moves no page, and reading no entry beside these."""
    day, seq = place
    values: dict[str, Any] = {
        "account": account_id, "first": first, "last": last, "day": day, "seq": seq, "limit": limit,
    }  # fmt: skip
    return entries_read(named_rows(FOLLOWING, values))


def entries_read(rows: Sequence[tuple[Any, ...]]) -> EntriesBehind:
    """A page of entries as FOLLOWING reads it: how many there are stands in each row, and where there is nothing behind the place
    in one of no entry."""
    total = rows[0][0]
    if rows[0][1] is None:
        return EntriesBehind([], total, total)
    return EntriesBehind([PostedEntry(*row[1:-1]) for row in rows], total, rows[0][-1] - 1)


def entries_of(account_id: int, seqs: Iterable[int]) -> dict[int, LedgerEntry]:
    """Entries of an account by their number, with their transactions."""
    rows = LedgerEntry.objects.filter(account=account_id, seq__in=list(seqs)).select_related("transaction")
    return {row.seq: row for row in rows}


def balances_after(account_id: int, seqs: Sequence[int]) -> dict[int, int]:
    """What an IMMEDIATE account had after each of these entries, by effective day."""
    if not seqs:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(AFTER, {"account": account_id, "seqs": list(seqs)})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return dict(rows)
