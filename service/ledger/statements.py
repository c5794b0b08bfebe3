"""The statement of an account by effective day, ties by the order of posting (decisions F.3): what an account had before
its first line, its lines each with the balance after it, and what it had after the last.

It is read from the runs of the account (LedgerRun), so that neither a balance nor a number of lines is ever counted
entry by entry: a statement of a million lines opens as fast as one of a hundred.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection

from service.ledger.models import LedgerEntry

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

# How many entries of the range there are, and how many up to a day and a number of it: whole runs, and a part of one.
PLACE = f"""
with {RUNS}
select coalesce(sum(entries), 0)::bigint, coalesce(sum(case
    when effective_on < %(day)s then entries
    when effective_on = %(day)s then least(greatest(%(seq)s - seq + 1, 0), entries)
    else 0 end), 0)::bigint
from runs where effective_on between %(first)s and %(last)s
"""  # noqa: S608  statements of ours


@dataclass(frozen=True, slots=True)
class EntryWithBalance:
    """An entry, its transaction joined, and what the account had after it (minor units)."""

    entry: LedgerEntry
    balance: int


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


def entries_up_to(account_id: int, first: date, last: date, day: date, seq: int) -> tuple[int, int]:
    """How many entries an IMMEDIATE account has in inclusive effective days, and how many of these up to an entry by its
    effective day and number, itself counted; no entry is read for it."""
    with connection.cursor() as cursor:
        cursor.execute(PLACE, {"account": account_id, "first": first, "last": last, "day": day, "seq": seq})
        [(total, before)] = cursor.fetchall()
    return total, before


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
