"""What Prometheus reads of the service: for who has the token alone, and nothing in it names a business."""

from __future__ import annotations

from typing import Any

import pytest
import redis
from prometheus_client.parser import text_string_to_metric_families

from tests.service.house import House

TOKEN = "of-the-tests"


@pytest.fixture(autouse=True)
def token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN


def text_of(house: House) -> str:
    answer = house.browser.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    text: str = answer.content.decode()
    return text


def read(house: House, name: str, **labels: str) -> float:
    """A figure as it stands; 0 where nothing has been counted under these labels."""
    for family in text_string_to_metric_families(text_of(house)):
        for sample in family.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                return sample.value
    return 0


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer another", f"Basic {TOKEN}", "Bearer é"])
def test_whoever_lacks_the_token_finds_nothing(house: House, given: str) -> None:
    assert house.browser.get("/metrics", headers={"Authorization": given}).status_code == 404


def test_without_a_token_of_the_house_there_is_no_such_page(house: House, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert house.browser.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_a_request_is_counted_under_its_route_and_timed(house: House) -> None:
    house.get("/employees")
    labels = {"operation": "v2/employees", "method": "GET"}
    done = read(house, "countersign_service_requests_total", **labels, status="200")
    timed = read(house, "countersign_service_request_seconds_count", **labels)
    house.get("/employees")
    assert read(house, "countersign_service_requests_total", **labels, status="200") == done + 1
    assert read(house, "countersign_service_request_seconds_count", **labels) == timed + 1


def test_addresses_that_lead_nowhere_share_one_label(house: House) -> None:
    labels = {"operation": "none", "method": "GET", "status": "404"}
    before = read(house, "countersign_service_requests_total", **labels)
    for number in range(3):
        house.browser.get(f"/nowhere-{number}")
    assert read(house, "countersign_service_requests_total", **labels) == before + 3


def test_what_has_been_posted_and_not_sealed_is_counted(house: House) -> None:
    waiting, events = (
        read(house, "countersign_service_ledger_unsealed"),
        read(house, "countersign_service_events_unnumbered"),
    )
    House()  # a business of its own, whose wallets are filled
    assert house.post("/customers", {"name": "Mary Otieno"}).status_code in {200, 201}
    assert read(house, "countersign_service_ledger_unsealed") > waiting
    assert read(house, "countersign_service_events_unnumbered") > events


def test_nothing_in_it_names_a_business(house: House) -> None:
    house.get("/employees")
    assert house.business.pk not in text_of(house)
    assert house.business.name not in text_of(house)


def test_where_the_queue_cannot_be_asked_all_else_is_still_said(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> None:
        raise redis.ConnectionError

    monkeypatch.setattr("redis.Redis.llen", away)
    text = text_of(house)
    assert "queue_jobs" not in text
    assert "countersign_service_ledger_unsealed" in text
