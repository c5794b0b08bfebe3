"""The access token: fetched once, renewed early, dropped on 401, sealed where it is kept, never fetched in a storm."""

import base64
import logging
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.cache import cache
from pytest_django import Settings

from dashboard import operations
from dashboard.access.secrets import unseal
from dashboard.client import token
from dashboard.client.address import refusal_of_address
from dashboard.client.gateway import send
from dashboard.client.http import Deadline
from dashboard.client.models import ServiceAccount
from dashboard.errors import AuthFailed, CircuitOpen, NotConnected, Unavailable
from tests.dashboard.client.conftest import Town


def account(town: Town) -> ServiceAccount:
    return ServiceAccount.objects.get(business=town.house.business)


def test_twenty_threads_fetch_one_token(town: Town) -> None:
    found: list[str] = []
    shared = account(town)
    start = threading.Barrier(20)

    def fetch() -> None:
        from django.db import connections

        start.wait()
        found.append(token.bearer(shared, Deadline(5)))
        connections.close_all()

    threads = [threading.Thread(target=fetch) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    assert len(town.service.tokens) == 1


def test_another_process_finds_it_sealed_in_the_shared_cache(town: Town) -> None:
    shared = account(town)
    value = token.bearer(shared, Deadline(5))
    name = token._name(shared)
    assert value.encode() not in bytes(cache.get(name))
    token._tokens.clear()
    assert token.bearer(shared, Deadline(5)) == value
    assert len(town.service.tokens) == 1


def test_it_is_renewed_before_it_ends(town: Town) -> None:
    town.service.token_life = 60
    kept = token.current(account(town), Deadline(5))
    assert kept.ends_at - kept.renew_at >= 6
    assert kept.renew_at > time.time()


def test_a_short_lived_token_is_still_used(town: Town) -> None:
    town.service.token_life = 1
    assert token.bearer(account(town), Deadline(5)) == token.bearer(account(town), Deadline(5))


def test_one_401_costs_one_more_fetch_and_one_retry(town: Town) -> None:
    ada = town.house.actor("Ada")
    send(ada, operations.LIST_EXPENSES)
    town.service.tokens[0] = "revoked"
    send(ada, operations.LIST_EXPENSES)
    assert len(town.service.tokens) == 2
    assert [sent.status for sent in town.proxy.sent("GET")] == [200, 401, 200]


def test_a_refused_account_is_marked_broken_and_asked_for_once_a_second(town: Town) -> None:
    town.service.refuse_tokens = True
    for _ in range(3):
        with pytest.raises(AuthFailed):
            token.bearer(account(town), Deadline(5))
    assert len([one for one in town.proxy.record if "/oauth/" in one.path]) == 1
    assert account(town).broken_since is not None


def test_a_dead_token_endpoint_costs_one_timeout_not_one_each(town: Town) -> None:
    town.proxy.fail("hang", path="/oauth/token")
    shared = account(town)
    with pytest.raises(Unavailable):
        token.bearer(shared, Deadline(0.5))
    began = time.monotonic()
    with pytest.raises(Unavailable):
        token.bearer(shared, Deadline(5))
    assert time.monotonic() - began < 0.5


def test_a_connection_that_is_cut_once_is_no_outage(town: Town) -> None:
    """As one that was kept is, where the service closes it in the moment that it is used."""
    town.proxy.fail("reset", path="/oauth/token", times=1)
    assert token.bearer(account(town), Deadline(5))
    assert len(town.service.tokens) == 1


def test_one_that_is_cut_each_time_is_asked_twice_and_no_more(town: Town) -> None:
    town.proxy.fail("reset", path="/oauth/token")
    with pytest.raises(Unavailable):
        token.bearer(account(town), Deadline(5))
    assert len([one for one in town.proxy.record if "/oauth/" in one.path]) == 2


def test_a_hanging_token_endpoint_keeps_a_page_no_longer_than_its_deadline(town: Town) -> None:
    town.proxy.fail("hang", path="/oauth/token")
    began = time.monotonic()
    with pytest.raises((Unavailable, CircuitOpen)):
        send(town.house.actor("Ada"), operations.LIST_EXPENSES, deadline=1.0)
    assert time.monotonic() - began < 3.0


def test_neither_the_token_nor_the_secret_is_logged_by_the_library_that_fetches_it(
    town: Town, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    shared = account(town)
    value = token.bearer(shared, Deadline(5))
    secret = unseal(bytes(shared.client_secret_sealed))
    basic = base64.b64encode(f"{shared.client_id}:{secret}".encode()).decode()
    assert not [
        record for record in caplog.records if any(each in record.getMessage() for each in (value, secret, basic))
    ]


def test_it_is_asked_for_at_its_own_address_alone(town: Town) -> None:
    asked: list[str] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            self.send_response(307)
            self.send_header("Location", f"{town.service.address}/oauth/token")
            self.end_headers()

    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        ServiceAccount.objects.filter(business=town.house.business).update(
            base_url=f"http://localhost:{server.server_address[1]}/v2"
        )
        with pytest.raises(Unavailable):
            token.bearer(account(town), Deadline(5))
        server.shutdown()
    assert len(asked) == 1
    assert town.service.tokens == []


def test_without_tls_it_is_asked_for_on_this_machine_alone_and_only_where_that_is_allowed(
    town: Town, settings: Settings
) -> None:
    settings.UPSTREAM_HOSTS = ["localhost", "service.example"]
    assert refusal_of_address("http://localhost:1/v2") == ""
    assert "https" in refusal_of_address("http://service.example/v2")
    settings.UPSTREAM_HTTP_ON_LOOPBACK = False
    assert "https" in refusal_of_address("http://localhost:1/v2")
    with pytest.raises(NotConnected):
        token.bearer(account(town), Deadline(5))
    assert town.service.tokens == []


def test_a_new_secret_is_a_new_token(town: Town) -> None:
    shared = account(town)
    token.bearer(shared, Deadline(5))
    shared.secret_version += 1
    token.bearer(shared, Deadline(5))
    assert len(town.service.tokens) == 2


def test_a_cache_that_is_away_makes_it_slower_and_not_broken(
    town: Town, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    }
    ada = town.house.actor("Ada")
    for _ in range(2):
        assert send(ada, operations.LIST_EXPENSES).status == 200
    assert len(town.service.tokens) == 1
    assert "cache away" in caplog.text
