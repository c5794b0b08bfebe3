"""What costs little in one request and much in a thousand: connections, plans, packets."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from service import sql, ttl_cache
from tests.service.house import House


def test_the_first_requests_of_a_process_share_one_store(monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(*_: Any, **__: Any) -> object:
        time.sleep(0.05)
        return object()

    monkeypatch.setattr(ttl_cache.redis.Redis, "from_url", slowly)
    ttl_cache._store.cache_clear()
    try:
        with ThreadPoolExecutor(8) as pool:
            stores = list(pool.map(lambda _: ttl_cache.shared(), range(8)))
    finally:
        ttl_cache._store.cache_clear()
    assert len({id(store) for store in stores}) == 1


def test_hot_statements_are_prepared(db: None) -> None:
    statement = "select %s::int + 41"
    assert sql.row(statement, [1]) == (42,)
    with connection.cursor() as cursor:
        cursor.execute("select count(*) from pg_prepared_statements where statement = 'select $1::int + 41'")
        assert cursor.fetchone() == (1,)


def test_an_answer_says_how_long_it_is(house: House) -> None:
    answer = house.browser.get("/v2/expenses")
    assert int(answer.headers["Content-Length"]) == len(answer.content)
