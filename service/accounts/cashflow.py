"""The cashflow report: what each month opened with, took in, gave out and closed with, by the ledger's days."""

from collections import defaultdict
from datetime import date, timedelta
from typing import Any

from django.db import connection

from service import errors, money
from service.accounts.wallets import wallet
from service.auth import Caller
from service.ledger.post import today

DEFAULT_MONTHS = 12
MOST_MONTHS = 60

# Each ledger transaction counts with what it changed of a currency in all: transfers between own wallets come to
# nothing. The month is null for what lies before the first.
MOVED = """
select currency, case when effective_on >= %(first)s then date_trunc('month', effective_on)::date end,
    coalesce(sum(net) filter (where net > 0), 0)::bigint, coalesce(-sum(net) filter (where net < 0), 0)::bigint
from (
    select paying.currency, posted.effective_on, sum(entry.amount) as net
    from accounts_wallet paying
    join ledger_entry entry on entry.account_id = paying.ledger_account_id
    join ledger_transaction posted on posted.id = entry.transaction_id
    where paying.business_id = %(business)s and paying.holder_id = '' and posted.effective_on <= %(last)s
        and (%(wallet)s = '' or paying.org_wallet_ref = %(wallet)s)
    group by posted.id, paying.currency) moved
group by 1, 2
"""


def months_of(caller: Caller, first: date | None, last: date | None) -> list[date]:
    """The first days of the months from one day to another; 400 the wrong way round or for more than 60 months."""
    now = today(caller.business)
    last = last or max(now, first or now)
    first = first or _plus(last, 1 - DEFAULT_MONTHS)
    if first > last:
        raise errors.invalid_parameters("from", "It lies after `to`.", "range")
    count = (last.year - first.year) * 12 + last.month - first.month + 1
    if count > MOST_MONTHS:
        raise errors.invalid_parameters("from", f"At most {MOST_MONTHS} months are reported at once.", "range")
    return [_plus(first, number) for number in range(count)]


def end_of(month: date) -> date:
    """Its last day."""
    return date.max if (month.year, month.month) == (9999, 12) else _plus(month, 1) - timedelta(days=1)


def report(caller: Caller, months: list[date], wallet_ref: str | None) -> list[dict[str, Any]]:
    """Per currency of the business's wallets, every month asked for; 404 for a wallet that is none of its."""
    if wallet_ref is not None:
        wallet_ref = wallet(caller.business, wallet_ref).org_wallet_ref
    moved: dict[str, dict[date | None, tuple[int, int]]] = defaultdict(dict)
    with connection.cursor() as cursor:
        days = {"first": months[0], "last": end_of(months[-1])}
        cursor.execute(MOVED, {"business": caller.business.id, "wallet": wallet_ref or "", **days})
        for currency, month, money_in, money_out in cursor.fetchall():
            moved[currency][month] = (money_in, money_out)
    return [_currency(currency, moved[currency], months) for currency in sorted(moved)]


def _currency(currency: str, moved: dict[date | None, tuple[int, int]], months: list[date]) -> dict[str, Any]:
    before_in, before_out = moved.get(None, (0, 0))
    opening = running = before_in - before_out
    rows = []
    for month in months:
        money_in, money_out = moved.get(month, (0, 0))
        rows.append({"month": f"{month:%Y-%m}", **_line(currency, running, money_in, money_out)})
        running += money_in - money_out
    total_in = sum(moved.get(month, (0, 0))[0] for month in months)
    total_out = sum(moved.get(month, (0, 0))[1] for month in months)
    return {"currency": currency, **_line(currency, opening, total_in, total_out), "months": rows}


def _line(currency: str, opening: int, money_in: int, money_out: int) -> dict[str, Any]:
    minor = {
        "opening": opening,
        "money_in": money_in,
        "money_out": money_out,
        "closing": opening + money_in - money_out,
    }
    return {name: money.to_number(value, currency) for name, value in minor.items()}


def _plus(day: date, months: int) -> date:
    """The first of the month so many months on; the first month of all where there is none."""
    count = max(12, day.year * 12 + day.month - 1 + months)
    return date(count // 12, count % 12 + 1, 1)
