"""Rates of exchange: the currencies there are, a quote of now, and what a pair was worth on past days."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.utils import timezone
from pydantic import ValidationError

from dashboard import cache, operations
from dashboard.access.actor import Actor
from dashboard.client.page import read_page, typed
from dashboard.client.reads import Ok, fan_out, read_live
from dashboard.errors import BadAnswer, FinanceError
from dashboard.schemas.fx import FxCurrency, Historic, Quote
from dashboard.times import local
from dashboard.web.charts import Curve, curve_of

LIVE_S = 4.0
POINTS = 12
CURRENCIES_LAST_S = 600
# A fixing of a past day stays what it was.
FIXING_LASTS_S = 24 * 3600


@dataclass(frozen=True)
class History:
    """What a pair was worth: day and rate, the newest first, and the line through them; how many days did not answer."""

    rows: list[tuple[str, str]]
    curve: Curve | None
    least: str
    most: str
    missing: int


def rate_text(rate: Decimal) -> str:
    """A rate with the digits that people look at: 129.5012, 0.007721868."""
    return f"{rate:.7g}"


def currencies_of(actor: Actor, known: list[str]) -> list[tuple[str, str]]:
    """What can be exchanged, by code; those of the wallets alone where the service does not tell."""
    name = f"fx:currencies:{actor.business.pk}"
    kept: list[tuple[str, str]] | None = cache.recall(name)
    if kept:
        return kept
    try:
        answer = read_live(actor, operations.LIST_FX_CURRENCIES, deadline=LIVE_S)
        found = [(one.code, f"{one.code} {one.name}") for one in typed(read_page(answer.data).rows, FxCurrency)]
    except FinanceError:
        return [(code, code) for code in known]
    cache.keep(name, found, CURRENCIES_LAST_S)
    return found


def quote_of(actor: Actor, source: str, target: str, amount: Decimal | None, side: str) -> Quote:
    """A quote of now; raises the error tree."""
    body = {"from": source, "to": target, "amount": amount, "side": side}
    answer = read_live(actor, operations.READ_FX_RATE, body=body, deadline=LIVE_S)
    try:
        return Quote.model_validate(answer.data)
    except ValidationError:
        raise BadAnswer(code="unreadable") from None


def history_of(actor: Actor, source: str, target: str, span: int) -> History:
    """The mid rate on some days of the span, asked at once; days that were asked before are not asked again."""
    today = local(timezone.now(), actor.business).date()
    days = [today - timedelta(days=span * back // POINTS) for back in range(POINTS, -1, -1)]
    found = {day: cache.recall(_name(actor, source, target, day)) for day in days}
    calls = {
        day.isoformat(): {"body": {"from": source, "to": target, "date": day}} for day in days if found[day] is None
    }
    for asked, result in fan_out(actor, operations.READ_HISTORIC_FX_RATE, calls, deadline=LIVE_S).items():
        day = date.fromisoformat(asked)
        found[day] = _fixing(result.answer.data) if isinstance(result, Ok) else None
        if found[day] and day < today:
            cache.keep(_name(actor, source, target, day), found[day], FIXING_LASTS_S)
    # Days without a fixing tell the one before: each fixing once.
    fixings = dict(sorted(each for each in found.values() if each))
    rates = list(fixings.values())
    rows = [(f"{day.day} {day:%b %Y}", rate_text(rate)) for day, rate in reversed(fixings.items())]
    least, most = (rate_text(min(rates)), rate_text(max(rates))) if rates else ("", "")
    return History(rows, curve_of(rates), least, most, sum(each is None for each in found.values()))


def _fixing(data: object) -> tuple[date, Decimal] | None:
    try:
        found = Historic.model_validate(data)
    except ValidationError:
        return None
    return found.effective_date, found.mid


def _name(actor: Actor, source: str, target: str, day: date) -> str:
    return f"fx:fixing:{actor.business.pk}:{source}:{target}:{day}"
