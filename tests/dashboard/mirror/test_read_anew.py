"""A service that has more of the past than it had: everything of the past is read again, after a read that was under way."""

import threading
import time

from django.core.cache import cache

from dashboard.mirror import schedule, sync
from dashboard.mirror.models import Expense
from tests.dashboard.conftest import World


def test_the_past_is_due_again_and_no_longer_taken_as_read(world: World) -> None:
    for band in schedule.INTERVALS_S:
        schedule.cursor_of(world.business)
        schedule.ran(band, world.business)
    assert schedule.is_filled(world.business, Expense)
    sync.read_anew(world.business)
    due = set(schedule.due(world.business, schedule.cursor_of(world.business)))
    assert due == {*schedule.LONG_BANDS, "cards"}
    assert not schedule.is_filled(world.business, Expense)


def test_it_waits_for_a_read_under_way(world: World) -> None:
    lock = f"mirror:bands:{world.business.pk}"
    assert cache.add(lock, 1, 60)
    threading.Timer(1.0, cache.delete, [lock]).start()
    began = time.monotonic()
    sync.read_anew(world.business)
    assert time.monotonic() - began >= 0.9
