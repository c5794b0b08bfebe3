"""Asking the service for what the copy needs: the feed of events, days of expenses, payment requests, lookups."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.core.cache import cache
from django.db.models import F
from django.utils import timezone

from dashboard import extensions, operations
from dashboard.access.actor import Actor, forget_standing
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.client import gateway
from dashboard.client.errors import FinanceError, Forbidden, NotFound
from dashboard.client.page import Drifted, Page, every_row, read_page
from dashboard.mirror import bands
from dashboard.mirror.apply import bump, upsert
from dashboard.mirror.inbox import apply_event, follow_employment
from dashboard.mirror.models import Approval, Cursor, Source, Wallet, Window
from dashboard.mirror.rows import Payload, moment
from dashboard.mirror.windows import read_day, take_in

log = logging.getLogger(__name__)

FEED_PAGE = 500
FEED_PAGES = 20
JOB_TRIES = 6
ONE_AT_A_TIME_S = 600


def bring_up_to_date(business: Business) -> None:
    """Everything that is due: the feed, then every band. What a new connection does first, and each job after."""
    cursor = cursor_of(business)
    follow_feed(business)
    for band in bands.due(business, cursor):
        run_band(business, band)


def cursor_of(business: Business) -> Cursor:
    """How far the business's copy has come."""
    return Cursor.objects.get_or_create(business=business)[0]


def follow_feed(business: Business) -> int:
    """Applies the events since the last look, in their order; how many. A service without a feed is noted as such."""
    cursor = cursor_of(business)
    if cursor.has_feed is False:
        return 0
    reader, applied = Actor.reader_for(business), 0
    if cursor.has_feed is None:
        _begin_feed(business, reader, cursor)
    for _ in range(FEED_PAGES):
        try:
            query: dict[str, str | int] = {"after": cursor.sequence, "limit": FEED_PAGE}
            answer = gateway.send(reader, extensions.READ_EVENTS, query=query, deadline=5.0)
        except NotFound:
            Cursor.objects.filter(pk=cursor.pk).update(has_feed=False)
            return applied
        events = read_page(answer.data).rows
        for event in events:
            _apply_or_skip(business, event)
            sequence = event.get("sequence")
            cursor.sequence = sequence if isinstance(sequence, int) else cursor.sequence
        applied += len(events)
        Cursor.objects.filter(pk=cursor.pk).update(
            sequence=cursor.sequence, has_feed=True, as_of=timezone.now(), failing_since=None, error=""
        )
        if len(events) < FEED_PAGE:
            break
    return applied


def _begin_feed(business: Business, reader: Actor, cursor: Cursor) -> None:
    # The copy is filled by reading days; of the feed only what comes from now on is needed. Events keep 30 days, so
    # reading from the start would be right too, and slow.
    last = cursor.sequence
    while True:
        try:
            query: dict[str, str | int] = {"after": last, "limit": FEED_PAGE}
            answer = gateway.send(reader, extensions.READ_EVENTS, query=query, deadline=5.0)
        except NotFound:
            return
        rows = read_page(answer.data).rows
        last = max([last, *(row["sequence"] for row in rows if isinstance(row.get("sequence"), int))])
        if len(rows) < FEED_PAGE:
            break
    cursor.sequence = last
    Cursor.objects.filter(pk=cursor.pk).update(sequence=last)


def _apply_or_skip(business: Business, event: Payload) -> None:
    try:
        apply_event(business, event, Source.FEED)
    except (ValueError, KeyError, TypeError) as error:
        # One event that cannot be read must not stop those behind it; its day is read again by a band.
        log.warning("event %s of business %s not applied: %s", event.get("type"), business.pk, error)


def run_due_bands(business: Business) -> None:
    """The bands whose time has come, unless another worker is at it."""
    lock = f"mirror:bands:{business.pk}"
    if not cache.add(lock, 1, ONE_AT_A_TIME_S):
        return
    try:
        for band in bands.due(business, cursor_of(business)):
            run_band(business, band)
    finally:
        cache.delete(lock)


def run_band(business: Business, band: str) -> None:
    """Reads one band whole; noted as run only where nothing failed."""
    if band == "lookups":
        refresh_lookups(business)
    elif band == "policies":
        refresh_policies(business)
    elif band == "customers":
        refresh_customers(business)
    elif band == "approvals":
        refresh_approvals(business)
    elif not _read_days(business, band):
        return
    bands.ran(band, business)


def _read_days(business: Business, band: str) -> bool:
    reader, cursor, whole = Actor.reader_for(business), cursor_of(business), True
    first = _first_day_upstream(reader) if band == "cold" else None
    wallets = bands.wallets_of(business)
    for day in bands.days(band, business, cursor, first):
        for wallet in wallets:
            whole &= refresh_day(reader, wallet, day)
    if whole:
        Cursor.objects.filter(business=business).update(as_of=timezone.now(), failing_since=None, error="")
    return whole


def refresh_day(reader: Actor, wallet: str, day: date) -> bool:
    """Reads a day of a wallet; False where it could not be read whole. Another wallet's failure says nothing here."""

    def read(wallet: str, first: date, last: date, number: int, size: int) -> Page:
        query: dict[str, str | int] = {
            "accountref": wallet, "from": first.isoformat(), "to": last.isoformat(), "page": number, "limit": size,
        }  # fmt: skip
        return read_page(gateway.send(reader, operations.LIST_EXPENSES, query=query, tries=JOB_TRIES).data)

    try:
        take_in(reader.business, read_day(read, wallet, day))
    except (FinanceError, Drifted) as error:
        _note_failure(reader.business, wallet, day, error)
        return False
    return True


def _note_failure(business: Business, wallet: str, day: date, error: Exception) -> None:
    Window.objects.update_or_create(business=business, org_wallet_ref=wallet, day=day, defaults={})
    Window.objects.filter(business=business, org_wallet_ref=wallet, day=day).update(failures=F("failures") + 1)
    note_outage(business, error)


def note_outage(business: Business, error: Exception) -> None:
    """Since when the service cannot be read, for the banner that says how old the page is."""
    cursor = cursor_of(business)
    Cursor.objects.filter(pk=cursor.pk).update(
        failing_since=cursor.failing_since or timezone.now(), error=str(error)[:300]
    )


def _first_day_upstream(reader: Actor) -> date | None:
    # The list is newest first: its last row is the first activity.
    newest = read_page(gateway.send(reader, operations.LIST_EXPENSES, query={"limit": 1}).data)
    if not newest.total:
        return None
    query: dict[str, str | int] = {"limit": 1, "page": newest.total}
    rows = read_page(gateway.send(reader, operations.LIST_EXPENSES, query=query).data).rows
    when = moment(rows[0].get("transaction_date")) if rows else None
    return when.astimezone(ZoneInfo(reader.business.time_zone)).date() - timedelta(days=1) if when else None


def all_of(
    reader: Actor, operation: Operation, *, path: dict[str, str] | None = None, **query: str | int
) -> Iterator[dict[str, Any]]:
    """Every row of a list operation."""

    def fetch(number: int, size: int) -> Page:
        asked: dict[str, str | int] = {**query, "page": number, "limit": size}
        return read_page(gateway.send(reader, operation, path=path, query=asked, tries=JOB_TRIES).data)

    return every_row(fetch)


def refresh_lookups(business: Business) -> None:
    """People, teams, categories and wallets: small lists, read whole."""
    reader = Actor.reader_for(business)
    people = list(all_of(reader, operations.LIST_EMPLOYEES))
    upsert("employee", business, people, Source.POLL, read_at=timezone.now())
    for person in people:
        follow_employment(business, person)
    upsert("team", business, all_of(reader, operations.LIST_TEAMS), Source.POLL, read_at=timezone.now())
    upsert("wallet", business, all_of(reader, operations.LIST_ACCOUNTS), Source.POLL, read_at=timezone.now())
    subcategories = [
        {**child, "category": {"_id": parent.get("_id"), "name": parent.get("name")}}
        for parent in all_of(reader, operations.LIST_CATEGORIES)
        for child in parent.get("subcategories") or []
    ]
    upsert("category", business, subcategories, Source.POLL, read_at=timezone.now())


def refresh_policies(business: Business) -> None:
    """Wallet policies, wallet by wallet. An account that is not entitled to them has none: nothing is granted then."""
    reader = Actor.reader_for(business)
    found: list[Payload] = []
    try:
        for wallet_id in Wallet.objects.filter(business=business, tombstoned_at=None).values_list(
            "remote_id", flat=True
        ):
            found += all_of(reader, operations.LIST_WALLET_POLICIES, path={"walletId": wallet_id})
    except (Forbidden, NotFound) as refused:
        log.info("no wallet policies of business %s: %s", business.pk, refused.code)
        return
    upsert("wallet_policy", business, found, Source.POLL, read_at=timezone.now())
    for employee_id in {str(policy.get("employee_id") or "") for policy in found}:
        forget_standing(business.pk, employee_id)


def refresh_customers(business: Business) -> None:
    """All customers, the deleted among them: they are looked at and restored."""
    reader = Actor.reader_for(business)
    try:
        rows = all_of(reader, operations.LIST_CUSTOMERS, status="ALL")
        upsert("customer", business, rows, Source.POLL, read_at=timezone.now())
    except (Forbidden, NotFound) as refused:
        log.info("no customers of business %s: %s", business.pk, refused.code)


def refresh_approvals(business: Business) -> None:
    """Payment requests with their risk, and those that have been decided since they were copied as waiting."""
    reader = Actor.reader_for(business)
    risk = {str(row.get("_id")): row for row in all_of(reader, operations.LIST_APPROVALS_DIGEST, status="PENDING")}
    waiting = {str(row.get("_id")): row for row in all_of(reader, operations.LIST_APPROVALS, status="PENDING")}
    ours = Approval.objects.filter(business=business, status="PENDING", tombstoned_at=None)
    decided_since = set(ours.values_list("remote_id", flat=True)) - waiting.keys()
    rows = [{**row, **risk.get(identifier, {})} for identifier, row in waiting.items()]
    if decided_since or not bands_ran(business, "approvals"):
        rows += [row for row in all_of(reader, operations.LIST_APPROVALS) if str(row.get("_id")) not in waiting]
    upsert("approval", business, rows, Source.POLL, read_at=timezone.now())


def bands_ran(business: Business, band: str) -> bool:
    """Whether a band has run whole before."""
    return cursor_of(business).bands.get(band) is not None


def follow_all(business: Business) -> None:
    """One look at the feed, by the job: a failure is noted for the pages, which go on from the copy."""
    try:
        if follow_feed(business):
            bump(business.pk)
    except FinanceError as error:
        note_outage(business, error)
