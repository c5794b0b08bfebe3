"""The cash forecast: what each day is expected to close with, per currency, and what that rests on."""

from datetime import timedelta

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.cash.balances import Holding, all_holdings
from dashboard.forecast.look import MOST, Look
from dashboard.forecast.sources import expected_of
from dashboard.pages.treasury.forecast_presenters import sections_of
from dashboard.pages.treasury.views import MOST_WALLETS, ordered_wallets
from dashboard.times import local
from dashboard.web.respond import page

TEMPLATE = "treasury/forecast.html"
HORIZONS, USUAL = (14, 30, 90), 30


@require_GET
@needs(operations.READ_CASHFLOW_REPORT)
def forecast(request: ActorRequest, business: str) -> HttpResponse:
    """What is there now, and day by day what is expected to come in, to go out and to be left."""
    look, (holdings, trouble) = _look(request), _held(request)
    expected, more = expected_of(look)
    context = {
        "sections": sections_of(look, holdings, expected),
        "trouble": trouble,
        "stale": any(each.told and not each.live for each in holdings),
        "days": (look.last - look.first).days,
        "horizons": HORIZONS,
        "until": look.said(look.last),
        "zone": f"{request.actor.business.time_zone} ({local(timezone.now(), request.actor.business):%Z})",
        "most": MOST if more else 0,
    }
    return page(request, TEMPLATE, context)


def _look(request: ActorRequest) -> Look:
    asked = request.GET.get("days", "")
    days = int(asked) if asked in map(str, HORIZONS) else USUAL
    today = local(timezone.now(), request.actor.business).date()
    return Look(request.actor, today, today + timedelta(days=days))


def _held(request: ActorRequest) -> tuple[list[Holding], str]:
    wallets = list(ordered_wallets(request).exclude(status="CLOSED"))
    return all_holdings(request.actor, wallets, MOST_WALLETS)
