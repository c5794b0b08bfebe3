"""Whoever may review access is reminded of what is due, once for each day that counts, until it is signed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from dashboard.access.models import Business
from dashboard.access_reviews import reminders, selectors
from dashboard.access_reviews.models import AccessReview
from dashboard.access_reviews.quarters import Quarter
from dashboard.notifications.models import Notice
from tests.dashboard.conftest import World

# The sentences that are sent on a day, each with whom it is sent to.
Reminders = Callable[[str], list[tuple[str, str]]]


@pytest.fixture
def on_day(monkeypatch: pytest.MonkeyPatch, world: World) -> Reminders:
    """`on_day("2026-12-20")`: what the reminders of that day tell this business, as sentences by person."""
    Business.objects.filter(pk=world.business.pk).update(created_at=datetime(2026, 8, 1, tzinfo=UTC))
    world.business.refresh_from_db()

    def go(day: str) -> list[tuple[str, str]]:
        now = datetime.fromisoformat(f"{day}T09:00:00+00:00")
        for module in (reminders, selectors):
            monkeypatch.setattr(module.timezone, "now", lambda: now)
        before = set(Notice.objects.values_list("pk", flat=True))
        reminders._remind(world.business)
        new = Notice.objects.filter(business=world.business, topic="access_reviews").exclude(pk__in=before)
        return sorted(
            (str(row.membership.user).split()[0], row.sentence) for row in new.select_related("membership__user")
        )

    return go


def signed(world: World, quarter: Quarter) -> None:
    ada = world.people["Ada"]
    AccessReview.objects.create(
        business=world.business, year=quarter.year, quarter=quarter.number, opened_by=ada, opened_name="Ada",
        signed_by=ada, signed_at=datetime(2026, 10, 1, tzinfo=UTC),
    )  # fmt: skip


def test_two_weeks_and_three_days_before_the_end_each_admin_is_told_once(world: World, on_day: Reminders) -> None:
    signed(world, Quarter(2026, 3))
    assert on_day("2026-12-01") == []
    notices = on_day("2026-12-17")
    assert [name for name, _ in notices] == ["Abel", "Ada", "Sam", "Selma"]
    assert notices[0][1] == "The access review of Q4 2026 is due by 31 Dec 2026. It is not opened yet."
    assert on_day("2026-12-18") == []
    assert len(on_day("2026-12-29")) == 4


def test_after_the_quarter_each_week_until_it_is_signed(world: World, on_day: Reminders) -> None:
    notices = on_day("2026-10-01")
    assert notices[0][1] == "The access review of Q3 2026 was due on 30 Sep 2026. It is not opened yet."
    assert on_day("2026-10-05") == []
    assert len(on_day("2026-10-09")) == 4
    signed(world, Quarter(2026, 3))
    assert on_day("2026-10-20") == []


def test_a_business_owes_no_review_of_a_quarter_before_it_came(world: World, on_day: Reminders) -> None:
    Business.objects.filter(pk=world.business.pk).update(created_at=datetime(2026, 10, 2, tzinfo=UTC))
    world.business.refresh_from_db()
    assert on_day("2026-11-01") == []


def test_quarters_follow_each_other_over_the_year() -> None:
    last = Quarter(2026, 4)
    assert (last.following, last.following.previous, str(last)) == (Quarter(2027, 1), last, "Q4 2026")
    assert last.first_day + timedelta(days=91) == last.last_day
