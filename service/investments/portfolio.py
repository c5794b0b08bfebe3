"""The portfolio: what is held per currency now, and how its value came about over days."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal, TypedDict

from django.db.models import Sum

from service import errors, money
from service.auth import Caller
from service.investments import access, serializers
from service.investments.models import AccountStatus, FundAccount, Movement, MovementKind, MovementStatus, Valuation
from service.ledger.post import today

HELD = (AccountStatus.ACTIVE, AccountStatus.SUSPENDED)
DEFAULT_DAYS = 90
MOST_DAYS = 366


class HoldingShape(TypedDict):
    """One fund of a currency; `share` is a part of 1 with four decimals."""

    fund_account_id: str
    fund_id: str
    fund_name: str
    market_value: Decimal
    share: Decimal


class HeldShape(TypedDict):
    """What is held in a currency."""

    currency: str
    invested: Decimal
    accrued: Decimal
    market_value: Decimal
    gain: Decimal
    cash: Decimal
    holdings: list[HoldingShape]


class DayShape(TypedDict):
    """What was held in a currency at the end of a day."""

    day: date
    invested: Decimal
    market_value: Decimal
    gain: Decimal


class PerformanceShape(TypedDict):
    """How a currency's value came about; `return_bps` is None where nothing was there to bring any."""

    currency: str
    gain: Decimal
    return_bps: int | None
    days: list[DayShape]


@dataclass(frozen=True, slots=True)
class _Day:
    """A day's sums over all accounts of a currency, in minor units."""

    day: date
    book_minor: int
    market_minor: int


def portfolio(caller: Caller) -> list[HeldShape]:
    """Per currency: what was paid, what it is worth, what it brought, and how it is spread over funds."""
    rows = list(access.visible_accounts(caller).filter(status__in=HELD).order_by("fund__code"))
    by_currency: dict[str, list[tuple[FundAccount, serializers.FundAccountShape]]] = defaultdict(list)
    for row, shape in zip(rows, serializers.accounts(rows), strict=True):
        by_currency[row.fund.currency].append((row, shape))
    return [_held(currency, by_currency[currency]) for currency in sorted(by_currency)]


def _held(currency: str, rows: Sequence[tuple[FundAccount, serializers.FundAccountShape]]) -> HeldShape:
    def total(name: Literal["invested", "accrued", "market_value", "cash"]) -> Decimal:
        return sum((shape[name] for _, shape in rows), money.to_number(0, currency))

    market = total("market_value")
    interest = money.to_number(sum(row.interest_minor for row, _ in rows), currency)
    return {
        "currency": currency,
        "invested": total("invested"),
        "accrued": total("accrued"),
        "market_value": market,
        "gain": market - total("invested") + interest,
        "cash": total("cash"),
        "holdings": [
            {
                "fund_account_id": shape["_id"],
                "fund_id": shape["fund_id"],
                "fund_name": shape["fund_name"],
                "market_value": shape["market_value"],
                "share": (shape["market_value"] / market).quantize(Decimal("0.0001")) if market else Decimal(0),
            }
            for _, shape in rows
        ],
    }


def days_of(caller: Caller, first: date | None, last: date | None) -> tuple[date, date]:
    """The days asked for, the last ninety without; 400 the wrong way round or for more than a year."""
    now = today(caller.business)
    last = last or max(now, first or now)
    first = first or max(date.min + timedelta(days=DEFAULT_DAYS), last) - timedelta(days=DEFAULT_DAYS)
    if first > last:
        raise errors.invalid_parameters("from", "It lies after `to`.", "range")
    if (last - first).days > MOST_DAYS:
        raise errors.invalid_parameters("from", f"At most {MOST_DAYS} days are shown at a time.", "range")
    return first, last


def performance(caller: Caller, first: date, last: date) -> list[PerformanceShape]:
    """Per currency, each day's value, and the gain over the period: the change less what was put in or taken out."""
    values = (
        Valuation.objects.filter(account__in=access.visible_accounts(caller).order_by(), day__range=(first, last))
        .values("account__fund__currency", "day")
        .annotate(book=Sum("book_minor"), market=Sum("market_minor"))
        .order_by("account__fund__currency", "day")
    )
    series: dict[str, list[_Day]] = defaultdict(list)
    for value in values:
        series[value["account__fund__currency"]].append(_Day(value["day"], value["book"], value["market"]))
    return [_performed(caller, currency, series[currency]) for currency in sorted(series)]


def _performed(caller: Caller, currency: str, days: Sequence[_Day]) -> PerformanceShape:
    start, end = days[0], days[-1]
    flows = _flows(caller, currency, start.day, end.day)
    gain = end.market_minor - start.market_minor - flows
    # Against what was there at first and half of what came: as if it had come in the middle (modified Dietz).
    base = 2 * start.market_minor + flows
    return {
        "currency": currency,
        "gain": money.to_number(gain, currency),
        "return_bps": int(gain * 20_000 / base) if base > 0 else None,
        "days": [
            {
                "day": day.day,
                "invested": money.to_number(day.book_minor, currency),
                "market_value": money.to_number(day.market_minor, currency),
                "gain": money.to_number(day.market_minor - day.book_minor, currency),
            }
            for day in days
        ],
    }


def _flows(caller: Caller, currency: str, after: date, until: date) -> int:
    """Money put into funds less money taken out, in minor units."""
    rows = Movement.objects.filter(
        account__in=access.visible_accounts(caller).order_by(),
        account__fund__currency=currency,
        status=MovementStatus.SETTLED,
        value_date__gt=after,
        value_date__lte=until,
    )
    by_kind = dict(rows.order_by().values_list("kind").annotate(total=Sum("amount_minor")))
    return int(by_kind.get(MovementKind.INVEST, 0)) - int(by_kind.get(MovementKind.WITHDRAW, 0))
