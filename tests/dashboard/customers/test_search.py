"""A search of which the copy holds nothing is asked of the finance service, once, and its hits are on the list at once."""

from __future__ import annotations

import pytest

from dashboard import cache
from dashboard.mirror.models import Customer
from tests.dashboard.conftest import World


@pytest.fixture(autouse=True)
def nothing_asked_yet(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """The cache of these tests alone."""
    stored: dict[str, object] = {}
    monkeypatch.setattr(cache, "load", stored.get)
    monkeypatch.setattr(cache, "store", lambda name, value, _: stored.__setitem__(name, value))
    return stored


def searched(world: World, q: str, person: str = "Rita") -> str:
    return str(world.client(person).get(world.address(f"customers/?q={q}")).content.decode())


def test_one_that_was_added_elsewhere_is_found_before_the_copy_has_it(world: World) -> None:
    world.send("POST", "/customers", {"name": "Zawadi Traders", "phone": "254700000123"})
    assert not Customer.objects.filter(business=world.business).exists()
    assert "Zawadi Traders" in searched(world, "zawa")
    assert Customer.objects.get(business=world.business).phone == "254700000123"


def test_what_the_copy_has_and_what_is_too_short_is_not_asked(proxied_world: World) -> None:
    world, proxy = proxied_world, proxied_world.proxy
    assert proxy is not None
    world.send("POST", "/customers", {"name": "Zawadi Traders"})
    assert "Zawadi Traders" in searched(world, "zawadi")
    assert len(proxy.sent("GET", "/customers/search")) == 1
    searched(world, "zawadi")
    searched(world, "z")
    searched(world, "nobody")
    searched(world, "nobody")
    assert len(proxy.sent("GET", "/customers/search")) == 2


def test_a_service_that_does_not_answer_leaves_the_list_as_it_is(proxied_world: World) -> None:
    world, proxy = proxied_world, proxied_world.proxy
    assert proxy is not None
    proxy.fail("reset")
    assert "No matches" in searched(world, "zawadi") or "Still being read" in searched(world, "zawadi")


def test_a_card_user_has_no_customers_and_asks_nothing(world: World) -> None:
    world.send("POST", "/customers", {"name": "Zawadi Traders"})
    assert world.client("Carla").get(world.address("customers/?q=zawadi")).status_code == 403
    assert not Customer.objects.filter(business=world.business).exists()
