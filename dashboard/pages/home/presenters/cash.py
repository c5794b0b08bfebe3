"""The cash widget: what each currency has, and how it goes on with what is expected."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.cash.balances import CurrencySum, WalletHolding, all_holdings, by_currency
from dashboard.forecast.days import Expected, Forecast, forecast_of
from dashboard.forecast.horizon import Horizon
from dashboard.forecast.sources import expected_of
from dashboard.mirror.scopes import visible_wallets
from dashboard.money import text
from dashboard.times import local
from dashboard.web.charts import Chart, balance_chart

AHEAD = timedelta(days=30)
MOST_WALLETS, MOST_CHARTS = 12, 2


@dataclass(frozen=True, slots=True)
class Outlook:
    """A currency whose wallets are all known: what is available, and on hold ("" where a wallet does not say).

    `lowest` is the least that a day of the next 30 closes with, on `lowest_day`; `chart` and `days` (each day on which
    something moves, and what it closes with) say how it comes to it. All four are empty where nothing is expected, or the
    actor sees no forecast.
    """

    total: CurrencySum
    on_hold: str
    lowest: str
    lowest_day: str
    is_short: bool
    chart: Chart | None
    days: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Cash:
    """The outlook of each currency whose wallets are all known, the wallets that are listed, and how many are not.

    `failure` says why nothing could be read live; then every amount is as it was last read.
    """

    outlooks: list[Outlook]
    holdings: list[WalletHolding]
    more: int
    failure: str


def cash_of(actor: Actor) -> Cash:
    """What the wallets hold that are not closed: all of them in the sums, the first MOST_WALLETS read live and listed."""
    wallets = visible_wallets(actor).exclude(status="CLOSED").order_by("currency", "name", "remote_id")
    holdings, failure = all_holdings(actor, wallets, MOST_WALLETS)
    today = local(timezone.now(), actor.business).date()
    horizon = Horizon(actor, today, today + AHEAD)
    expected = expected_of(horizon)[0] if can_open(actor, operations.READ_CASHFLOW_REPORT) else []
    known = [(total, group) for _, total, group in by_currency(holdings) if total]
    outlooks = [
        _outlook(horizon, total, group, expected, charted=place < MOST_CHARTS)
        for place, (total, group) in enumerate(known)
    ]
    return Cash(outlooks, holdings[:MOST_WALLETS], max(0, len(holdings) - MOST_WALLETS), failure)


def _outlook(
    horizon: Horizon, total: CurrencySum, group: list[WalletHolding], expected: list[Expected], *, charted: bool
) -> Outlook:
    currency, locale = total.currency, horizon.actor.business.locale
    opening = sum(holding.available or 0 for holding in group)
    holds = [holding.pending_out for holding in group]
    on_hold = "" if None in holds else text(sum(minor or 0 for minor in holds), currency, locale)
    forecast = forecast_of(currency, opening, expected, horizon.first, horizon.last)
    lowest = forecast.lowest if forecast.days else None
    if lowest is None:
        return Outlook(total, on_hold, "", "", is_short=False, chart=None, days=[])
    day, minor = lowest
    return Outlook(
        total,
        on_hold,
        text(minor, currency, locale),
        horizon.day_text(day),
        is_short=minor < 0,
        chart=_chart(horizon, forecast) if charted else None,
        days=[
            (horizon.day_text(moved.day), text(moved.closing, currency, locale))
            for moved in forecast.days
            if moved.closing is not None
        ],
    )


def _chart(horizon: Horizon, forecast: Forecast) -> Chart | None:
    closings = forecast.closings()
    names = [horizon.day_text(day) for day, _ in closings]
    minors = [minor for _, minor in closings]
    return balance_chart("Balance", names, minors, forecast.currency, horizon.actor.business.locale)
