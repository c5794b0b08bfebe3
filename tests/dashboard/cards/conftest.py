"""A business with cards in it, as the service has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Card, Origin
from dashboard.mirror.schedule import cursor_of
from dashboard.mirror.sync import run_band
from tests.dashboard.conftest import World

Give = Callable[..., Card]
FUNDS = 1_000_000


def allocate(world: World, holder: str = "Carla", amount: float = FUNDS, verb: str = "allocate") -> None:
    """Funds for somebody's cards, put there by an approver from the first wallet; or removed with `verb`."""
    body = {"employee_id": world.employee(holder)["employee_id"], "amount": amount, "org_wallet_ref": "1"}
    approver = {"X-Acting-Employee": world.employee("Apollo")["employee_id"]}
    world.send("POST", f"/employees/{verb}-funds", body, approver)


def give_card(world: World, holder: str = "Carla", funds: float = FUNDS, **fields: Any) -> Card:
    """A card of somebody, made at the service and copied; `funds` are allocated to the holder first."""
    if funds:
        allocate(world, holder, funds)
    body = {"employee_id": world.employee(holder)["employee_id"], "name": "Fuel"} | fields
    return copied(world, world.send("POST", "/cards", body))


def copied(world: World, payload: dict[str, Any]) -> Card:
    """A card as the service tells it, brought into the copy."""
    upsert("card", world.business, [payload], Origin.POLL)
    return Card.objects.get(business=world.business, remote_id=payload["_id"])


def swiped(world: World, card: Card, amount: float = 100, **what: Any) -> dict[str, Any]:
    """A use of the card at the sandbox's merchant."""
    answer: dict[str, Any] = world.sandbox(
        "swipe", card_id=card.remote_id, amount=amount, merchant="Java House", **what
    )
    return answer


def read_again(world: World) -> None:
    """Brings the copy of cards up to date, as its band does."""
    cursor_of(world.business)
    run_band(world.business, "cards")


@pytest.fixture
def world(proxied_world: World) -> World:
    """A fresh business of which people, teams and wallets are copied, reached through a fault proxy."""
    return proxied_world


@pytest.fixture
def give(world: World) -> Give:
    """`give("Carla", controls={…})`: a card of somebody in `world`."""
    return lambda holder="Carla", **fields: give_card(world, holder, **fields)
