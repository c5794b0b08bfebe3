"""What a card spends, as it is chosen: who may let it spend a wallet of the business, and the limit that this needs."""

from collections.abc import Iterable, Mapping
from typing import Any

from dashboard import operations_pages
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.mirror.scopes import visible_cards
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET

CHOICES = {ALLOCATION: "The holder's allocation", BUSINESS_WALLET: "Business wallet"}
UNLIMITED = "A card that spends a business wallet needs a limit over time for all merchants."


def choices_for(actor: Actor, now: str = ALLOCATION) -> list[tuple[str, str]]:
    """What somebody may choose for a card that is funded so `now`: an admin lets it spend a wallet, anybody who may
    change it takes that back."""
    may = bool(can_open(actor, operations_pages.CARD_FUNDING))
    return [(code, label) for code, label in CHOICES.items() if may or code in {ALLOCATION, now}]


def states_funding(actor: Actor) -> bool:
    """Whether the service says what cards spend: not where it has said it of none of those that one sees."""
    cards = visible_cards(actor)
    return cards.exclude(funding="").exists() or not cards.exists()


def is_bounded(limits: Iterable[Mapping[str, Any]]) -> bool:
    """Whether one of the limits over time bounds every purchase, whatever the merchant."""
    return any(not limit.get("mcc") for limit in limits)
