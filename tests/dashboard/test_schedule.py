"""The schedule of the dashboard's worker asks for a sweep whenever there is something to sweep."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone
from django.utils.module_loading import import_string
from pytest_django import DjangoAssertNumQueries

import config.celery  # noqa: F401
from config import scheduler
from dashboard.audit import seal
from dashboard.audit.models import AuditWaiting
from dashboard.mirror import schedule, webhook_inbox
from dashboard.mirror.models import InboxEvent, InboxState, SyncCursor
from tests.dashboard.conftest import World

DASHBOARD = sorted(task for task in scheduler.questions if task.startswith("dashboard."))


@pytest.mark.parametrize("task", DASHBOARD)
def test_a_question_has_an_answer(db: None, task: str) -> None:
    assert import_string(scheduler.questions[task])() in (True, False)


def test_a_delivery_is_asked_for_until_it_is_applied(world: World) -> None:
    webhook_inbox.store_delivery(world.business, "delivery-1", {"type": "customer.created", "data": {}})
    assert webhook_inbox.has_received()
    while webhook_inbox.apply_received():
        pass
    assert not InboxEvent.objects.filter(business=world.business, state=InboxState.RECEIVED).exists()


def test_a_line_of_the_audit_is_asked_for_until_it_is_sealed(world: World) -> None:
    world.client("Apollo").get(world.address("settings/"))
    assert AuditWaiting.objects.filter(chain=world.business.pk).exists()
    assert seal.has_waiting()
    seal.seal_waiting()
    assert not AuditWaiting.objects.filter(chain=world.business.pk).exists()


def test_a_feed_is_looked_at_oftener_while_somebody_is_at_the_pages(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "_noted", {})
    cache.delete(f"mirror:watched:{world.business.pk}")
    sync_cursor = schedule.cursor_of(world.business)
    now = timezone.now()
    for is_watched in (False, True):
        for age, has_feed, is_due in ((1, True, is_watched), (25, True, True), (25, False, False)):
            as_of = now - timedelta(seconds=age)
            SyncCursor.objects.filter(pk=sync_cursor.pk).update(as_of=as_of, has_feed=has_feed)
            assert (world.business in schedule.feeds_due()) == is_due, (is_watched, age, has_feed)
        # A page of the business, the second of which asks the cache for nothing.
        world.client("Apollo").get(world.address("settings/"))
        world.client("Apollo").get(world.address("settings/"))
    assert set(schedule._noted) == {world.business.pk}


def test_a_band_is_asked_for_until_it_has_run(world: World) -> None:
    sync_cursor = schedule.cursor_of(world.business)
    SyncCursor.objects.filter(pk=sync_cursor.pk).update(bands={})
    assert schedule.has_band_due()
    assert world.business in schedule.businesses_due()
    bands = dict.fromkeys(schedule.INTERVALS_S, timezone.now().isoformat())
    SyncCursor.objects.exclude(pk=0).update(bands=bands)
    assert not schedule.has_band_due()
    assert not schedule.businesses_due()


def test_what_is_due_is_one_query_for_all_businesses(
    world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    schedule.cursor_of(world.business)
    with django_assert_num_queries(1):
        schedule.has_feed_due()
    with django_assert_num_queries(1):
        schedule.businesses_due()
