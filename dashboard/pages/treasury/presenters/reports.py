"""Money in and out as the service reports it: cashflow month by month, top sources and spends, fees."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from pydantic import ValidationError

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.cash.movement import Part, Trend, share, trends_in
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import BadAnswer
from dashboard.money import number, text, to_minor
from dashboard.schemas.accounts import Cashflow, MonthOfCash
from dashboard.schemas.transactions import Fee, Movement, Movements, TopOfMovement
from dashboard.times import as_of
from dashboard.web.charts import Columns, Curve, columns_of, curve_of

LIVE_S = 4.0
KINDS = {"EXPENSE": "Spending", "TOPUP": "Top-ups", "IFT": "Own transfers", "REFUND": "Refunds", "FEE": "Fees"}
CHANNELS = {"FX": "Exchange", "MPESA": "M-Pesa"}


@dataclass(frozen=True)
class CashMonth:
    """A month of the report as it is printed, in the currency that the heading names."""

    name: str
    opening: str
    came_in: str
    went_out: str
    transfers: str
    closing: str


@dataclass(frozen=True)
class CashReport:
    """One currency: its months, the oldest first, their sum, and both charts."""

    currency: str
    months: list[CashMonth]
    whole: CashMonth
    columns: Columns
    closing: Curve | None


@dataclass(frozen=True)
class Moved:
    """One currency's movement in the period: the sums, by kind, where from, what for, and the trend of three months."""

    currency: str
    came_in: str
    went_out: str
    net: str
    kinds: list[tuple[str, str]]
    sources: list[Part]
    spends: list[Part]
    trend: Trend | None


@dataclass(frozen=True)
class FeeLine:
    """Fees of one kind over one channel; the bar against the greatest of its currency."""

    kind: str
    channel: str
    currency: str
    amount: str
    count: int
    bar: int


def cashflow_of(actor: Actor, query: Mapping[str, str]) -> tuple[list[CashReport], str]:
    """The report per currency, and as of when; raises the error tree where the service does not tell."""
    answer = read_live(actor, operations.READ_CASHFLOW_REPORT, query=query, deadline=LIVE_S)
    found = typed(read_page(answer.data).rows, Cashflow)
    return [_report(one, actor.business.locale) for one in found], as_of(answer.as_of, actor.business)


def _report(one: Cashflow, locale: str) -> CashReport:
    def said(amount: Decimal) -> str:
        return number(to_minor(amount, one.currency), one.currency, locale)

    def line(name: str, of: Cashflow | MonthOfCash) -> CashMonth:
        return CashMonth(name, *map(said, (of.opening, of.money_in, of.money_out, of.transfers, of.closing)))

    months = [line(_month(month.month), month) for month in one.months]
    whole = line("Together", one)
    columns = columns_of([(month.money_in, month.money_out) for month in one.months])
    return CashReport(one.currency, months, whole, columns, curve_of([month.closing for month in one.months]))


def _month(name: str) -> str:
    try:
        return f"{datetime.strptime(name[:7], '%Y-%m'):%b %Y}"  # noqa: DTZ007 - a month has no zone
    except ValueError:
        return name


def movement_of(actor: Actor, query: Mapping[str, str]) -> tuple[list[Moved], str]:
    """The movement per currency, and as of when."""
    answer = read_live(actor, operations.READ_MONEY_MOVEMENT, query=query, deadline=LIVE_S)
    try:
        found = Movements.model_validate(answer.data if isinstance(answer.data, dict) else {"docs": answer.data})
    except ValidationError:
        raise BadAnswer(code="unreadable") from None
    locale = actor.business.locale
    trends = {trend.currency: trend for trend in trends_in(found, locale)}
    moved = [_moved(one, trends.get(one.currency), locale) for one in found.docs]
    return moved, as_of(answer.as_of, actor.business)


def _moved(one: Movement, trend: Trend | None, locale: str) -> Moved:
    def said(amount: Decimal) -> str:
        return number(to_minor(amount, one.currency), one.currency, locale)

    def parts(tops: list[TopOfMovement]) -> list[Part]:
        return [Part(top.name or "Not named", said(top.amount), top.count, share(top.share, 1)) for top in tops]

    kinds = [(KINDS.get(name, name.capitalize()), said(amount)) for name, amount in one.by_type.items()]
    if one.exchange_spread:
        kinds.append(("Exchange spread", said(one.exchange_spread)))
    return Moved(
        one.currency,
        said(one.money_in),
        said(one.money_out),
        said(one.net),
        kinds,
        parts(one.top_sources),
        parts(one.top_spends),
        trend,
    )


def fees_of(actor: Actor, query: Mapping[str, str]) -> tuple[list[FeeLine], list[str]]:
    """What was paid in fees, the greatest of each currency first, and the sum of each currency."""
    answer = read_live(actor, operations.READ_FEES, query=query, deadline=LIVE_S)
    found = sorted(typed(read_page(answer.data).rows, Fee), key=lambda one: (one.currency, -one.amount))
    top: dict[str, Decimal] = {}
    sums: dict[str, Decimal] = {}
    for one in found:
        top[one.currency] = max(top.get(one.currency, Decimal(0)), one.amount)
        sums[one.currency] = sums.get(one.currency, Decimal(0)) + one.amount
    locale = actor.business.locale
    totals = [text(to_minor(amount, currency), currency, locale) for currency, amount in sums.items()]
    lines = [
        FeeLine(
            KINDS.get(one.type, one.type.capitalize()),
            CHANNELS.get(one.channel, one.channel.replace("_", " ").capitalize()),
            one.currency,
            text(to_minor(one.amount, one.currency), one.currency, locale),
            one.count,
            share(one.amount, top[one.currency]),
        )
        for one in found
    ]
    return lines, totals
