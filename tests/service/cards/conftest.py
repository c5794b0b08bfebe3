"""Cards of the cast to work with, and what they spend."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from service.accounts.wallets import employee_wallet
from service.cards import orders
from service.cards.models import CardOrder
from service.ledger.balances import Balance, balance
from service.ledger.invariants import breaches_seen_by
from service.rails import card_network
from tests.service.house import House

Make = Callable[..., dict[str, Any]]


ALLOCATED = 1_000_000
# A limit over time that binds nothing that is tried here.
WIDE = {"interval": "PER_YEAR", "amount": 10**14}


def allocate(house: House, name: str = "Carla", amount: float = ALLOCATED, verb: str = "allocate", **more: Any) -> Any:
    """Funds for a person's cards, from the first wallet unless another is named; the raw answer."""
    body = {"employee_id": house.person(name).id, "amount": amount, **more}
    return house.post(f"/employees/{verb}-funds", body, by="Apollo")


def is_whole() -> bool:
    """Whether every invariant of the ledger holds, seen from within a test's transaction."""
    with connection.cursor() as cursor:
        return breaches_seen_by(cursor, sealed=False) == []


def has(house: House, name: str = "Carla", currency: str = "KES") -> Balance:
    """What is allocated to a person."""
    return balance(employee_wallet(house.business, house.person(name).id, currency).ledger_account_id)


@pytest.fixture
def make(house: House) -> Make:
    """`make("Carla", controls={…})`: a card of that person, made by Ada. Whoever gets a first card gets ALLOCATED too;
    `funds=0` leaves it empty, `funding="BUSINESS_WALLET"` spends the wallet within WIDE unless it is limited."""
    rich = set()

    def first(name: str = "Carla", by: str = "Ada", funds: float = ALLOCATED, **fields: Any) -> dict[str, Any]:
        if fields.get("funding") == "BUSINESS_WALLET":
            fields["controls"] = {"limits": [WIDE]} | fields.get("controls", {})
        elif funds and name not in rich:
            assert allocate(house, name, funds, org_wallet_ref=fields.get("org_wallet_ref", "1")).status_code == 200
            rich.add(name)
        body = {"employee_id": house.person(name).id, "name": f"{name}'s card", **fields}
        answer = house.post("/cards", body, by=by)
        assert answer.status_code == 201, answer.content
        created: dict[str, Any] = answer.json()
        return created

    return first


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
    orders.follow_shipping()
