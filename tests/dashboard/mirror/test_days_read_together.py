"""Days that follow each other are read by one request where a page holds them; what follows is what reading each alone does."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from dashboard.access.actor import Actor
from dashboard.client.page import Page
from dashboard.mirror import schedule, sync, window_sync
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Drift, Expense, Origin, SyncedDay, Wallet
from dashboard.mirror.window_sync import SPAN_DAYS, read_days, spans_of
from tests.dashboard.conftest import World
from tests.dashboard.mirror.test_keeping_up import day_of, ours, theirs

NAIROBI = ZoneInfo("Africa/Nairobi")
FIRST = date(2026, 3, 1)


def back(many: int, last: date = FIRST) -> list[date]:
    """So many days, the newest first, down to the last one."""
    return [last + timedelta(days=many - 1 - number) for number in range(many)]


def row(number: int, when: str) -> dict[str, Any]:
    return {"_id": f"{number:024}", "transaction_date": when}


def answering(*rows: dict[str, Any], total: int | None = None) -> Callable[..., Page]:
    """A service that answers with these rows, whatever it is asked."""
    return lambda *_: Page(list(rows), total=len(rows) if total is None else total)


def test_days_without_a_gap_are_a_span_and_none_is_too_long() -> None:
    assert list(spans_of([])) == []
    days = [*back(3, FIRST + timedelta(days=9)), *back(1)]
    assert list(spans_of(days)) == [days[:3], days[3:]]
    spans = list(spans_of(back(2 * SPAN_DAYS + 5)))
    assert [len(span) for span in spans] == [SPAN_DAYS, SPAN_DAYS, 5]
    assert [day for span in spans for day in span] == back(2 * SPAN_DAYS + 5)


def test_each_row_is_of_its_day_at_the_business_and_a_day_without_rows_is_read_too() -> None:
    # Half past ten at night in Greenwich is tomorrow in Nairobi.
    read = answering(row(1, "2026-03-01T22:30:00Z"), row(2, "2026-03-01T08:00:00+03:00"))
    reads, parts = read_days(read, "1", back(3), NAIROBI)
    assert parts == 1
    assert {each.day.day: [one["_id"] for one in each.rows] for each in reads} == {
        3: [], 2: [row(1, "")["_id"]], 1: [row(2, "")["_id"]],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("page", "parts"),
    [
        (answering(row(1, "2026-03-01T08:00:00Z"), total=4), 4),
        (answering(*(row(one, "2026-03-01T08:00:00Z") for one in range(5)), total=6), 2),
        (answering(row(1, "2026-03-01T08:00:00Z"), total=1000), 7),
        (answering(total=3), 3),
        # Where the service counts days in another way, or says none, each day is asked for by itself.
        (answering(row(1, "2026-02-28T08:00:00Z")), 7),
        (answering(row(1, "2026-03-07T21:00:00Z")), 7),
        (answering({"_id": "1"}), 7),
    ],
)
def test_what_no_page_holds_is_read_in_parts(page: Callable[..., Page], parts: int) -> None:
    assert read_days(page, "1", back(7), NAIROBI) == ([], parts)


def test_where_the_service_says_no_total_a_full_page_is_not_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_sync, "FIRST_SIZE", 2)
    rows = [row(number, "2026-03-01T08:00:00Z") for number in range(2)]
    assert read_days(lambda *_: Page(rows), "1", back(7), NAIROBI) == ([], 2)
    assert read_days(lambda *_: Page(rows[:1]), "1", back(7), NAIROBI)[1] == 1


def test_each_day_of_seven_weeks_is_read_in_seven_nights_and_in_each_whole_weeks(world: World) -> None:
    cursor, first = schedule.cursor_of(world.business), schedule.today(world.business) - timedelta(days=48)
    nights = []
    for part in range(schedule.COLD_PARTS):
        cursor.bands |= {"cold": "2026-01-01T00:00:00+00:00", "cold_part": part}
        nights.append(list(schedule.days("cold", world.business, cursor, first)))
    assert sorted(day for night in nights for day in night) == sorted(back(49, first))
    assert all(len(list(spans_of(night))) <= 2 for night in nights)


@pytest.fixture
def page_requests(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, date, date]]]:
    """The wallet and the days of each page of expenses that is asked for."""
    found: list[tuple[str, date, date]] = []
    page_of = sync._page_of_expenses

    def noted(reader: Actor, wallet: str, first: date, last: date, number: int, size: int) -> Page:
        found.append((wallet, first, last))
        return page_of(reader, wallet, first, last, number, size)

    monkeypatch.setattr(sync, "_page_of_expenses", noted)
    return found


def test_a_month_of_a_wallet_is_one_request_and_the_copy_is_what_the_service_has(
    world: World, page_requests: list[tuple[str, date, date]]
) -> None:
    world.sandbox("expenses", count=12)
    sync.run_band(world.business, "warm")
    wallets = Wallet.objects.filter(business=world.business).count()
    assert len(page_requests) == 2 * wallets
    assert ours(world) == theirs(world)
    assert len(ours(world)) == 12
    days = SyncedDay.objects.filter(business=world.business, complete_at__isnull=False)
    assert days.count() == wallets * schedule.WARM_DAYS
    assert sum(days.values_list("rows", flat=True)) == 12
    assert not Drift.objects.filter(business=world.business).exists()


def test_a_page_that_is_too_small_for_all_is_read_in_parts_down_to_days(
    world: World, page_requests: list[tuple[str, date, date]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_sync, "FIRST_SIZE", 3)
    world.sandbox("expenses", count=12)
    sync.run_band(world.business, "warm")
    assert ours(world) == theirs(world)
    assert any(first == last for _, first, last in page_requests)


def test_what_is_gone_is_missed_drifts_and_goes_as_by_reading_its_day_alone(world: World) -> None:
    world.sandbox("expenses", count=3)
    world.sync()
    real = Expense.objects.filter(business=world.business).first()
    assert real is not None
    # On a day on which the service has nothing.
    day = day_of(world, real) - timedelta(days=20)
    when = (real.transaction_date - timedelta(days=20)).isoformat()
    gone = dict(real.payload, _id="f" * 24, transaction_ref="never-was", transaction_date=when)
    upsert("expense", world.business, [gone], Origin.FEED)
    open_drifts = Drift.objects.filter(business=world.business, closed_at=None)

    sync.run_band(world.business, "warm")
    row_here = Expense.objects.get(business=world.business, remote_id="f" * 24)
    assert (row_here.missing_since is None, row_here.tombstoned_at) == (False, None)
    assert list(open_drifts.values_list("day", flat=True)) == [day]

    sync.run_band(world.business, "warm")
    row_here.refresh_from_db()
    assert row_here.tombstoned_at is not None
    assert not open_drifts.exists()
    assert ours(world) == theirs(world)


def test_a_drift_whose_rows_are_gone_here_is_closed(world: World) -> None:
    world.sync()
    wallet, day = schedule.wallets_of(world.business)[0], schedule.today(world.business) - timedelta(days=3)
    Drift.objects.create(business=world.business, org_wallet_ref=wallet, day=day, found={})
    SyncedDay.objects.filter(business=world.business, org_wallet_ref=wallet, day=day).update(failures=3)
    sync.run_band(world.business, "warm")
    assert not Drift.objects.filter(business=world.business, closed_at=None).exists()
    assert set(SyncedDay.objects.filter(business=world.business).values_list("failures", flat=True)) == {0}


def test_where_all_days_at_once_are_refused_each_is_read_and_one_that_fails_is_noted(
    new_world: Callable[..., World],
) -> None:
    world = new_world(proxied=True)
    world.sandbox("expenses", count=3)
    wallets = Wallet.objects.filter(business=world.business).count()
    assert world.proxy is not None
    world.proxy.fail("403", path="/expenses", times=1)
    sync.run_band(world.business, "hot")
    assert ours(world) == theirs(world)
    assert SyncedDay.objects.filter(business=world.business, complete_at__isnull=False).count() == 3 * wallets

    world.proxy.fail("403", path="/expenses")
    sync.run_band(world.business, "hot")
    assert SyncedDay.objects.filter(business=world.business, failures=1).count() == 3 * wallets
    assert schedule.cursor_of(world.business).failing_since is not None
    assert ours(world) == theirs(world)
