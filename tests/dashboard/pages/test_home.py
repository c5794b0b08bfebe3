"""Home's widgets of money: from the real service, each failing by itself; spending from the copy, scoped like the list."""

from dataclasses import replace
from typing import Any

import pytest

from dashboard.cash import movement as cash_movement
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House

HTMX = {"HX-Request": "true"}


def test_money_in_and_out_is_what_the_service_says(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=1234.5)
    movements = world.upstream("/transactions/money-movement")["docs"]
    body = world.client("Ada").get(world.address("home/movement/"), headers=HTMX).content.decode()
    for movement in movements:
        for month in movement["trend"]:
            assert f"{month['money_in']:,.2f}" in body
    assert any(month["money_in"] for movement in movements for month in movement["trend"])


def test_a_service_that_is_away_fails_that_widget_alone(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("reset")
    browser = proxied_world.client("Ada")
    answer = browser.get(proxied_world.address("home/movement/"), headers=HTMX)
    assert answer.status_code == 200
    assert 'role="alert"' in answer.content.decode()
    assert browser.get(proxied_world.address("home/spending/"), headers=HTMX).status_code == 200


def test_an_answer_of_another_shape_fails_it_in_words(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    read = cash_movement.read_live

    def misshapen(*given: Any, **named: Any) -> Any:
        return replace(read(*given, **named), data={"docs": [{"currency": "KES", "trend": 7}]})

    monkeypatch.setattr(cash_movement, "read_live", misshapen)
    answer = world.client("Ada").get(world.address("home/movement/"), headers=HTMX)
    assert answer.status_code == 200
    assert "sent a wrong" in answer.content.decode()


def test_a_reviewer_has_no_such_widget_and_a_card_user_sees_their_own_spending(house: House) -> None:
    house.expense(employee_id=house.employee_id("Carla"), category_name="Travel · Fuel", amount_minor=123_456)
    house.expense(category_name="Meals", amount_minor=999_900)
    assert house.browser("Rita").get(house.address("home/movement/"), headers=HTMX).status_code == 403
    assert "Money in and out" not in house.browser("Carla").get(house.address("")).content.decode()
    body = house.browser("Carla").get(house.address("home/spending/"), headers=HTMX).content.decode()
    assert "Travel · Fuel" in body
    assert "1,234.56" in body
    assert "Meals" not in body
