"""Money in and out of a business, summed from the journal by the ledger's days: equal to the ledger to the cent.

sums.py says what counts. One object per currency (decisions B.17).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db import connection

from service import errors, money
from service.auth import Caller
from service.fx import rates
from service.journal.sums import JournalSums, groups
from service.ledger.post import today
from service.transactions.schemas import MovementQuery, PeriodQuery
from service.transactions.schemas_movement import (
    ByTypeShape,
    ConvertedShape,
    FeeShape,
    InAndOutShape,
    MoneyMovementShape,
    TopSourceShape,
    TopSpendShape,
)

TREND_MONTHS = 3
TOP = 5

SOURCES = """
select currency, counterparty, sum(case direction when 'IN' then 1 else -1 end * (amount_minor + fees_minor)), count(*)
from transactions_transaction
where business_id = %s and effective_on between %s and %s and type = 'TOPUP'
group by 1, 2
"""
# Of an expense, the subcategory that it is filed under now counts; of what is split each part under its own, the fees with
# the first.
SPENDS = """
select spent.currency, filed.id, filed.name, case when filed.id is null then spent.counterparty end,
    sum(case spent.direction when 'OUT' then 1 else -1 end * (coalesce(part.amount_minor, spent.amount_minor)
        + case when coalesce(part.position, 1) = 1 then spent.fees_minor else 0 end)), count(distinct spent.id)
from transactions_transaction spent
left join expenses_expense expense on expense.id = spent.expense_id
left join transactions_transactionpart part on part.transaction_id = spent.id
left join categories_subcategory filed on filed.id = coalesce(
    part.subcategory_id, case when expense.id is null then spent.subcategory_id else expense.subcategory_id end)
where spent.business_id = %s and spent.effective_on between %s and %s and spent.type = 'EXPENSE'
group by 1, 2, 3, 4
"""
# The spread of an exchange is no fee that a wallet paid: it is the difference between what two wallets show, at the mid
# rate, and a figure of its own.
SPREADS = """
select target.currency, sum(fee_minor)
from fx_fxtransfer transfer join accounts_wallet target on target.id = transfer.target_wallet_id
where transfer.business_id = %s and effective_on between %s and %s and fee_minor > 0
group by 1
"""


@dataclass(slots=True)
class Period:
    """Inclusive days, and the sums of each currency in them."""

    first: date
    last: date
    sums: dict[str, JournalSums] = field(default_factory=lambda: defaultdict(JournalSums))


@dataclass(frozen=True, slots=True)
class _Line:
    """What came from a source, or was spent under a subcategory (with a vendor where nothing was filed)."""

    name: str
    minor: int
    count: int
    subcategory_id: str | None = None
    vendor: str | None = None


def movement(caller: Caller, query: MovementQuery) -> list[MoneyMovementShape]:
    """The aggregate of each currency that moved in the period or in the three months up to now."""
    chosen = period(caller, query)
    if query.convert_to:
        _check_convertible(caller, query.convert_to, chosen)
    for group in groups(caller, chosen.first, chosen.last):
        chosen.sums[group.currency].add(group)
    spreads = {currency: int(minor) for currency, minor in _rows(SPREADS, caller, chosen)}
    months = _trend(caller)
    sources, spends = _sources(caller, chosen), _spends(caller, chosen)
    currencies = sorted(set(chosen.sums) | {currency for month in months for currency in month.sums})
    return [
        {
            "currency": currency,
            "period": {"from": chosen.first, "to": chosen.last},
            **_in_and_out(chosen.sums[currency], currency),
            "by_type": _by_type(chosen.sums[currency], currency),
            "top_sources": _top_sources(sources[currency], currency),
            "top_spends": _top_spends(spends[currency], currency),
            "trend": [
                {"month": f"{month.first:%Y-%m}", **_in_and_out(month.sums[currency], currency)} for month in months
            ],
            "converted": _converted(caller, currency, query.convert_to, chosen) if query.convert_to else None,
            "exchange_spread": _number(spreads.get(currency, 0), currency),
        }
        for currency in currencies
    ]


def fees(caller: Caller, query: PeriodQuery) -> list[FeeShape]:
    """What was paid in fees, by type, channel and currency: together the FEE of the movement of these days."""
    chosen = period(caller, query)
    fees_by_group: dict[tuple[str, str, str], tuple[int, int]] = {}
    for group in groups(caller, chosen.first, chosen.last):
        if group.charged:
            name = (group.currency, group.type, group.channel)
            minor, count = fees_by_group.get(name, (0, 0))
            fees_by_group[name] = (minor + group.fee, count + group.charged)
    return [
        {"type": type_, "channel": channel, "currency": currency, "amount": _number(minor, currency), "count": count}
        for (currency, type_, channel), (minor, count) in sorted(fees_by_group.items())
    ]


def period(caller: Caller, query: PeriodQuery) -> Period:
    """The days asked for; the current month and the two before it where none are. 400 the wrong way round."""
    now = today(caller.business)
    last = query.to or max(now, query.from_ or now)
    first = query.from_ or _month_before(last, TREND_MONTHS - 1)
    if first > last:
        raise errors.invalid_parameters("from", "It lies after `to`.", "range")
    return Period(first, last)


def _trend(caller: Caller) -> list[Period]:
    """The last three months, oldest first; the current one as far as it has come, and what is posted ahead in it."""
    now = today(caller.business)
    starts = [_month_before(now, back) for back in range(TREND_MONTHS - 1, -1, -1)]
    months = {start: Period(start, start) for start in starts}
    all_months = Period(starts[0], _last_day(now))
    for group in groups(caller, all_months.first, all_months.last):
        months[group.month].sums[group.currency].add(group)
    return list(months.values())


def _month_before(day: date, back: int) -> date:
    """The first of the month so many months earlier; the first of all months where there is none."""
    count = max(12, day.year * 12 + day.month - 1 - back)
    return date(count // 12, count % 12 + 1, 1)


def _last_day(day: date) -> date:
    return date.fromordinal(_month_before(day, -1).toordinal() - 1) if day.year < 9999 else date.max


def _rows(statement: str, caller: Caller, days: Period) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [caller.business.id, days.first, days.last])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _sources(caller: Caller, chosen_period: Period) -> dict[str, list[_Line]]:
    lines: dict[str, list[_Line]] = defaultdict(list)
    for currency, name, minor, count in _rows(SOURCES, caller, chosen_period):
        lines[currency].append(_Line(name, int(minor), count))
    return lines


def _spends(caller: Caller, chosen_period: Period) -> dict[str, list[_Line]]:
    lines: dict[str, list[_Line]] = defaultdict(list)
    for currency, filed, name, vendor, minor, count in _rows(SPENDS, caller, chosen_period):
        lines[currency].append(_Line(name or vendor or "", int(minor), count, filed, vendor))
    return lines


def _largest(lines: Sequence[_Line]) -> Iterator[tuple[_Line, Decimal]]:
    """The largest lines above nothing, each with its share of all."""
    total = sum(line.minor for line in lines)
    for line in sorted(lines, key=lambda line: (-line.minor, line.name))[:TOP]:
        if line.minor > 0:
            yield line, (Decimal(line.minor) / total).quantize(Decimal("0.0001")) if total else Decimal(0)


def _top_sources(lines: Sequence[_Line], currency: str) -> list[TopSourceShape]:
    return [
        {"name": line.name, "count": line.count, "amount": _number(line.minor, currency), "share": share}
        for line, share in _largest(lines)
    ]


def _top_spends(lines: Sequence[_Line], currency: str) -> list[TopSpendShape]:
    return [
        {
            "name": line.name,
            "subcategory_id": line.subcategory_id,
            "vendor": line.vendor,
            "count": line.count,
            "amount": _number(line.minor, currency),
            "share": share,
        }
        for line, share in _largest(lines)
    ]


def _by_type(sums: JournalSums, currency: str) -> ByTypeShape:
    return {
        "EXPENSE": _number(sums.expense, currency),
        "TOPUP": _number(sums.topup, currency),
        "IFT": _number(sums.ift, currency),
        "REFUND": _number(sums.refund, currency),
        "FEE": _number(sums.fee, currency),
    }


def _in_and_out(sums: JournalSums, currency: str) -> InAndOutShape:
    money_in, money_out = sums.money_in, sums.money_out
    return {
        "money_in": _number(money_in, currency),
        "money_out": _number(money_out, currency),
        "net": _number(money_in - money_out, currency),
    }


def _check_convertible(caller: Caller, currency: str, chosen_period: Period) -> None:
    if currency not in rates.CURRENCIES:
        raise errors.invalid_parameters("convert_to", "There is no rate for this currency.", "unknown")
    if chosen_period.last < today(caller.business) - timedelta(days=rates.HISTORY_DAYS - 5):
        raise errors.invalid_parameters("convert_to", "There are no rates for a period that long ago.", "range")


def _converted(caller: Caller, currency: str, target: str, chosen_period: Period) -> ConvertedShape | None:
    """At the mid rate of the period's last day, or of today where that has not come: a view, nothing is booked by it."""
    if currency not in rates.CURRENCIES:
        return None
    sums = chosen_period.sums[currency]
    rate = rates.historic(currency, target, min(chosen_period.last, today(caller.business)))
    money_in = rates.converted(sums.money_in, currency, target, rate.mid)
    money_out = rates.converted(sums.money_out, currency, target, rate.mid)
    return {
        "currency": target,
        "rate": rate.mid,
        "rate_date": rate.effective_date,
        "money_in": _number(money_in, target),
        "money_out": _number(money_out, target),
        "net": _number(money_in - money_out, target),
    }


def _number(minor: int, currency: str) -> Decimal:
    return money.to_number(minor, currency)
