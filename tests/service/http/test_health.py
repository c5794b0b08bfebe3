"""Alive and ready."""

import pytest

from service import health
from tests.service.house import House


def test_alive_and_ready(house: House) -> None:
    assert house.browser.get("/healthz").json() == {"status": "alive"}
    answer = house.browser.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["checks"] == {"database": True, "queue": True}


def test_what_is_missing_is_named(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise ConnectionError

    monkeypatch.setattr(health, "_queue", away)
    answer = house.browser.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"] == {"database": True, "queue": False}
    assert house.browser.get("/healthz").status_code == 200
