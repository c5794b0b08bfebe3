"""The cashflow report: what each month opened with, took in, gave out and closed with, by effective day.

Opening and closing are the ledger's, as in statements; money in and out are those of the money movement
(service/journal/sums.py), and what else changed the wallets stands beside them as transfers.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, TypedDict

from django.db import connection

from service import errors, money
from service.accounts.wallets import wallet_by_ref
from service.auth import Caller
from service.journal.sums import JournalSums, groups
from service.ledger.post import today

DEFAULT_MONTHS = 12
MOST_MONTHS = 60

# What each month changed of a currency, by the ledger alone; the month is null for what lies before the first, and where
# nothing had moved yet: a wallet that is there is reported, however empty.
CHANGED = """
with now as materialized (
    select paying.currency, balance.account_id, balance.posted
    from accounts_wallet paying join ledger_balance balance on balance.account_id = paying.ledger_account_id
    where paying.business_id = %(business)s and paying.holder_id = ''
        and (%(wallet)s = '' or paying.org_wallet_ref = %(wallet)s)),
runs as (
    select now.currency, run.effective_on,
        lead(run.opening, 1, now.posted) over (partition by run.account_id order by run.seq) - run.opening as amount
    from now join ledger_run run on run.account_id = now.account_id)
select held.currency, case when effective_on >= %(first)s then date_trunc('month', effective_on)::date end,
    coalesce(sum(amount), 0)::bigint
from (select distinct currency from now) held
left join runs on runs.currency = held.currency and effective_on <= %(last)s
group by 1, 2
"""


class CashflowFiguresShape(TypedDict):
    """What the wallets of a currency opened with, took in, gave out, moved among themselves and closed with."""

    opening: Decimal
    money_in: Decimal
    money_out: Decimal
    transfers: Decimal
    closing: Decimal


class CashflowMonthShape(CashflowFiguresShape):
    """The figures of a month, such as 2026-03."""

    month: str


class CashflowShape(CashflowFiguresShape):
    """The figures of a currency over all months, and those of each."""

    currency: str
    months: list[CashflowMonthShape]


def months_of(caller: Caller, first: date | None, last: date | None) -> list[date]:
    """The first days of the months from one day to another; 400 the wrong way round or for more than 60 months."""
    now = today(caller.business)
    last = last or max(now, first or now)
    first = first or _plus(last, 1 - DEFAULT_MONTHS)
    if first > last:
        raise errors.invalid_parameters("from", "It lies after `to`.", "range")
    count = (last.year - first.year) * 12 + last.month - first.month + 1
    if count > MOST_MONTHS:
        raise errors.invalid_parameters("from", f"At most {MOST_MONTHS} months are reported at a time.", "range")
    return [_plus(first, number) for number in range(count)]


def end_of(month: date) -> date:
    """The last day of the month that begins on this day."""
    return date.max if (month.year, month.month) == (9999, 12) else _plus(month, 1) - timedelta(days=1)


def report(caller: Caller, months: list[date], wallet_ref: str | None) -> list[CashflowShape]:
    """Per currency of the business's wallets, every month asked for; 404 for a wallet that is none of its."""
    if wallet_ref is not None:
        wallet_ref = wallet_by_ref(caller.business, wallet_ref).org_wallet_ref
    first, last = months[0], end_of(months[-1])
    changed: dict[str, dict[date | None, int]] = defaultdict(dict)
    with connection.cursor() as cursor:
        values: dict[str, Any] = {
            "business": caller.business.id,
            "wallet": wallet_ref or "",
            "first": first,
            "last": last,
        }
        cursor.execute(CHANGED, values)
        for currency, month, minor in cursor.fetchall():
            changed[currency][month] = minor
    moved: dict[tuple[str, date], JournalSums] = defaultdict(JournalSums)
    for group in groups(caller, first, last, wallet_ref or ""):
        moved[group.currency, group.month].add(group)
    return [
        _currency(currency, changed[currency], [(month, moved[currency, month]) for month in months])
        for currency in sorted(changed)
    ]


def _currency(
    currency: str, changed: dict[date | None, int], months: Sequence[tuple[date, JournalSums]]
) -> CashflowShape:
    opening = running = changed.get(None, 0)
    rows: list[CashflowMonthShape] = []
    for month, sums in months:
        closing = running + changed.get(month, 0)
        line = _line(currency, running, sums.money_in, sums.money_out, closing)
        rows.append({"month": f"{month:%Y-%m}", **line})
        running = closing
    total_in = sum(sums.money_in for _, sums in months)
    total_out = sum(sums.money_out for _, sums in months)
    return {"currency": currency, **_line(currency, opening, total_in, total_out, running), "months": rows}


def _line(currency: str, opening: int, money_in: int, money_out: int, closing: int) -> CashflowFiguresShape:
    return {
        "opening": money.to_number(opening, currency),
        "money_in": money.to_number(money_in, currency),
        "money_out": money.to_number(money_out, currency),
        "transfers": money.to_number(closing - opening - money_in + money_out, currency),
        "closing": money.to_number(closing, currency),
    }


def _plus(day: date, months: int) -> date:
    """The first of the month so many months on; the first month of all where there is none."""
    count = max(12, day.year * 12 + day.month - 1 + months)
    return date(count // 12, count % 12 + 1, 1)
