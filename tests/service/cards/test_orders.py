"""Physical cards: asked for, approved by somebody else, shipped, delivered, activated."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from service.businesses.models import Employee
from service.cards import orders
from service.cards.models import Card, CardOrder
from service.events.models import Event
from service.rails.card_network import Shipping, network
from tests.service.cards.conftest import Make, arrive, do
from tests.service.house import House, code

ADDRESS = {
    "name": "Carla Kamau",
    "street": "Moi Avenue 1",
    "city": "Nairobi",
    "country": "KE",
    "phone": "+254711000111",
}


def order_card(house: House, by: str = "Carla", **fields: Any) -> Any:
    return house.post("/cards/physical/orders/request", {"name": "Travel", **fields}, by=by)


def approve(house: House, *ids: str, by: str = "Abel") -> Any:
    return house.post("/cards/physical/orders", {"ids": list(ids)}, by=by)


def test_from_the_request_to_the_purse(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    order = order_card(house, shipping=ADDRESS).json()
    assert (order["status"], order["card"]["status"], order["card"]["type"]) == ("REQUESTED", "REQUESTED", "PHYSICAL")
    assert order["shipping"] == ADDRESS
    [done] = approve(house, order["_id"]).json()["results"]
    assert (done["ok"], done["order"]["status"], done["order"]["card"]["status"]) == (True, "ORDERED", "ORDERED")
    orders.follow_shipping()
    assert CardOrder.objects.get(pk=order["_id"]).status == "ORDERED", "it is being made"
    arrive(monkeypatch)
    [shown] = house.get("/cards/physical/orders?status=DELIVERED").json()["docs"]
    assert (shown["card"]["status"], shown["shipped_at"] is None, shown["delivered_at"] is None) == (
        "INACTIVE",
        False,
        False,
    )
    assert code(do(house, shown["card"], "activate", by="Rita")) == (403, "insufficient_role")
    assert do(house, shown["card"], "activate", by="Carla").json()["status"] == "ACTIVE"
    kinds = list(
        Event.objects.filter(business=house.business, kind__startswith="card")
        .order_by("id")
        .values_list("kind", flat=True)
    )
    assert kinds == [
        "card.created", "card_order.requested", "card.updated", "card_order.approved", "card_order.shipped",
        "card.updated", "card_order.delivered", "card.activated",
    ]  # fmt: skip


@pytest.mark.parametrize("by", ["Carla", "Ada"])
def test_not_own(house: House, make: Make, by: str) -> None:
    """Neither who ordered it, nor who will hold it."""
    if by == "Ada":
        make("Carla", type="PHYSICAL")
    else:
        Employee.objects.filter(pk=house.person("Carla").id).update(role="APPROVER")
        order_card(house)
    order = CardOrder.objects.get(business=house.business)
    for answer in (
        approve(house, order.id, by=by),
        house.send("PATCH", "/cards/physical/orders", {"ids": [order.id], "reason": "No"}, by=by),
    ):
        [row] = answer.json()["results"]
        assert (row["ok"], row["code"]) == (False, "self_approval_forbidden")
    assert CardOrder.objects.get(pk=order.id).status == "REQUESTED"


def test_several_each_for_itself(house: House, houses: Callable[..., House]) -> None:
    first, second, third = (order_card(house, by).json() for by in ("Carla", "Cyrus", "Chebet"))
    foreign = order_card(houses()).json()
    Employee.objects.filter(pk=house.person("Chebet").id).update(status="SUSPENDED")
    approve(house, first["_id"])
    expected = [first["_id"], second["_id"], third["_id"], foreign["_id"]]
    results = approve(house, *expected).json()["results"]
    assert [(row["id"], row["code"]) for row in results] == list(
        zip(expected, ["invalid_state", "", "invalid_state", "not_found"], strict=True)
    )
    body = {"ids": [third["_id"]], "reason": "Left"}
    [row] = house.send("PATCH", "/cards/physical/orders", body, by="Apollo").json()["results"]
    assert (row["order"]["status"], row["order"]["card"]["status"], row["order"]["reason"]) == (
        "REJECTED",
        "REJECTED",
        "Left",
    )


@pytest.mark.parametrize(
    ("who", "status"), [("Carla", 403), ("Rita", 403), ("Sam", 403), ("Apollo", 200), ("Abel", 200)]
)
def test_who_decides_on_orders(house: House, who: str, status: int) -> None:
    order = order_card(house).json()
    assert approve(house, order["_id"], by=who).status_code == status
    body = {"ids": [order["_id"]], "reason": "No"}
    assert house.send("PATCH", "/cards/physical/orders", body, by=who).status_code == status
    assert house.get("/cards/physical/orders", by=who).status_code == (200 if who in ("Sam", "Apollo", "Abel") else 403)


def test_a_card_retired_on_its_way_ends_its_order(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    order = order_card(house).json()
    approve(house, order["_id"])
    assert do(house, order["card"], "retire").json()["status"] == "RETIRED"
    arrive(monkeypatch)
    assert CardOrder.objects.get(pk=order["_id"]).status == "CANCELLED"


def test_for_somebody_else_only_by_who_makes_cards(house: House) -> None:
    cyrus = house.person("Cyrus").id
    assert code(order_card(house, "Rita", employee_id=cyrus)) == (403, "insufficient_role")
    assert code(order_card(house, "Ada", employee_id="0" * 24)) == (422, "validation_failed")
    created = order_card(house, "Ada", employee_id=cyrus).json()
    assert Card.objects.get(pk=created["card"]["_id"]).employee_id == cyrus


@pytest.mark.parametrize(
    "body", [{}, {"ids": []}, {"ids": ["x"]}, {"ids": ["0" * 24] * 201}, {"ids": ["0" * 24], "colour": 1}]
)
def test_bad_bodies(house: House, body: dict[str, Any]) -> None:
    assert code(house.post("/cards/physical/orders", body)) == (422, "validation_failed")
    assert code(house.send("PATCH", "/cards/physical/orders", {**body, "reason": "No"})) == (422, "validation_failed")
    assert code(house.get("/cards/physical/orders?status=LOST")) == (400, "invalid_parameters")


def test_shipping_is_simulated_by_time() -> None:
    order = [network.shipping("o", timedelta(seconds=each)) for each in (1, 6, 16)]
    assert order == [Shipping.MADE, Shipping.SHIPPED, Shipping.DELIVERED]
