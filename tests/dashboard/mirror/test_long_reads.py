"""What reads whole lists in the background leaves a process of the worker free: one long band at a time, over all businesses."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from dashboard.access.models import Business
from dashboard.mirror import schedule, sync
from dashboard.mirror.models import SyncCursor
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.conftest import house as house


@pytest.fixture
def bands(house: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bands that are read of a business of which nothing was read yet, in their order; reading one only notes that it ran."""
    SyncCursor.objects.filter(business=house.business).update(bands={})
    read: list[str] = []

    def run_band(business: Business, band: str) -> None:
        read.append(band)
        schedule.ran(band, business)

    monkeypatch.setattr(sync, "run_band", run_band)
    return read


@pytest.fixture
def elsewhere() -> Any:
    """Another process that reads something long, until it is told to end."""
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [sync.LONG_READ_LOCK])
        assert cursor.fetchone() == (True,)
    yield other
    other.close()


def end(elsewhere: Any) -> None:
    """It has read what it read. The lock is given back by a statement: a connection that is closed gives it back a little later."""
    with elsewhere.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock(%s)", [sync.LONG_READ_LOCK])
        assert cursor.fetchone() == (True,)


def test_while_another_process_reads_something_long_only_what_is_short_is_read(
    house: House, bands: list[str], elsewhere: Any
) -> None:
    sync.run_due_bands(house.business)
    assert {"lookups", "hot", "approvals", "requests"} <= set(bands)
    assert not schedule.LONG_BANDS & set(bands)
    # Not forgotten: they are due still, and read as soon as the other one has ended.
    assert set(schedule.due(house.business, schedule.cursor_of(house.business))) == schedule.LONG_BANDS
    end(elsewhere)
    bands.clear()
    sync.run_due_bands(house.business)
    assert set(bands) == schedule.LONG_BANDS


def test_who_has_read_something_long_lets_the_next_one_even_where_it_failed(
    house: House, bands: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Business, band: str) -> None:
        if band in schedule.LONG_BANDS:
            raise RuntimeError(band)

    monkeypatch.setattr(sync, "run_band", fails)
    with pytest.raises(RuntimeError):
        sync.run_due_bands(house.business)
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [sync.LONG_READ_LOCK])
            assert cursor.fetchone() == (True,)
    finally:
        other.close()


def test_what_reads_whole_lists_is_long() -> None:
    assert {"cold", "warm", "transactions_whole", "bills_whole"} <= schedule.LONG_BANDS
    assert not schedule.LONG_BANDS & {*schedule.HOT_BANDS, "lookups"}
