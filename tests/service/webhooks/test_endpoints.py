"""Webhook endpoints: made, read, rotated, removed; and where they may not point."""

import socket
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from service.webhooks import addresses
from service.webhooks.models import WebhookEndpoint
from tests.service.house import House, code


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test asks a real name server."""
    known = {"public.example": "93.184.216.34", "inside.example": "10.0.0.8", "localhost": "127.0.0.1"}

    def resolve(host: str, port: int, **_: Any) -> list[Any]:
        try:
            address = known.get(host) or str(addresses.ipaddress.ip_address(host))
        except ValueError:
            raise OSError from None
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    # The guard's alone: Redis, asked for the first time in a test, finds its own host by the real one.
    monkeypatch.setattr(addresses, "socket", SimpleNamespace(getaddrinfo=resolve, SOCK_STREAM=socket.SOCK_STREAM))


def make(house: House, url: str = "https://public.example/hooks", **body: Any) -> Any:
    return house.post("/webhook-endpoints", {"url": url, **body})


def test_the_secret_is_told_once_and_stored_sealed(house: House) -> None:
    body = make(house, kinds=["expense.*"]).json()
    assert body["secret"].startswith("whsec_")
    shown = house.get(f"/webhook-endpoints/{body['_id']}").json()
    assert "secret" not in shown
    assert shown["kinds"] == ["expense.*"]
    row = WebhookEndpoint.objects.get(id=body["_id"])
    assert body["secret"].encode() not in bytes(row.secret)


def test_rotation_gives_another_secret_and_removal_removes(house: House) -> None:
    body = make(house).json()
    rotated = house.post(f"/webhook-endpoints/{body['_id']}/rotate-secret").json()
    assert rotated["secret"] != body["secret"]
    assert house.send("DELETE", f"/webhook-endpoints/{body['_id']}").status_code == 204
    assert code(house.get(f"/webhook-endpoints/{body['_id']}")) == (404, "not_found")


@pytest.mark.parametrize(
    "url",
    [
        "http://public.example/",
        "https://inside.example/",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]:5432/",
        "https://[::ffff:10.0.0.1]/",
        "https://0.0.0.0/",
        "https://user:pass@public.example/",
        "https://public.example:22/",
        "https://unknown.example/",
        "ftp://public.example/",
        "https://public.example:99999/",
        "https://P&n=,P2D0]q/",
        "https://[public/",
        "https://",
        "javascript:alert(1)",
    ],
)
def test_addresses_that_must_not_be_sent_to(house: House, url: str, settings: Any) -> None:
    settings.WEBHOOK_ALLOW_LOOPBACK = False
    answer = make(house, url)
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["field"] == "url"


def test_loopback_is_open_only_by_setting(house: House, settings: Any) -> None:
    settings.WEBHOOK_ALLOW_LOOPBACK = False
    assert code(make(house, "http://localhost:8000/hooks")) == (422, "validation_failed")
    settings.WEBHOOK_ALLOW_LOOPBACK = True
    assert make(house, "http://localhost:8000/hooks").status_code == 201
    assert code(make(house, "http://10.0.0.1/hooks")) == (422, "validation_failed")


def test_who_may_and_whose(house: House, houses: Callable[..., House]) -> None:
    created = make(house).json()["_id"]
    assert house.post("/webhook-endpoints", {"url": "https://public.example/"}, by="Apollo").status_code == 403
    assert house.get("/webhook-endpoints", by="Rita").status_code == 403
    other = houses()
    assert code(other.get(f"/webhook-endpoints/{created}")) == (404, "not_found")
    assert code(other.post(f"/webhook-endpoints/{created}/rotate-secret")) == (404, "not_found")
    assert code(other.post(f"/webhook-endpoints/{created}/replay", {"after": 0})) == (404, "not_found")
    assert code(other.send("DELETE", f"/webhook-endpoints/{created}")) == (404, "not_found")


def test_at_most_twenty(house: House) -> None:
    for _ in range(20):
        assert make(house).status_code == 201
    assert code(make(house)) == (422, "limit_exceeded")
