"""The states of cards, of their orders and of requests for single-use cards, all transitions of them (decisions B.7)."""

from dataclasses import dataclass

from service import errors
from service.cards.models import Card, CardOrder, CardStatus, OrderStatus, RequestStatus, SingleUseRequest

APPROVE, REJECT, DELIVER, ACTIVATE, BLOCK, UNBLOCK, RETIRE, EXPIRE = (
    "approve",
    "reject",
    "deliver",
    "activate",
    "block",
    "unblock",
    "retire",
    "expire",
)


@dataclass(frozen=True, slots=True)
class Move:
    """From which states a move may start, where it leads, and the event it records."""

    starts: frozenset[CardStatus]
    target: CardStatus
    event: str


def _from(*starts: CardStatus) -> frozenset[CardStatus]:
    return frozenset(starts)


REQUESTED, ORDERED, INACTIVE = CardStatus.REQUESTED, CardStatus.ORDERED, CardStatus.INACTIVE
ACTIVE, BLOCKED = CardStatus.ACTIVE, CardStatus.BLOCKED

# RETIRED, EXPIRED and REJECTED start nothing.
MOVES: dict[str, Move] = {
    APPROVE: Move(_from(REQUESTED), ORDERED, "card.updated"),
    REJECT: Move(_from(REQUESTED), CardStatus.REJECTED, "card.updated"),
    DELIVER: Move(_from(ORDERED), INACTIVE, "card.updated"),
    ACTIVATE: Move(_from(INACTIVE), ACTIVE, "card.activated"),
    BLOCK: Move(_from(ACTIVE), BLOCKED, "card.blocked"),
    UNBLOCK: Move(_from(BLOCKED), ACTIVE, "card.unblocked"),
    RETIRE: Move(_from(ORDERED, INACTIVE, ACTIVE, BLOCKED), CardStatus.RETIRED, "card.retired"),
    EXPIRE: Move(_from(ACTIVE), CardStatus.EXPIRED, "card.expired"),
}


# Doing these again is a mistake; asking otherwise for the state that a card is in harms nobody.
DECIDED_ONCE = (APPROVE, REJECT, DELIVER)


def leads(card: Card, verb: str) -> Move | None:
    """The move from here; None where the card is there already. 409 invalid_state where it leads nowhere."""
    move = MOVES[verb]
    if card.status == move.target and verb not in DECIDED_ONCE:
        return None
    if card.status not in move.starts:
        raise errors.invalid_state(f"A card that is {card.status} cannot {verb}.")
    return move


ORDER: dict[str, dict[str, str]] = {
    APPROVE: {OrderStatus.REQUESTED: OrderStatus.ORDERED},
    REJECT: {OrderStatus.REQUESTED: OrderStatus.REJECTED},
    "ship": {OrderStatus.ORDERED: OrderStatus.SHIPPED},
    DELIVER: {OrderStatus.SHIPPED: OrderStatus.DELIVERED},
    "cancel": {OrderStatus.ORDERED: OrderStatus.CANCELLED, OrderStatus.SHIPPED: OrderStatus.CANCELLED},
}

REQUEST: dict[str, dict[str, str]] = {
    APPROVE: {RequestStatus.PENDING: RequestStatus.APPROVED},
    REJECT: {RequestStatus.PENDING: RequestStatus.REJECTED},
    "cancel": {RequestStatus.PENDING: RequestStatus.CANCELLED},
    EXPIRE: {RequestStatus.PENDING: RequestStatus.EXPIRED},
}


def move(row: CardOrder | SingleUseRequest, verb: str) -> str:
    """Puts a locked order or request into its next state (unsaved); the state before. 409 invalid_state otherwise."""
    table, name = (ORDER, "order") if isinstance(row, CardOrder) else (REQUEST, "request")
    previous = str(row.status)
    target = table[verb].get(previous)
    if target is None:
        raise errors.invalid_state(f"The {name} is {previous}: it cannot {verb} now.")
    row.status = target
    return previous
