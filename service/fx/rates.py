"""Rates: kept as the feed gives them, read as a mid rate between two currencies now or on a day."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

from django.utils import timezone

from service import errors, money
from service.fx.models import Rate
from service.rails import fx_feed
from service.rails.fx_feed import AROUND, FRESH_FOR, FeedDownError, Quotation

log = logging.getLogger(__name__)

STALE_AFTER = timedelta(minutes=15)
KEEP_INTRADAY = timedelta(days=2)
HISTORY_DAYS = 400
MID_PLACES = Decimal("0.0000000001")
CURRENCIES = frozenset(AROUND)


@dataclass(frozen=True, slots=True)
class Mid:
    """How many units of one currency another is worth, without any markup; `effective_date` is the fixing's day."""

    mid: Decimal
    as_of: datetime
    effective_date: date
    source: str


def known(currency: str, field: str) -> str:
    """The currency, if rates exist for it; 422 otherwise."""
    if currency not in CURRENCIES:
        raise errors.validation_failed(field, "There is no rate for this currency.", "unknown")
    return currency


def refresh() -> None:
    """Asks the feed unless the newest rates are less than a minute old. Silence changes nothing: rates grow old then."""
    now = timezone.now()
    rows = Rate.objects.filter(fixing=False, as_of__lte=now)
    newest = rows.order_by("-as_of").values_list("as_of", flat=True).first()
    if newest is not None and now - newest < FRESH_FOR:
        return
    try:
        _store(fx_feed.feed.now(now), fixing=False)
    except FeedDownError:
        log.warning("the rate feed does not answer")


def current(source: str, target: str) -> Mid:
    """The mid rate now; 503 rate_unavailable where the feed has been silent for 15 minutes."""
    now = timezone.now()
    latest = {
        row.currency: row
        for row in Rate.objects.filter(fixing=False, currency__in=(source, target), as_of__lte=now)
        .order_by("currency", "-as_of")
        .distinct("currency")
    }
    since = now - STALE_AFTER
    if any(code not in latest or latest[code].as_of < since for code in (source, target)):
        raise errors.ServiceError(
            503,
            "rate_unavailable",
            "There is no fresh rate: the feed is silent.",
            retryable=True,
            headers={"Retry-After": "30"},
        )
    return _between(latest[source], latest[target])


def historic(source: str, target: str, day: date) -> Mid:
    """The mid rate of the last fixing on or before a day; 422 for a day before any that can be had."""
    today = timezone.now().date()
    for back in range(5):  # over a weekend, and holidays of the feed
        earliest = min(day, today) - timedelta(days=back)
        if earliest < today - timedelta(days=HISTORY_DAYS):
            break
        rows = {row.currency: row for row in fixings(earliest) if row.currency in (source, target)}
        if source in rows and target in rows:
            return _between(rows[source], rows[target])
    raise errors.validation_failed("date", f"Rates are kept for {HISTORY_DAYS} days.", "range")


def fixings(day: date) -> Sequence[Rate]:
    """The rates fixed for a day, asked of the feed the first time; none for a day without."""
    rows = list(Rate.objects.filter(fixing=True, day=day))
    if rows:
        return rows
    try:
        quotation = fx_feed.feed.fixing(day)
    except FeedDownError:
        log.warning("the rate feed does not answer")
        return []
    return _store(quotation, fixing=True) if quotation else []


def remember_history() -> int:
    """Keeps the fixings of the last 400 days that are missing, and forgets the minutes of past days; how many were new."""
    today = timezone.now().date()
    days = [today - timedelta(days=back) for back in range(HISTORY_DAYS + 1)]
    known_days = set(Rate.objects.filter(fixing=True, day__gte=days[-1]).values_list("day", flat=True).distinct())
    missing = [day for day in days if day not in known_days]
    Rate.objects.filter(fixing=False, as_of__lt=timezone.now() - KEEP_INTRADAY).delete()
    return sum(1 for day in missing if fixings(day))


def _store(quotation: Quotation, *, fixing: bool) -> list[Rate]:
    rows = [
        Rate(
            currency=code,
            as_of=quotation.as_of,
            day=quotation.as_of.date(),
            fixing=fixing,
            per_dollar=per_dollar,
            source=fx_feed.feed.name,
        )
        for code, per_dollar in quotation.per_dollar.items()
    ]
    return Rate.objects.bulk_create(rows, ignore_conflicts=True)


def _between(source_rate: Rate, target_rate: Rate) -> Mid:
    older = min(source_rate, target_rate, key=lambda row: row.as_of)
    mid = (target_rate.per_dollar / source_rate.per_dollar).quantize(MID_PLACES, ROUND_HALF_EVEN)
    return Mid(mid, older.as_of, older.day, older.source)


def converted(minor: int, source: str, target: str, rate: Decimal) -> int:
    """Minor units of `target` for minor units of `source` at a rate, cut off: for showing, and the mid value booked."""
    exact = Decimal(minor) * rate * Decimal(10) ** (money.exponent(target) - money.exponent(source))
    return int(exact.to_integral_value(ROUND_DOWN))
