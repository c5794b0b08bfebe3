"""Settings, Status: how the copy, the connection and what waits stand, for the super admins of this business alone."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import redis
from django.utils import timezone

from dashboard.decisions.models import Decision
from dashboard.mirror.models import Drift, InboxEvent, SyncCursor
from dashboard.mirror.schedule import INTERVALS_S, today
from dashboard.pages.settings.presenters import BANDS, VERSION, band_rows
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import shown

NEEDLE = re.compile(r"\s+")


def status(world: World, name: str = "Sam") -> str:
    return NEEDLE.sub(" ", shown(world.client(name).get(world.address("settings/status/"))))


def fact(page: str, label: str) -> str:
    """What stands beside a label, without its tags."""
    found = re.search(rf"<dt>{label}</dt> <dd>(.*?)</dd>", page)
    assert found, label
    return re.sub(r"<[^>]+>", "", found[1]).strip()


@pytest.mark.parametrize("name", ["Carla", "Rita", "Apollo", "Ada"])
def test_nobody_but_super_admins_sees_it(world: World, name: str) -> None:
    assert world.client(name).get(world.address("settings/status/")).status_code == 403


def test_every_part_of_the_copy_has_its_words() -> None:
    assert set(BANDS) == set(INTERVALS_S)
    assert len(set(BANDS.values())) == len(BANDS)


def test_a_service_that_answers_is_said_to(world: World) -> None:
    page = status(world)
    assert fact(page, "Answers").startswith("yes as of")
    assert fact(page, "Feed of events").startswith("read up to event")
    assert "No difference is known" in page
    assert f"Countersign {VERSION}" in page


def test_one_that_does_not_is_named_with_its_error(world: World) -> None:
    SyncCursor.objects.filter(business=world.business).update(failing_since=timezone.now(), error="No answer in 8 s")
    page = status(world)
    assert fact(page, "Answers").startswith("not since")
    assert fact(page, "Last error") == "No answer in 8 s"


def test_what_waits_is_counted_and_of_this_business_alone(world: World, new_world: object) -> None:
    for number in range(2):
        Decision.objects.create(
            business=world.business, membership=world.people["Apollo"], operation="approve_expense", object_type="expense",
            object_id=f"none-{number}", title="Lunch", fingerprint="{}", key=f"k{number}",
            due_at=timezone.now() + timedelta(days=1),
        )  # fmt: skip
    InboxEvent.objects.create(
        business=world.business, webhook_id="w1", kind="expense.approved", body={}, state="FAILED"
    )
    page = status(world)
    assert fact(page, "Decisions to be sent") == "2"
    assert fact(page, "Webhooks not understood") == "1"
    other = new_world()  # type: ignore[operator]
    assert fact(status(other), "Decisions to be sent") == "0"
    assert fact(status(other), "Webhooks not understood") == "0"


def test_a_difference_is_listed_until_it_is_closed(world: World) -> None:
    drift = Drift.objects.create(business=world.business, org_wallet_ref="1", day=today(world.business), found={})
    assert "wallet <bdi>1</bdi>" in status(world)
    Drift.objects.filter(pk=drift.pk).update(closed_at=timezone.now())
    assert "No difference is known" in status(world)


def test_a_part_is_late_when_it_has_been_due_for_long() -> None:
    now = timezone.now()
    periods = dict.fromkeys(INTERVALS_S, 600.0)
    noted = {"cards": now - timedelta(minutes=29), "funds": now - timedelta(minutes=31)}
    rows = {row.label: row for row in band_rows({name: at.isoformat() for name, at in noted.items()}, periods, now)}
    assert not rows[BANDS["cards"]].is_late
    assert rows[BANDS["funds"]].is_late
    assert rows[BANDS["bills"]].is_late
    assert rows[BANDS["bills"]].read_at is None
    assert rows[BANDS["cards"]].every == "every 10 minutes"


def test_the_version_is_that_of_the_project(request: pytest.FixtureRequest) -> None:
    assert f'version = "{VERSION}"' in (request.config.rootpath / "pyproject.toml").read_text()


def test_what_no_worker_has_begun_is_said_and_a_queue_that_is_away_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    label = "Jobs that no worker has begun, of all businesses"
    monkeypatch.setattr("redis.Redis.llen", lambda _, name: {"dashboard": 1200, "decisions": 0}[name])
    page = status(world)
    assert fact(page, label) == "1,200 in “dashboard”, 0 in “decisions”"
    assert re.search(r"PostgreSQL \d+\.\d+", page)

    def away(self: object, name: str) -> int:
        raise redis.ConnectionError

    monkeypatch.setattr("redis.Redis.llen", away)
    assert fact(status(world), label).startswith("the queue does not answer")
