"""Which addresses are called, and with what: none that leads elsewhere, and keys and endpoints are stored sealed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.notifications.models import PushDelivery, PushDevice
from dashboard.notifications.tasks import push_notices
from tests.dashboard.notifications.push_service import Phone, PushService
from tests.dashboard.notifications.test_push import nothing_left, turn_on
from tests.dashboard.pages.conftest import House

__all__ = ["nothing_left"]


def test_a_redirect_is_followed_nowhere(house: House, push: PushService) -> None:
    phone, _ = turn_on(house, "Apollo", push)
    push.answers[f"/push/{phone.name}"] = (307, {"Location": f"{push.address}/inside"})
    house.expense()
    push_notices()
    assert [path for path, _, _ in push.received] == [f"/push/{phone.name}"]
    assert PushDelivery.objects.count() == 0


def test_the_database_holds_no_endpoint_and_no_key_in_the_clear(house: House, push: PushService) -> None:
    phone, _ = turn_on(house, "Apollo", push)
    device = PushDevice.objects.get()
    stored = f"{device.browser_hash} {device.endpoint_hash} {device.label} {device.host} {bytes(device.subscription_sealed)!r}"
    assert push.endpoint(phone) not in stored
    assert phone.keys()["auth"] not in stored


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://93.184.216.34/push",
        "https://127.0.0.1/push",
        "https://10.0.0.8/push",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/push",
        "https://[::ffff:10.0.0.8]/push",
        "https://93.184.216.34:8443/push",
        "https://user:password@93.184.216.34/push",
        "ftp://93.184.216.34/push",
        "https://no-such-host.invalid/push",
        "https://93.184.216.34/a b",
        "javascript:alert(1)",
        "https://93.184.216.34/" + "x" * 2000,
    ],
)
def test_an_endpoint_that_leads_elsewhere_is_refused(
    house: House, push: PushService, settings: Any, endpoint: str
) -> None:
    settings.PUSH_HTTP_ON_LOOPBACK = False
    subscription = push.subscription(Phone("x")) | {"endpoint": endpoint}
    answer = house.browser("Apollo").post(house.address("notifications/devices/"), subscription, follow=True)
    assert answer.status_code == 200
    assert "are on for this device" not in answer.content.decode()
    assert PushDevice.objects.count() == 0


def test_only_the_hosts_that_are_named_where_any_are(house: House, push: PushService, settings: Any) -> None:
    settings.PUSH_HTTP_ON_LOOPBACK, settings.PUSH_HOSTS = False, ["push.example"]
    subscription = push.subscription(Phone("x")) | {"endpoint": "https://93.184.216.34/push"}
    answer = house.browser("Apollo").post(house.address("notifications/devices/"), subscription, follow=True)
    assert "is not among those that this installation sends to" in answer.content.decode()


def test_an_address_that_has_become_a_private_one_is_called_no_more(
    house: House, push: PushService, settings: Any
) -> None:
    turn_on(house, "Apollo", push)
    settings.PUSH_HTTP_ON_LOOPBACK = False
    house.expense()
    push_notices()
    assert push.received == []
    assert PushDelivery.objects.count() == 0


@pytest.mark.parametrize(
    "broken", [{"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": "x" * 87}, {"auth": ""}, {"p256dh": "é"}]
)
def test_keys_that_are_none_are_refused(house: House, push: PushService, broken: dict[str, str]) -> None:
    subscription = push.subscription(Phone("x")) | broken
    house.browser("Apollo").post(house.address("notifications/devices/"), subscription)
    assert PushDevice.objects.count() == 0


def test_the_worker_is_the_same_for_everybody_and_has_no_wider_scope_than_its_folder(house: House) -> None:
    answer = Client().get("/-/push/worker.js")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert "Service-Worker-Allowed" not in answer
    script = answer.content.decode()
    for absent in ("caches", '"fetch"', "importScripts", "fetch("):
        assert absent not in script
    page = house.browser("Apollo").get(house.address("notifications/choices/"))
    assert "worker-src 'self'" in page["Content-Security-Policy"]
