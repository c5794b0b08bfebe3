"""Cards of the cast to work with."""

from collections.abc import Callable
from typing import Any

import pytest

from service.cards import ordering
from service.cards.models import CardOrder
from service.rails import card_network
from tests.service.house import House

Make = Callable[..., dict[str, Any]]


@pytest.fixture
def make(house: House) -> Make:
    """`make("Carla", controls={…})`: a card of that person, made by Ada."""

    def one(name: str = "Carla", by: str = "Ada", **fields: Any) -> dict[str, Any]:
        body = {"employee_id": house.person(name).id, "name": f"{name}'s card", **fields}
        answer = house.post("/cards", body, by=by)
        assert answer.status_code == 201, answer.content
        made: dict[str, Any] = answer.json()
        return made

    return one


def do(house: House, card: dict[str, Any], verb: str, body: Any = None, by: str = "Ada") -> Any:
    """PUT /cards/{id}/{verb}, or the reissue."""
    return house.send("POST" if verb == "reissue" else "PUT", f"/cards/{card['_id']}/{verb}", body, by=by)


def use(house: House, card: dict[str, Any], amount: float = 100, by: str = "Ada", **fields: Any) -> dict[str, Any]:
    """A use of the card as the network would play it, the money held unless `settle`."""
    answer = house.post(
        "/cards/authorizations", {"card_id": card["_id"], "amount": amount, "merchant": "Java House", **fields}, by=by
    )
    assert answer.status_code in (200, 201), answer.content
    found: dict[str, Any] = answer.json()
    return found


def deliver(house: House, card: dict[str, Any], monkeypatch: pytest.MonkeyPatch, by: str = "Abel") -> None:
    """Somebody approves the order, and the network ships it at once."""
    order = CardOrder.objects.get(card_id=card["_id"])
    assert house.post("/cards/physical/orders", {"ids": [order.id]}, by=by).json()["results"][0]["ok"]
    arrive(monkeypatch)


def arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_network.network, "shipping", lambda *_: card_network.Shipping.DELIVERED)
    ordering.follow_shipping()
