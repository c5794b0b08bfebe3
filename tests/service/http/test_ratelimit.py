"""How often one may ask: the published figures for a plain client, headers always, 429 with Retry-After (B.4)."""

from collections.abc import Callable
from uuid import uuid4

import pytest
import redis

from service import ratelimit, ttl_cache
from service.oauth import revoke_tokens
from service.ratelimit import Limit, spend
from tests.service.house import House, code


def test_the_burst_of_a_plain_client_is_50(houses: Callable[..., House], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = houses(rate_plan="STANDARD")
    monkeypatch.setattr(ratelimit.time, "time", lambda: 1_800_000_000.5)
    answers = [plain.get("/categories?limit=1") for _ in range(52)]
    assert [answer.status_code for answer in answers[:50]] == [200] * 50
    refused = answers[51]
    assert code(refused) == (429, "rate_limited")
    assert refused.json()["retryable"] is True
    assert int(refused["Retry-After"]) >= 1
    assert refused["RateLimit-Policy"] == '"burst";q=50;w=1'
    assert refused["RateLimit"].startswith('"burst";r=0;t=')


def test_writes_are_counted_apart(houses: Callable[..., House], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = houses(rate_plan="STANDARD")
    assert plain.token
    monkeypatch.setitem(ratelimit.PLANS["STANDARD"], "writes", (Limit("writes", 2, 60),))
    codes = [plain.post("/categories", {"name": f"C{n}"}).status_code for n in range(3)]
    assert codes == [201, 201, 429]
    assert plain.get("/categories").status_code == 200


def test_a_demo_client_has_room(house: House) -> None:
    answer = house.get("/categories")
    assert answer["RateLimit-Policy"] == '"default";q=600000;w=60'


def test_the_token_endpoint_has_its_own(houses: Callable[..., House]) -> None:
    plain = houses(rate_plan="STANDARD")
    statuses = [plain.fetch_token().status_code for _ in range(32)]
    assert statuses[:30] == [200] * 30
    assert statuses[31] == 429


def test_a_window_slides(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    limit, now = Limit(f"slide-{uuid4()}", 10, 10), [1_800_000_000.0]
    monkeypatch.setattr(ratelimit.time, "time", lambda: now[0])

    def refused() -> bool:
        return spend("someone", (limit,)).tightest.refused

    assert not any(refused() for _ in range(10))
    assert refused()
    now[0] += 11  # a tenth into the next window: nine tenths of the last still count
    assert refused()
    now[0] += 8
    assert not refused()


def unreachable() -> redis.Redis:
    return redis.Redis(port=9, socket_connect_timeout=0.2)


def test_an_unreachable_limiter_lets_everybody_through(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert house.get("/categories").status_code == 200
    monkeypatch.setattr(ratelimit, "shared", unreachable)
    assert house.get("/categories").status_code == 200
    assert house.v1("GET", "/expenses").status_code == 200


def test_then_only_the_database_says_whether_a_token_lives(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert house.get("/categories").status_code == 200
    monkeypatch.setattr(ratelimit, "shared", unreachable)
    monkeypatch.setattr(ttl_cache, "shared", unreachable)
    revoke_tokens(house.client)
    assert code(house.get("/categories")) == (401, "token_invalid")
