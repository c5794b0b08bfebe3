"""Which days are read when: what is new often, what is old seldom, so that a change is seen without an event, too.

| band   | days                                          | every |
|--------|-----------------------------------------------|-------|
| hot    | today and two days back                       | 60 s (15 s while a page is watched, 5 min where webhooks or the feed bring the news) |
| review | days that hold rows waiting for a decision    | 10 min |
| warm   | 35 days                                       | an hour |
| cold   | all days since the first, each seventh week a night | a day |

The lookups (people, teams, categories, wallets), the wallet policies and the payment requests have bands of their own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Min, Model
from django.db.models.functions import TruncDate
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.cache import load, load_many, store
from dashboard.mirror.mappers import MAPPERS
from dashboard.mirror.mappers.mapper import HOUR_S, MINUTE_S
from dashboard.mirror.models import (
    Approval,
    ApprovalRequest,
    Bill,
    Card,
    Category,
    Employee,
    Expense,
    FundAccount,
    SpendPolicy,
    SyncCursor,
    Team,
    Transaction,
    Wallet,
    WalletPolicy,
    Workflow,
)
from dashboard.times import today_of

WARM_DAYS = 35
COLD_PARTS = 7
# In the order in which they run: what others are described by comes first.
INTERVALS_S = {
    "lookups": 10 * MINUTE_S,
    "policies": 10 * MINUTE_S,
    "spend_policies": 10 * MINUTE_S,
    "workflows": 10 * MINUTE_S,
    "wallet_rights": HOUR_S,
    **{mapper.full_list.band: mapper.full_list.every_s for mapper in MAPPERS.values() if mapper.full_list is not None},
    "cards": 10 * MINUTE_S,
    "funds": 10 * MINUTE_S,
    "payouts": 10 * MINUTE_S,
    "transactions": 10 * MINUTE_S,
    "transactions_whole": 24 * HOUR_S,
    "bills": HOUR_S,
    "bills_whole": 24 * HOUR_S,
    "approvals": MINUTE_S,
    "requests": MINUTE_S,
    "hot": MINUTE_S,
    "review": 10 * MINUTE_S,
    "warm": HOUR_S,
    "cold": 24 * HOUR_S,
}
# The bands that read all rows of a table, the first time that they run.
FILLING_BANDS: dict[type[Model], tuple[str, ...]] = {
    **{mapper.model: (mapper.full_list.band,) for mapper in MAPPERS.values() if mapper.full_list is not None},
    **dict.fromkeys((Employee, Team, Wallet, Category), ("lookups",)),
    WalletPolicy: ("policies",),
    SpendPolicy: ("spend_policies",),
    Workflow: ("workflows",),
    Card: ("cards",),
    FundAccount: ("funds",),
    Transaction: ("transactions_whole",),
    Bill: ("bills_whole",),
    Approval: ("approvals",),
    ApprovalRequest: ("requests", "payouts_whole"),
    Expense: ("cold",),
}
# Bands that read a whole list, or more than a month of days: a minute and more where there is much.
LONG_BANDS = frozenset({"warm", "cold"} | {band for band in INTERVALS_S if band.endswith("_whole")})
DAY_BANDS = ("hot", "review", "warm", "cold")
# Bands that follow what is new, and so run oftener where no events come.
HOT_BANDS = ("hot", "approvals", "requests")
# Beside the times of the bands: the names of those that are due whenever they ran last.
EXPIRED = "expired"
HOT_WATCHED_S = 15.0
HOT_WITH_EVENTS_S = 5 * MINUTE_S
NEWS_IS_OLD = timedelta(minutes=2)
# Somebody who opens a page finds a copy that is at most this old, and a fresh one with the next look of the page.
FEED_UNWATCHED_S = 20.0
WATCHED_S = 60
# By business, when this process noted last that somebody is there: a page does not ask the cache for it each time.
NOTED_EVERY_S = 20.0
_noted: dict[int, float] = {}


def cursor_of(business: Business) -> SyncCursor:
    """How far the business's copy has come."""
    return SyncCursor.objects.get_or_create(business=business)[0]


def today(business: Business) -> date:
    """The day it is at the business."""
    return today_of(business)


def wallets_of(business: Business) -> list[str]:
    """The wallets whose expenses are read, each by itself: one that fails says nothing about the others."""
    wallets = Wallet.objects.filter(business=business, tombstoned_at=None).order_by("org_wallet_ref")
    return list(wallets.values_list("org_wallet_ref", flat=True).distinct())


def watch(business_id: int) -> None:
    """Somebody is at a business's pages: for a while its news are looked for oftener."""
    now = time.monotonic()
    if now - _noted.get(business_id, -WATCHED_S) > NOTED_EVERY_S:
        _noted[business_id] = now
        store(_watched(business_id), 1, WATCHED_S)


def _watched(business_id: int) -> str:
    return f"mirror:watched:{business_id}"


def feeds_due() -> list[Business]:
    """The businesses whose feed is to be looked at now: at each turn where somebody is at the pages or the copy was never read,
    else each FEED_UNWATCHED_S. One that a look failed for keeps its old time, and is tried at each turn."""
    connected = [pair for pair in _connected() if pair[1] is None or pair[1].has_feed is not False]
    watched = load_many(_watched(business.pk) for business, _ in connected)
    old = timezone.now() - timedelta(seconds=FEED_UNWATCHED_S)
    return [
        business
        for business, cursor in connected
        if cursor is None or cursor.as_of is None or cursor.as_of <= old or _watched(business.pk) in watched
    ]


def has_feed_due() -> bool:
    """Whether the feed of any business is to be looked at now."""
    return bool(feeds_due())


def businesses_due() -> list[Business]:
    """The businesses of whose bands the time of one has come."""
    return [business for business, cursor in _connected() if cursor is None or due(business, cursor)]


def has_band_due() -> bool:
    """Whether the time of any band of any business has come."""
    return any(cursor is None or due(business, cursor) for business, cursor in _connected())


def _connected() -> list[tuple[Business, SyncCursor | None]]:
    # One query for all: the schedule asks this each few seconds. A business that was never read has no cursor.
    rows = Business.objects.filter(service_account__isnull=False).select_related("mirror_cursor").order_by("pk")
    return [(business, getattr(business, "mirror_cursor", None)) for business in rows]


def period(band: str, business: Business, sync_cursor: SyncCursor) -> float:
    """Seconds between two runs of a band now: shorter while a page is watched, longer while events come."""
    if band not in HOT_BANDS:
        return INTERVALS_S[band]
    if sync_cursor.has_feed and sync_cursor.as_of and timezone.now() - sync_cursor.as_of < NEWS_IS_OLD:
        return HOT_WITH_EVENTS_S
    return HOT_WATCHED_S if load(_watched(business.pk)) else INTERVALS_S[band]


def due(business: Business, sync_cursor: SyncCursor) -> list[str]:
    """The bands whose time has come."""
    now = timezone.now()
    bands = []
    for band in INTERVALS_S:
        last = sync_cursor.bands.get(band)
        if (
            last is None
            or band in sync_cursor.bands.get(EXPIRED, ())
            or now - datetime.fromisoformat(last) >= timedelta(seconds=period(band, business, sync_cursor))
        ):
            bands.append(band)
    return bands


def days(band: str, business: Business, sync_cursor: SyncCursor, first: date | None = None) -> Iterator[date]:
    """The days of a band, newest first. `first` is the first day of activity, where it is known from upstream."""
    now = today(business)
    if band == "hot":
        yield from (now - timedelta(days=back) for back in range(3))
    elif band == "review":
        waiting = Expense.objects.filter(
            business=business, status__in=["PENDING", "DETAILS_REQUESTED"], tombstoned_at=None
        )
        day = TruncDate("transaction_date", tzinfo=ZoneInfo(business.time_zone))
        yield from waiting.annotate(day=day).order_by("-day").values_list("day", flat=True).distinct()
    elif band == "warm":
        yield from (now - timedelta(days=back) for back in range(WARM_DAYS))
    else:
        begin = first or _first_day(business)
        if begin is not None:
            part = int(sync_cursor.bands.get("cold_part", 0))
            # The first time everything: there is no copy yet to be checked bit by bit. After that whole weeks, as days that
            # follow each other are read together.
            is_first_run = sync_cursor.bands.get("cold") is None
            span = (now - begin).days + 1
            yield from (
                now - timedelta(days=back)
                for back in range(span)
                if is_first_run or (now - timedelta(days=back)).toordinal() // 7 % COLD_PARTS == part
            )


def ran(band: str, business: Business) -> None:
    """Notes that a band has now run completely; for `cold`, which part of the days is next."""
    with transaction.atomic():
        cursor = SyncCursor.objects.select_for_update(no_key=True).get(business=business)
        cursor.bands[band] = timezone.now().isoformat()
        cursor.bands[EXPIRED] = [name for name in cursor.bands.get(EXPIRED, ()) if name != band]
        if band == "cold":
            cursor.bands["cold_part"] = (int(cursor.bands.get("cold_part", 0)) + 1) % COLD_PARTS
        cursor.save(update_fields=["bands"])


def has_run(business: Business, band: str) -> bool:
    """Whether a band has run whole before."""
    return cursor_of(business).bands.get(band) is not None


def is_filled(business: Business, model: type[Model]) -> bool:
    """Whether every row of this table of the copy has been read once: before that, that there is none says nothing. What is
    no part of the copy always is."""
    cursor = SyncCursor.objects.filter(business=business).only("bands").first() if FILLING_BANDS.get(model) else None
    return is_filled_by(cursor, model)


def is_filled_by(sync_cursor: SyncCursor | None, model: type[Model]) -> bool:
    """As `is_filled`, for who has read the business's cursor already; None: nothing was read yet."""
    known = sync_cursor.bands if sync_cursor else {}
    return all(known.get(band) is not None for band in FILLING_BANDS.get(model, ()))


def expire_band(business: Business, band: str) -> None:
    """Makes a band of a business due at once: it is read again at the next sync. That it has run before stays known."""
    with transaction.atomic():
        cursor = SyncCursor.objects.select_for_update(no_key=True).filter(business=business).first()
        if cursor is not None and band not in cursor.bands.get(EXPIRED, ()):
            cursor.bands[EXPIRED] = [*cursor.bands.get(EXPIRED, ()), band]
            cursor.save(update_fields=["bands"])


def forget_band(business: Business, band: str) -> None:
    """Makes a band due as one that never ran: what it fills counts as not read whole until it has."""
    with transaction.atomic():
        cursor = SyncCursor.objects.select_for_update(no_key=True).filter(business=business).first()
        if cursor is not None and cursor.bands.pop(band, None) is not None:
            cursor.save(update_fields=["bands"])


def _first_day(business: Business) -> date | None:
    first = Expense.objects.filter(business=business).aggregate(first=Min("transaction_date"))["first"]
    return first.astimezone(ZoneInfo(business.time_zone)).date() if first else None
