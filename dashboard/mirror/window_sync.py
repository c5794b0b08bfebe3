"""Reading a day of a wallet whole, and what follows: new rows, rows that are gone, and whether both sides agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.client.page import Drifted, Page, every_row
from dashboard.mirror.apply import UpsertResult, notify_open_pages, tombstone, upsert
from dashboard.mirror.mappers import Payload, remote_id
from dashboard.mirror.models import Drift, Expense, Origin, SyncedDay
from dashboard.money import EXPONENTS, to_minor

# (wallet, first day, last day, page number from 1, rows on a page) -> that page
ReadPage = Callable[[str, date, date, int, int], Page]


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


def _rows_of(business: Business, wallet: str, day: date) -> QuerySet[Expense]:
    begin = datetime.combine(day, time.min, ZoneInfo(business.time_zone))
    return Expense.objects.filter(
        business=business,
        org_wallet_ref=wallet,
        transaction_date__gte=begin,
        transaction_date__lt=begin + timedelta(days=1),
        tombstoned_at=None,
    )


def _mark_absent(business: Business, read: DayRead) -> None:
    # What arrived after the read began was not there to be read.
    absent = (
        _rows_of(business, read.wallet, read.day)
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
        _rows_of(business, synced_day.org_wallet_ref, synced_day.day)
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
