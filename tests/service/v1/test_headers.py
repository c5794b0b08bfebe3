"""What every answer of the old interface carries: rate limits, and until when it is there (RFC 9745, RFC 8594)."""

from collections.abc import Callable
from datetime import date

import pytest

from service import ratelimit
from service.ratelimit import Limit
from tests.service.house import House


def test_the_answer_says_how_much_is_left(houses: Callable[..., House], monkeypatch: pytest.MonkeyPatch) -> None:
    house = houses()
    monkeypatch.setitem(ratelimit.PLANS["HIGH"], "v1", (Limit("per_second", 10, 1), Limit("per_day", 86_400, 86_400)))
    monkeypatch.setattr(ratelimit.time, "time", lambda: 1_900_000_000.5)
    answers = [house.v1("GET", "/employees") for _ in range(12)]
    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2
    assert (answers[0]["X-RateLimit-Limit"], answers[0]["X-RateLimit-Remaining"]) == ("per_second", "9")
    assert answers[11]["X-RateLimit-Limit"] == "per_second"
    assert int(answers[11]["X-RateLimit-Reset"]) >= 1_900_000_000
    assert answers[11].json()["status"] == 429


def test_a_day_has_its_own_limit(houses: Callable[..., House], monkeypatch: pytest.MonkeyPatch) -> None:
    house = houses()
    monkeypatch.setitem(ratelimit.PLANS["HIGH"], "v1", (Limit("per_second", 10, 1), Limit("per_day", 2, 86_400)))
    answers = [house.v1("GET", "/teams") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2]["X-RateLimit-Limit"] == "per_day"


def test_its_end_is_announced_once_it_is_dated(house: House, settings: pytest.FixtureRequest) -> None:
    plain = house.v1("GET", "/teams")
    assert "Deprecation" not in plain
    assert "Sunset" not in plain
    settings.V1_DEPRECATED_ON, settings.V1_SUNSET_ON = date(2027, 1, 1), date(2027, 7, 1)
    dated = house.v1("GET", "/teams")
    assert dated["Deprecation"] == "@1798761600"
    assert dated["Sunset"] == "Thu, 01 Jul 2027 00:00:00 GMT"
