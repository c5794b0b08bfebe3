"""A forecast as it is printed: per currency the sums, both charts, each day with what it rests on, and what is left out."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypedDict

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.cash.balances import WalletHolding, all_holdings
from dashboard.forecast.days import Day, Expected, Forecast, days_between, forecast_of
from dashboard.forecast.horizon import MAX_FORECAST_ROWS, Horizon
from dashboard.forecast.payments_due import payments_due, sums_of
from dashboard.forecast.sources import expected_of
from dashboard.money import number, text
from dashboard.pages.treasury.selectors import ordered_wallets
from dashboard.times import as_of, local
from dashboard.web.charts import Chart, balance_chart, flow_chart

HORIZONS, USUAL_DAYS = (14, 30, 90), 30
MOST_WALLETS = 100
# So many lines of a day stand open; the rest is unfolded.
OPEN_LINES = 8


@dataclass(frozen=True)
class Line:
    """Money that is expected: what it is, what is known of it, its page or "", and its amount with its sign or ""."""

    title: str
    about: str
    href: str
    amount: str


@dataclass(frozen=True)
class DayRow:
    """A day on which something moves; the amounts in the currency that the heading names."""

    name: str
    lines: list[Line]
    more: list[Line]
    came_in: str
    went_out: str
    closing: str
    below: bool


@dataclass(frozen=True)
class Section:
    """One currency; without `opening` it is not known what there is, and so nothing is said of what is left.

    `due` and `undated` are what payments_due.py counts, as on Home; empty where there is no such payment.
    """

    currency: str
    opening: str
    seen: str
    copied: str
    why_unknown: str
    came_in: str
    went_out: str
    closing: str
    lowest: str
    short: str
    due: str
    undated: str
    flows: Chart | None
    balances: Chart | None
    days: list[DayRow]
    left_out: list[tuple[Line, str]]


class ForecastContext(TypedDict):
    """What treasury/forecast.html reads: the section of each currency; `failure` or `stale` where balances are from the
    copy; `until` and `zone` in words; `most` where more than so many rows of a kind are expected, else 0."""

    sections: list[Section]
    failure: str
    stale: bool
    days: int
    horizons: tuple[int, ...]
    until: str
    zone: str
    most: int


def forecast_context(actor: Actor, days: str) -> ForecastContext:
    """The context of the forecast for so many days (one of HORIZONS, else the usual)."""
    today = local(timezone.now(), actor.business).date()
    last = today + timedelta(days=int(days) if days in map(str, HORIZONS) else USUAL_DAYS)
    horizon = Horizon(actor, today, last)
    holdings, failure = all_holdings(actor, ordered_wallets(actor).exclude(status="CLOSED"), MOST_WALLETS)
    expected, more = expected_of(horizon)
    return {
        "sections": sections_of(horizon, holdings, expected),
        "failure": failure,
        "stale": any(holding.visible and not holding.live for holding in holdings),
        "days": (last - today).days,
        "horizons": HORIZONS,
        "until": horizon.day_text(last),
        "zone": f"{actor.business.time_zone} ({local(timezone.now(), actor.business):%Z})",
        "most": MAX_FORECAST_ROWS if more else 0,
    }


def sections_of(horizon: Horizon, holdings: list[WalletHolding], expected: list[Expected]) -> list[Section]:
    """Every currency that there is a wallet of, or that something is expected in; those that run short first."""
    currencies = {holding.wallet.currency for holding in holdings} | {item.currency for item in expected}
    sections = [_section(horizon, code, _holdings_in(holdings, code), expected) for code in sorted(currencies)]
    return sorted(sections, key=lambda section: not section.short)


def _holdings_in(holdings: list[WalletHolding], currency: str) -> list[WalletHolding]:
    return [holding for holding in holdings if holding.wallet.currency == currency]


def _section(horizon: Horizon, currency: str, holdings: list[WalletHolding], expected: Iterable[Expected]) -> Section:
    is_known = bool(holdings) and all(holding.available is not None for holding in holdings)
    opening = sum(holding.available or 0 for holding in holdings) if is_known else None
    forecast = forecast_of(currency, opening, expected, horizon.first, horizon.last)
    flows, closings = forecast.flows(), forecast.closings()
    names = [horizon.day_text(day) for day in days_between(horizon.first, horizon.last)]
    minors, locale = [minor for _, minor in closings], horizon.actor.business.locale
    moves, payments = bool(forecast.days), payments_due(expected, horizon.first)
    return Section(
        currency=currency,
        opening="" if opening is None else horizon.money(opening, currency),
        seen=_as_of(horizon, holdings) if is_known else "",
        copied=_copied(holdings),
        why_unknown="" if is_known else _unknown(currency, holdings),
        came_in=horizon.money(sum(came for came, _ in flows), currency),
        went_out=horizon.money(sum(went for _, went in flows), currency),
        closing=horizon.money(closings[-1][1], currency) if closings else "",
        lowest=_at(horizon, currency, forecast.lowest),
        short=_short(horizon, forecast),
        due=_sum(horizon, currency, payments.dated),
        undated=_sum(horizon, currency, payments.undated),
        flows=flow_chart(names, flows, currency, locale) if moves else None,
        balances=balance_chart("Balance", names, minors, currency, locale) if moves else None,
        days=[_day(horizon, currency, day) for day in forecast.days],
        left_out=[(_line(horizon, item), why) for item, why in forecast.left_out],
    )


def _sum(horizon: Horizon, currency: str, payments: Iterable[Expected]) -> str:
    minor = sums_of(payments).get(currency)
    return horizon.money(minor, currency) if minor else ""


def _as_of(horizon: Horizon, holdings: list[WalletHolding]) -> str:
    copies = [holding.wallet.last_seen for holding in holdings if not holding.live]
    return as_of(min(copies), horizon.actor.business) if copies else holdings[0].seen


def _copied(holdings: list[WalletHolding]) -> str:
    if all(holding.live for holding in holdings):
        return ""
    return "partly from the copy," if any(holding.live for holding in holdings) else "from the copy,"


def _unknown(currency: str, holdings: list[WalletHolding]) -> str:
    if not currency:
        return "The finance service gives no currency for these."
    if not holdings:
        return f"No wallet in {currency} is known, so daily balances are not known either."
    return f"The balances of the wallets in {currency} are not known now, so daily balances are not known either."


def _at(horizon: Horizon, currency: str, closing: tuple[date, int] | None) -> str:
    return f"{horizon.money(closing[1], currency)} on {horizon.day_text(closing[0])}" if closing else ""


def _short(horizon: Horizon, forecast: Forecast) -> str:
    if forecast.short is None:
        return ""
    day, minor = forecast.short
    missing = text(-minor, forecast.currency, horizon.actor.business.locale)
    return f"{forecast.currency} runs short {'today' if day == horizon.first else f'on {horizon.day_text(day)}'} by {missing}"


def _day(horizon: Horizon, currency: str, day: Day) -> DayRow:
    def amount(minor: int | None) -> str:
        return "" if minor is None else number(minor, currency, horizon.actor.business.locale)

    lines = [_line(horizon, item) for item in day.items]
    return DayRow(
        name=f"{day.day:%a} {horizon.day_text(day.day)}{', today' if day.day == horizon.first else ''}",
        lines=lines[:OPEN_LINES],
        more=lines[OPEN_LINES:],
        came_in=amount(day.came_in) if day.came_in else "",
        went_out=amount(day.went_out) if day.went_out else "",
        closing=amount(day.closing) or "not known",
        below=day.closing is not None and day.closing < 0,
    )


def _line(horizon: Horizon, expected: Expected) -> Line:
    late = expected.day is not None and expected.day < horizon.first and not expected.why_not
    about = f"{expected.about}; overdue, so it counts today" if late else expected.about
    if expected.minor is None:
        return Line(expected.title, about, expected.href, "")
    sign = "+" if expected.minor > 0 else ""
    amount = number(expected.minor, expected.currency, horizon.actor.business.locale)
    return Line(expected.title, about, expected.href, f"{sign}{amount}")
