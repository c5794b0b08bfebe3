"""The life of a card against its table: every state and every move, through the interface."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.cards import lifecycle, orders
from service.cards.models import Card, CardOrder, CardStatus
from service.cards.transitions import MOVES
from service.rails import card_network
from tests.service.cards.conftest import Make, do, use
from tests.service.house import House

FINAL = ("RETIRED", "EXPIRED", "REJECTED")
# Decisions B.7, written down again: what each state may go to.
ALLOWED = {
    "REQUESTED": {"approve": "ORDERED", "reject": "REJECTED"},
    "ORDERED": {"deliver": "INACTIVE", "retire": "RETIRED"},
    "INACTIVE": {"activate": "ACTIVE", "retire": "RETIRED"},
    "ACTIVE": {"block": "BLOCKED", "retire": "RETIRED", "expire": "EXPIRED"},
    "BLOCKED": {"unblock": "ACTIVE", "retire": "RETIRED"},
    **{state: {} for state in FINAL},
}
MOVERS = ("approve", "reject", "deliver", "activate", "block", "unblock", "retire", "expire", "change", "use")


def test_the_table_is_that_of_the_decisions() -> None:
    table = {
        state: {verb: move.target.value for verb, move in MOVES.items() if state in move.starts}
        for state in CardStatus.values
    }
    assert table == ALLOWED


def attempt(house: House, card: dict[str, Any], verb: str) -> int:
    """Does it as it is done in real life; the status of the answer, 200 where nobody answers."""
    if verb in ("approve", "reject"):
        order = CardOrder.objects.filter(card_id=card["_id"]).values_list("id", flat=True)
        body = {"ids": list(order) or ["0" * 24], **({"reason": "No"} if verb == "reject" else {})}
        answer = house.send("POST" if verb == "approve" else "PATCH", "/cards/physical/orders", body, by="Abel")
        return 200 if answer.json()["results"][0]["ok"] else 409
    if verb == "deliver":
        orders.follow_shipping()
        return 200 if Card.objects.get(pk=card["_id"]).status == "INACTIVE" else 409
    if verb == "expire":
        Card.objects.filter(pk=card["_id"]).update(expiry_year=2020)
        lifecycle.expire_due_cards()
        Card.objects.filter(pk=card["_id"]).update(expiry_year=2040)
        return 200 if Card.objects.get(pk=card["_id"]).status == "EXPIRED" else 409
    if verb == "change":
        changed = house.send("PUT", f"/cards/{card['_id']}", {"name": "Anew"})
        assert changed.status_code in (200, 409)
        return 409
    if verb == "use":
        use(house, card)
        return 409
    status: int = do(house, card, verb).status_code
    return status


@settings(max_examples=25)
@given(physical=st.booleans(), moves=st.lists(st.sampled_from(MOVERS), max_size=7))
def test_no_transition_outside_the_table_is_reachable(
    house: House, make: Make, monkeypatch: pytest.MonkeyPatch, physical: bool, moves: list[str]
) -> None:
    monkeypatch.setattr(card_network.network, "shipping", lambda *_: card_network.Shipping.DELIVERED)
    card = make(type="PHYSICAL" if physical else "VIRTUAL")
    state = "REQUESTED" if physical else "ACTIVE"
    for verb in moves:
        status = attempt(house, card, verb)
        target = ALLOWED[state].get(verb)
        if target is not None:
            assert status == 200
            state = target
        elif not repeats(state, verb):
            assert status == 409
        assert Card.objects.get(pk=card["_id"]).status == state


def repeats(state: str, verb: str) -> bool:
    """Asking again for the state a card is in changes nothing, and is no mistake."""
    return verb in MOVES and MOVES[verb].target == state


@pytest.mark.parametrize("state", CardStatus.values)
@pytest.mark.parametrize("verb", ["activate", "block", "unblock", "retire"])
def test_every_state_and_every_move(house: House, make: Make, state: str, verb: str) -> None:
    card = make()
    Card.objects.filter(pk=card["_id"]).update(status=state)
    answer = do(house, card, verb)
    target = ALLOWED[state].get(verb)
    if target or repeats(state, verb):
        assert (answer.status_code, answer.json()["status"]) == (200, target or state)
    else:
        assert (answer.status_code, answer.json()["code"]) == (409, "invalid_state")
        assert Card.objects.get(pk=card["_id"]).status == state
