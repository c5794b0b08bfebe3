"""What Prometheus reads of the dashboard: for who has the token alone, and nothing in it names a person or a business."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import redis
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from dashboard.decisions.models import Decision
from dashboard.mirror.models import SyncCursor
from tests.dashboard.conftest import World

TOKEN = "of-the-tests"


@pytest.fixture(autouse=True)
def token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN


def read(name: str, **labels: str) -> float:
    """A figure as it stands; 0 where nothing has been counted under these labels."""
    answer = Client().get("/-/metrics/", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    for family in text_string_to_metric_families(answer.content.decode()):
        for sample in family.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                return sample.value
    return 0


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer another", f"Basic {TOKEN}", "Bearer é"])
def test_whoever_lacks_the_token_finds_nothing(committed: None, given: str) -> None:
    assert Client().get("/-/metrics/", headers={"Authorization": given}).status_code == 404


def test_without_a_token_of_the_house_there_is_no_such_page(committed: None, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert Client().get("/-/metrics/", headers={"Authorization": "Bearer "}).status_code == 404


def test_a_request_is_counted_under_its_page_and_timed(world: World) -> None:
    labels = {"page": "approvals", "method": "GET"}
    before = read("countersign_dashboard_requests_total", **labels, status="200")
    timed = read("countersign_dashboard_request_seconds_count", **labels)
    assert world.client("Apollo").get(world.address("approvals/")).status_code == 200
    assert read("countersign_dashboard_requests_total", **labels, status="200") == before + 1
    assert read("countersign_dashboard_request_seconds_count", **labels) == timed + 1


def test_addresses_that_lead_nowhere_share_one_label(committed: None) -> None:
    labels = {"page": "none", "method": "GET", "status": "404"}
    before = read("countersign_dashboard_requests_total", **labels)
    for number in range(3):
        Client().get(f"/-/nowhere-{number}/x/y/")
    assert read("countersign_dashboard_requests_total", **labels) == before + 3


def test_a_call_of_the_service_is_timed_under_its_outcome(proxied_world: World) -> None:
    world, name = proxied_world, "countersign_dashboard_upstream_seconds_count"
    assert world.proxy is not None
    done = read(name, operation="list_categories", outcome="200")
    world.client("Ada").get(world.address("categories/"))
    assert read(name, operation="list_categories", outcome="200") > done
    world.proxy.fail("500", method="GET", path="/v2/")
    world.client("Ada").get(world.address("categories/"))
    assert read(name, operation="list_categories", outcome="ServerFailed") > 0


def test_what_waits_is_counted_by_its_state_with_the_age_of_the_oldest(world: World) -> None:
    waiting = read("countersign_dashboard_decisions", state="WAITING")
    asked_at = timezone.now() - timedelta(days=400)
    Decision.objects.create(
        business=world.business, membership=world.people["Apollo"], operation="APPROVE_EXPENSE", object_type="expense",
        object_id="none", title="Lunch", fingerprint="{}", key="k", created_at=asked_at,
        due_at=timezone.now() + timedelta(days=1),
    )  # fmt: skip
    assert read("countersign_dashboard_decisions", state="WAITING") == waiting + 1
    assert read("countersign_dashboard_decisions_oldest_seconds", state="WAITING") >= 399 * 86_400


def test_a_business_whose_service_does_not_answer_is_counted(world: World) -> None:
    before = read("countersign_dashboard_businesses_failing")
    SyncCursor.objects.filter(business=world.business).update(failing_since=timezone.now() - timedelta(days=300))
    assert read("countersign_dashboard_businesses_failing") == before + 1
    assert read("countersign_dashboard_failing_seconds") >= 299 * 86_400


def test_nothing_in_it_names_a_person_or_a_business(world: World) -> None:
    world.client("Apollo").get(world.address("approvals/"))
    world.client("Apollo").get(f"/{world.business.slug}-other/approvals/")
    text = Client().get("/-/metrics/", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()
    for private in (world.business.slug, world.business.name, world.people["Apollo"].user.email):
        assert private not in text


def test_where_the_queue_cannot_be_asked_all_else_is_still_said(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise redis.ConnectionError

    monkeypatch.setattr("redis.Redis.llen", away)
    text = Client().get("/-/metrics/", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()
    assert "queue_jobs" not in text
    assert "countersign_dashboard_decisions" in text
