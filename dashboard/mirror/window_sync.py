"""Reading days of a wallet whole, and what follows: new rows, rows that are gone, and whether both sides agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.client.page import FIRST_SIZE, Drifted, Page, every_row
from dashboard.mirror.apply import UpsertResult, notify_open_pages, tombstone, upsert
from dashboard.mirror.mappers import Payload, moment, remote_id
from dashboard.mirror.models import Drift, Expense, Origin, SyncedDay
from dashboard.money import EXPONENTS, to_minor

# (wallet, first day, last day, page number from 1, rows on a page) -> that page
ReadPage = Callable[[str, date, date, int, int], Page]
# So many days that follow each other are asked for at once.
SPAN_DAYS = 31


@dataclass(frozen=True)
class DayRead:
    """A day of one wallet as it was read whole."""

    wallet: str
    day: date
    rows: Sequence[Payload]
    began: datetime

    def totals(self) -> dict[str, str]:
        """Minor units per currency, as strings (JSON has no big integers everywhere); 0 of a currency that is not known, whose
        rows the copy lacks."""
        sums: Counter[str] = Counter()
        for row in self.rows:
            currency = str(row.get("currency") or "")
            minor = row.get("amount_minor") if currency in EXPONENTS else 0
            sums[currency] += minor if isinstance(minor, int) else to_minor(row.get("amount") or 0, currency)
        return {currency: str(total) for currency, total in sorted(sums.items())}


def read_day(read: ReadPage, wallet: str, day: date) -> DayRead:
    """All rows of a day, read anew where the list moved meanwhile; Drifted if it never held still."""
    for last_try in (False, False, True):
        began = timezone.now()
        try:
            rows = list(every_row(lambda number, size: read(wallet, day, day, number, size)))
        except Drifted:
            if last_try:
                raise
        else:
            return DayRead(wallet, day, rows, began)
    raise AssertionError("unreachable")


def spans_of(days: Iterable[date]) -> Iterator[list[date]]:
    """Days, newest first, by those that follow each other without a gap: at most SPAN_DAYS in each."""
    span: list[date] = []
    for day in days:
        if span and (len(span) == SPAN_DAYS or span[-1] - day != timedelta(days=1)):
            yield span
            span = []
        span.append(day)
    if span:
        yield span


def read_days(read: ReadPage, wallet: str, days: Sequence[date], zone: ZoneInfo) -> tuple[list[DayRead], int]:
    """Days that follow each other, newest first, by the one page that holds all their rows. Where no page does: no days, and
    in how many parts they are to be read instead. FinanceError as the read.

    A day is that of the business (`zone`). A row of a day that was not asked for says that the service counts days in another
    way: then each day is a part of its own.
    """
    began, day_by_day = timezone.now(), len(days)
    page = read(wallet, days[-1], days[0], 1, FIRST_SIZE)
    is_whole = len(page.rows) < FIRST_SIZE if page.total is None else len(page.rows) == page.total
    if not is_whole:
        total = page.total or 2 * len(page.rows)
        return [], min(day_by_day, max(2, -(-total // max(len(page.rows), 1))))
    rows: dict[date | None, list[Payload]] = {day: [] for day in days}
    for row in page.rows:
        when = moment(row.get("transaction_date"))
        day = when.astimezone(zone).date() if when else None
        if day not in rows:
            return [], day_by_day
        rows[day].append(row)
    return [DayRead(wallet, day, rows[day], began) for day in days], 1


def apply_days(business: Business, reads: Sequence[DayRead]) -> None:
    """Applies complete reads of one wallet's days as `apply_day` does; the days in which neither side has anything are noted
    by one statement, as a year of a small wallet has hundreds of them."""
    busy = _busy_days(business, reads)
    quiet = [read for read in reads if not read.rows and read.day not in busy]
    SyncedDay.objects.bulk_create(
        [
            SyncedDay(business=business, org_wallet_ref=read.wallet, day=read.day, complete_at=read.began)
            for read in quiet
        ],
        update_conflicts=True,
        unique_fields=["business", "org_wallet_ref", "day"],
        update_fields=["complete_at", "rows", "totals", "failures"],
    )
    for read in reads:
        if read.rows or read.day in busy:
            apply_day(business, read)


def _busy_days(business: Business, reads: Sequence[DayRead]) -> set[date]:
    # Those of which the copy has rows, or on which both sides did not agree.
    wallet, first, last = reads[0].wallet, min(read.day for read in reads), max(read.day for read in reads)
    day = TruncDate("transaction_date", tzinfo=ZoneInfo(business.time_zone))
    rows = _rows_of(business, wallet, first, last).annotate(local_day=day)
    drifts = Drift.objects.filter(business=business, org_wallet_ref=wallet, day__range=(first, last), closed_at=None)
    return {*rows.values_list("local_day", flat=True).distinct(), *drifts.values_list("day", flat=True)}


def apply_day(business: Business, read: DayRead) -> UpsertResult:
    """Applies a complete read: upserts, counts what is absent, closes or opens a drift."""
    applied = upsert("expense", business, read.rows, Origin.POLL, read_at=read.began)
    with transaction.atomic():
        _mark_absent(business, read)
        window, _ = SyncedDay.objects.update_or_create(
            business=business,
            org_wallet_ref=read.wallet,
            day=read.day,
            defaults={
                "complete_at": read.began,
                "rows": len(read.rows),
                "totals": read.totals(),
                "failures": 0,
            },
        )
        _compare(business, window)
    return applied


def _rows_of(business: Business, wallet: str, first: date, last: date) -> QuerySet[Expense]:
    zone = ZoneInfo(business.time_zone)
    return Expense.objects.filter(
        business=business,
        org_wallet_ref=wallet,
        transaction_date__gte=datetime.combine(first, time.min, zone),
        transaction_date__lt=datetime.combine(last + timedelta(days=1), time.min, zone),
        tombstoned_at=None,
    )


def _mark_absent(business: Business, read: DayRead) -> None:
    # What arrived after the read began was not there to be read.
    absent = (
        _rows_of(business, read.wallet, read.day, read.day)
        .filter(last_seen__lt=read.began)
        .exclude(remote_id__in=[remote_id(row) for row in read.rows])
    )
    twice = list(absent.filter(missing_since__lt=read.began).values_list("remote_id", flat=True))
    if absent.filter(missing_since=None).update(missing_since=read.began):
        notify_open_pages(business)
    if twice:
        tombstone("expense", business, twice, read.began)


def _compare(business: Business, synced_day: SyncedDay) -> None:
    ours = list(
        _rows_of(business, synced_day.org_wallet_ref, synced_day.day, synced_day.day)
        .values_list("currency")
        .annotate(rows=Count("id"), total=Sum("amount_minor"))
        .order_by("currency")
    )
    counted = {
        "rows": sum(rows for _, rows, _ in ours),
        "totals": {currency: str(total) for currency, _, total in ours},
    }
    upstream = {"rows": synced_day.rows, "totals": synced_day.totals}
    where: dict[str, Any] = {
        "business": business,
        "org_wallet_ref": synced_day.org_wallet_ref,
        "day": synced_day.day,
        "closed_at": None,
    }
    if counted == upstream:
        Drift.objects.filter(**where).update(closed_at=timezone.now())
    else:
        Drift.objects.update_or_create(**where, defaults={"found": {"mirror": counted, "service": upstream}})
