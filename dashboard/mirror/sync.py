"""Asking the service for what the copy needs: the feed of events, days of expenses, lists that are read whole."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from functools import partial
from typing import cast
from zoneinfo import ZoneInfo

from django.core.cache import cache
from django.db import connection
from django.db.models import F
from django.utils import timezone

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.client.page import Drifted, Page, read_page
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError, NotFound
from dashboard.mirror import schedule
from dashboard.mirror.apply import bump
from dashboard.mirror.events import ServiceEvent
from dashboard.mirror.full_sync import FULL_SYNCS
from dashboard.mirror.mappers import Payload, moment
from dashboard.mirror.models import Origin, SyncCursor, SyncedDay
from dashboard.mirror.webhook_inbox import apply_event
from dashboard.mirror.window_sync import apply_day, apply_days, read_day, read_days, spans_of

log = logging.getLogger(__name__)

FEED_PAGE = 500
FEED_PAGES = 20
JOB_TRIES = 6
LOCK_S = 600
# One long read over all processes: two of them would hold both of a worker, and what a person waits for would stand behind.
LONG_READ_LOCK = 0x10C6_4EAD


def bring_up_to_date(business: Business) -> None:
    """Everything that is due: the feed, then every band. What a new connection does first, and each job after."""
    cursor = schedule.cursor_of(business)
    follow_feed(business)
    for band in schedule.due(business, cursor):
        run_band(business, band)


def follow_feed(business: Business) -> int:
    """Applies the events since the last look, in their order; how many. A service without a feed is noted as such."""
    cursor = schedule.cursor_of(business)
    if cursor.has_feed is False:
        return 0
    reader, applied = Actor.reader_for(business), 0
    if cursor.has_feed is None:
        _begin_feed(business, reader, cursor)
    for _ in range(FEED_PAGES):
        try:
            query: dict[str, str | int] = {"after": cursor.sequence, "limit": FEED_PAGE}
            answer = read_live(reader, operations_extra.READ_EVENTS, query=query, deadline=5.0)
        except NotFound:
            SyncCursor.objects.filter(pk=cursor.pk).update(has_feed=False)
            return applied
        events = read_page(answer.data).rows
        for event in events:
            _apply_or_skip(business, event)
            sequence = event.get("sequence")
            cursor.sequence = sequence if isinstance(sequence, int) else cursor.sequence
        applied += len(events)
        SyncCursor.objects.filter(pk=cursor.pk).update(
            sequence=cursor.sequence, has_feed=True, as_of=timezone.now(), failing_since=None, error=""
        )
        if len(events) < FEED_PAGE:
            break
    return applied


def _begin_feed(business: Business, reader: Actor, sync_cursor: SyncCursor) -> None:
    # The copy is filled by reading days; of the feed only what comes from now on is needed. Events keep 30 days, so
    # reading from the start would be right too, and slow.
    last = sync_cursor.sequence
    while True:
        try:
            query: dict[str, str | int] = {"after": last, "limit": FEED_PAGE}
            answer = read_live(reader, operations_extra.READ_EVENTS, query=query, deadline=5.0)
        except NotFound:
            return
        rows = read_page(answer.data).rows
        last = max([last, *(row["sequence"] for row in rows if isinstance(row.get("sequence"), int))])
        if len(rows) < FEED_PAGE:
            break
    sync_cursor.sequence = last
    SyncCursor.objects.filter(pk=sync_cursor.pk).update(sequence=last)


def _apply_or_skip(business: Business, event: Payload) -> None:
    try:
        apply_event(business, cast(ServiceEvent, event), Origin.FEED)
    except (ValueError, KeyError, TypeError) as error:
        # One event that cannot be read must not stop those behind it; its day is read again by a band.
        log.warning("event %s of business %s not applied: %s", event.get("type"), business.pk, error)


def run_due_bands(business: Business) -> None:
    """The bands whose time has come, unless another worker is at it. Of the long ones of all businesses one is read at a time:
    one that finds another being read stays due, and is tried at the next turn."""
    lock = f"mirror:bands:{business.pk}"
    if not cache.add(lock, 1, LOCK_S):
        return
    try:
        for band in schedule.due(business, schedule.cursor_of(business)):
            if band not in schedule.LONG_BANDS:
                run_band(business, band)
                continue
            with _long_read() as is_ours:
                if is_ours:
                    run_band(business, band)
    finally:
        cache.delete(lock)


def read_anew(business: Business) -> None:
    """Makes every band due that reads all there is, for a service that has more of the past than it had. Waits for a
    read that is under way, which would count as one that saw it."""
    lock, ends = f"mirror:bands:{business.pk}", time.monotonic() + LOCK_S
    while not cache.add(lock, 1, LOCK_S) and time.monotonic() < ends:
        time.sleep(0.5)
    try:
        for band in (*schedule.LONG_BANDS, "cards"):
            schedule.forget_band(business, band)
    finally:
        cache.delete(lock)


@contextmanager
def _long_read() -> Iterator[bool]:
    """Whether this process may read something long now. A process that ends lets go of it with its connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LONG_READ_LOCK])
        is_ours = bool(cursor.fetchone()[0])
    try:
        yield is_ours
    finally:
        if is_ours:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LONG_READ_LOCK])


def run_band(business: Business, band: str) -> None:
    """Reads one band whole; noted as run only where nothing failed."""
    if (read := FULL_SYNCS.get(band)) is not None:
        read(business)
    elif not _read_days(business, band):
        return
    schedule.ran(band, business)


def _read_days(business: Business, band: str) -> bool:
    reader, cursor, complete = Actor.reader_for(business), schedule.cursor_of(business), True
    first = _first_day_upstream(reader) if band == "cold" else None
    wallets = schedule.wallets_of(business)
    for span in spans_of(schedule.days(band, business, cursor, first)):
        for wallet in wallets:
            complete &= refresh_days(reader, wallet, span)
    if complete:
        SyncCursor.objects.filter(business=business).update(as_of=timezone.now(), failing_since=None, error="")
    return complete


def _page_of_expenses(reader: Actor, wallet: str, first: date, last: date, number: int, size: int) -> Page:
    query: dict[str, str | int] = {
        "accountref": wallet, "from": first.isoformat(), "to": last.isoformat(), "page": number, "limit": size,
    }  # fmt: skip
    return read_page(read_live(reader, operations.LIST_EXPENSES, query=query, tries=JOB_TRIES).data)


def refresh_days(reader: Actor, wallet: str, days: Sequence[date]) -> bool:
    """Reads days of a wallet that follow each other, newest first: those whose rows fit a page together by one request, and
    day by day where they cannot be had like that. False where one could not be read whole."""
    if len(days) == 1:
        return refresh_day(reader, wallet, days[0])
    try:
        reads, parts = read_days(partial(_page_of_expenses, reader), wallet, days, ZoneInfo(reader.business.time_zone))
    except FinanceError:
        reads, parts = [], len(days)
    if reads:
        apply_days(reader.business, reads)
        return True
    longest, complete = -(-len(days) // parts), True
    for at in range(0, len(days), longest):
        complete &= refresh_days(reader, wallet, days[at : at + longest])
    return complete


def refresh_day(reader: Actor, wallet: str, day: date) -> bool:
    """Reads a day of a wallet; False where it could not be read whole. Another wallet's failure says nothing here."""
    try:
        apply_day(reader.business, read_day(partial(_page_of_expenses, reader), wallet, day))
    except (FinanceError, Drifted) as error:
        _note_failure(reader.business, wallet, day, error)
        return False
    return True


def _note_failure(business: Business, wallet: str, day: date, error: Exception) -> None:
    SyncedDay.objects.update_or_create(business=business, org_wallet_ref=wallet, day=day, defaults={})
    SyncedDay.objects.filter(business=business, org_wallet_ref=wallet, day=day).update(failures=F("failures") + 1)
    note_outage(business, error)


def note_outage(business: Business, error: Exception) -> None:
    """Since when the service cannot be read, for the banner that says how old the page is."""
    cursor = schedule.cursor_of(business)
    SyncCursor.objects.filter(pk=cursor.pk).update(
        failing_since=cursor.failing_since or timezone.now(), error=str(error)[:300]
    )


def _first_day_upstream(reader: Actor) -> date | None:
    # The list is newest first: its last row is the first activity.
    newest = read_page(read_live(reader, operations.LIST_EXPENSES, query={"limit": 1}).data)
    if not newest.total:
        return None
    query: dict[str, str | int] = {"limit": 1, "page": newest.total}
    rows = read_page(read_live(reader, operations.LIST_EXPENSES, query=query).data).rows
    when = moment(rows[0].get("transaction_date")) if rows else None
    return when.astimezone(ZoneInfo(reader.business.time_zone)).date() - timedelta(days=1) if when else None


def follow_all(business: Business) -> None:
    """One look at the feed, by the job: a failure is noted for the pages, which go on from the copy."""
    try:
        if follow_feed(business):
            bump(business.pk)
    except FinanceError as error:
        note_outage(business, error)
