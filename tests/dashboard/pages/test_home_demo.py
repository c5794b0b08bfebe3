"""The banner of Home while a demo's months are made: as the service says, gone at the end, never where nothing is known."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache

from dashboard.pages.home.presenters import demo
from tests.dashboard.conftest import World

HTMX = {"HX-Request": "true"}


def answer_with(monkeypatch: pytest.MonkeyPatch, **progress: Any) -> None:
    """The service answers that the demo is so far."""
    read = demo.read_live

    def answered(actor: Any, operation: Any, **named: Any) -> Any:
        listed = read(actor, demo.operations_extra.READ_EVENTS, query={"limit": 1}, **named)
        return replace(listed, data=progress)

    monkeypatch.setattr(demo, "read_live", answered)


@pytest.fixture(autouse=True)
def fresh() -> None:
    cache.clear()


def body(world: World) -> str:
    return world.client("Ada").get(world.address("home/demo/"), headers=HTMX).content.decode()


def test_it_says_how_many_months_there_are_and_asks_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with(monkeypatch, made=5, months=12, whole=False)
    shown = body(world)
    assert "Demo data: 5 of 12 months are there." in " ".join(shown.split())
    assert "every 3s" in shown


def test_at_the_end_it_is_gone_and_home_asks_no_more(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "home/demo/" in world.client("Ada").get(world.address("")).content.decode()
    answer_with(monkeypatch, made=12, months=12, whole=True)
    shown = body(world)
    assert "Demo data" not in shown
    assert "hx-get" not in shown
    assert "home/demo/" not in world.client("Ada").get(world.address("")).content.decode()


def test_a_business_that_is_no_demo_has_none(world: World) -> None:
    shown = body(world)
    assert "Demo data" not in shown
    assert "hx-get" not in shown


def test_a_service_that_is_away_claims_nothing_and_is_asked_again(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("reset")
    shown = body(proxied_world)
    assert "Demo data" not in shown
    assert "every 3s" in shown


def test_outside_of_development_nothing_is_asked(world: World, settings: Any) -> None:
    settings.DEVELOPMENT = False
    assert "home/demo/" not in world.client("Ada").get(world.address("")).content.decode()
